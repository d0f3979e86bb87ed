"""Is every cue exactly balanced over the groups, and is every group whole?

Kavumba et al. 2019, Niven and Kao 2019: in a mirrored benchmark every choice is right as often as
any other of its group, so that no word of the choices says anything. Looks at groups whose items
share their choices; where there are none, nothing is mirrored and nothing is asked.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import ClassVar

from ..._infra.validation import check_range
from ...text.tokenizers import Tokenizer, get_tokenizer
from ...types import POOLED, Benchmark, Cell, Items, Result, Table
from .._splits import labelled_splits
from .cue_balance import COLUMNS, UnbalancedCues, find_unbalanced
from .groups import CONTRADICTORY, BrokenGroup, MirrorGroup, find_broken, find_mirrored
from .partitions import Partition, benchmark_partitions, tool_partitions

MAX_GROUPS = 1000  # broken groups that a table holds
NOTHING_MIRRORED = (
    "No two items of a group share their choices: nothing is mirrored, so there is nothing to "
    "check."
)


@dataclass(frozen=True, slots=True)
class Balance:
    """What mirroring promises, checked: every cue at chance, every group whole, no cut through it.

    Splits are looked at together, since partners may lie in different ones.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it all labelled splits together
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "word"  # word, nltk or whitespace
    folds: int = 10  # of the cross-validations that must not part a group
    seed: int = 0  # of these folds

    def __post_init__(self) -> None:
        check_range("ngram", self.ngram, 1)
        check_range("folds", self.folds, 2)
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Result:
        tokens = get_tokenizer(self.tokenizer)
        parts, notes = labelled_splits(benchmark, self.split)
        groups, group_notes = find_mirrored(parts)
        findings = self._check_groups(benchmark, parts, groups, tokens)
        return Result(
            probe="balance",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict="caution" if findings.list_problems() else "clear",
            summary=findings.write_summary(),
            tables=findings.build_tables(),
            evidence=findings.broken_ids(),
            notes=(*notes, *group_notes),
        )

    def _check_groups(
        self,
        benchmark: Benchmark,
        parts: dict[str, Items],
        groups: list[MirrorGroup],
        tokens: Tokenizer,
    ) -> BalanceFindings:
        if not groups:
            return BalanceFindings()
        items = tuple(item for group in groups for _, item in group.members)
        name = next(iter(parts)) if len(parts) == 1 else POOLED
        partitions = [
            *benchmark_partitions(groups, benchmark),
            *tool_partitions(items, self.folds, self.seed),
        ]
        cues = find_unbalanced(name, items, tokens, self.ngram)
        return BalanceFindings(tuple(groups), tuple(find_broken(groups)), cues, tuple(partitions))


@dataclass(frozen=True, slots=True)
class BalanceFindings:
    """All that was looked at, and what of it is not as it should be."""

    groups: tuple[MirrorGroup, ...] = ()
    broken: tuple[BrokenGroup, ...] = ()
    cues: UnbalancedCues = field(default_factory=UnbalancedCues)
    partitions: tuple[Partition, ...] = ()

    def list_problems(self) -> list[str]:
        """What is amiss, in words."""
        problems = []
        if self.broken:
            n_broken = len({flaw.group.name for flaw in self.broken})
            problems.append(
                f"{n_broken:,} of {len(self.groups):,} groups {_describe_broken(self.broken, n_broken)}"
            )
        if self.cues.n_unbalanced:
            problems.append(
                f"{self.cues.n_unbalanced:,} of {self.cues.n_cues:,} cues are off balance"
            )
        breaking = [
            partition
            for partition in self.partitions
            if partition.n_split_groups and partition.is_checked
        ]
        return problems + [
            f"{partition.n_split_groups:,} {'group is' if partition.n_split_groups == 1 else 'groups are'} parted by {partition.name}"
            for partition in breaking
        ]

    def write_summary(self) -> str:
        if not self.groups:
            return NOTHING_MIRRORED
        problems = self.list_problems()
        balanced = [f"each of {self.cues.n_cues:,} cues is right exactly as often as chance has it"]
        balanced = balanced if not self.cues.n_unbalanced else []
        if problems:
            return f"{_capitalise('; '.join(problems + balanced))}."
        return f"All {len(self.groups):,} groups are whole and balanced: {balanced[0]}."

    def build_tables(self) -> dict[str, Table]:
        """Those that have something to say."""
        reasons = {
            reason: [b for b in self.broken if b.reason == reason]
            for reason in _distinct_reasons(self.broken)
        }
        counts = (
            (reason, len(flaws), sum(len(b.ids) for b in flaws))
            for reason, flaws in reasons.items()
        )
        partition_rows = (
            (partition.name, len(self.groups), partition.n_split_groups)
            for partition in self.partitions
        )
        tables = {
            "reasons": Table(("why", "groups", "items"), tuple(counts)),
            "groups": Table(("group", "items", "why"), _broken_rows(self.broken[:MAX_GROUPS])),
            "cues": Table(COLUMNS, self.cues.rows),
            "cuts": Table(("cut", "groups", "parted"), tuple(partition_rows)),
        }
        return {name: table for name, table in tables.items() if table.rows}

    def broken_ids(self) -> dict[str, tuple[str, ...]]:
        return {
            reason: tuple(id for flaw in self.broken if flaw.reason == reason for id in flaw.ids)
            for reason in _distinct_reasons(self.broken)
        }


def _distinct_reasons(broken: tuple[BrokenGroup, ...]) -> list[str]:
    return list(dict.fromkeys(flaw.reason for flaw in broken))


def _describe_broken(broken: tuple[BrokenGroup, ...], groups: int) -> str:
    """What is said of broken groups, in short where they are all contradictions."""
    counts = {
        reason: sum(flaw.reason == reason for flaw in broken)
        for reason in _distinct_reasons(broken)
    }
    if list(counts) == [CONTRADICTORY]:
        return f"{'asks' if groups == 1 else 'ask'} the same with different answers"
    listing = ", ".join(f"{reason}: {n:,}" for reason, n in counts.items())
    return f"{'is not as it' if groups == 1 else 'are not as they'} should be ({listing})"


def _broken_rows(broken: tuple[BrokenGroup, ...]) -> tuple[tuple[Cell, ...], ...]:
    return tuple((flaw.group.name, " ".join(flaw.ids), flaw.reason) for flaw in broken)


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
