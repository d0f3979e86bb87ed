"""What a check of mirrored groups found, with its tables and evidence."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...types import Cell, Table
from .cue_balance import COLUMNS, UnbalancedCues
from .groups import BrokenGroup, MirrorGroup
from .partitions import Partition

MAX_GROUPS = 1000  # broken groups that a table holds
REASON_COLUMNS = ("why", "groups", "items")
GROUP_COLUMNS = ("group", "items", "why")
PARTITION_COLUMNS = ("cut", "groups", "parted")


@dataclass(frozen=True, slots=True)
class BalanceFindings:
    """The groups, cues and partitions that were checked, and which of them are broken."""

    groups: tuple[MirrorGroup, ...] = ()
    broken: tuple[BrokenGroup, ...] = ()
    cues: UnbalancedCues = field(default_factory=UnbalancedCues)
    partitions: tuple[Partition, ...] = ()

    @property
    def breaking_partitions(self) -> list[Partition]:
        """The partitions that split a group and must not."""
        return [p for p in self.partitions if p.n_split_groups and p.is_checked]

    def count_reasons(self) -> dict[str, int]:
        """Count the broken groups by reason, in the order of their first occurrence."""
        return {reason: len(self._broken_by(reason)) for reason in self._reasons()}

    def build_tables(self) -> dict[str, Table]:
        """Return the tables that have rows."""
        reasons = {reason: self._broken_by(reason) for reason in self._reasons()}
        counts = ((why, len(b), sum(len(g.ids) for g in b)) for why, b in reasons.items())
        partitions = ((p.name, len(self.groups), p.n_split_groups) for p in self.partitions)
        tables = {
            "reasons": Table(REASON_COLUMNS, tuple(counts)),
            "groups": Table(GROUP_COLUMNS, _broken_rows(self.broken[:MAX_GROUPS])),
            "cues": Table(COLUMNS, self.cues.rows),
            "cuts": Table(PARTITION_COLUMNS, tuple(partitions)),
        }
        return {name: table for name, table in tables.items() if table.rows}

    def broken_ids(self) -> dict[str, tuple[str, ...]]:
        """Return the items of broken groups by reason."""
        return {
            reason: tuple(id for group in self._broken_by(reason) for id in group.ids)
            for reason in self._reasons()
        }

    def _reasons(self) -> list[str]:
        return list(dict.fromkeys(group.reason for group in self.broken))

    def _broken_by(self, reason: str) -> list[BrokenGroup]:
        return [group for group in self.broken if group.reason == reason]


def _broken_rows(broken: tuple[BrokenGroup, ...]) -> tuple[tuple[Cell, ...], ...]:
    return tuple((flaw.group.name, " ".join(flaw.ids), flaw.reason) for flaw in broken)
