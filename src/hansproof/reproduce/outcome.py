"""What became of a printed figure, and of all of a paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from .figures import Figure, Paper
from .ours import Finding, Ours


class Status(StrEnum):
    """What can be said of a figure."""

    EXACT = "exact"
    PREDICTIONS = "from published predictions"
    DIFFERS = "differs"
    RERUN = "re-run"
    CANNOT = "cannot be had"
    CONTRADICTS = "contradicts its own definition"


REACHED = (Status.EXACT, Status.PREDICTIONS)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One figure: what is printed, what is ours, what a run of another model gave."""

    figure: Figure
    status: Status
    ours: Ours | None = None
    rerun: Ours | None = None
    why: str = ""  # it cannot be had, or what contradicts it

    def said(self) -> str:
        """The status in words; of one that was run again, with what."""
        again = self.status == Status.RERUN and self.rerun and self.rerun.by
        return f"{self.status} with {again}" if again else self.status.value


@dataclass(frozen=True, slots=True)
class Counts:
    """How many figures; reachable are those that data and released predictions give one for."""

    reached: int
    reachable: int
    total: int
    by_status: dict[str, int]


def counts(outcomes: Iterable[Outcome]) -> Counts:
    """Of some figures."""
    every = Counter(one.status for one in outcomes)
    reached = sum(every[status] for status in REACHED)
    return Counts(
        reached,
        reached + every[Status.DIFFERS],
        every.total(),
        {status.value: every[status] for status in Status if every[status]},
    )


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A paper, figure by figure."""

    paper: Paper
    outcomes: tuple[Outcome, ...]
    findings: tuple[Finding, ...]  # derived
    notes: dict[str, tuple[str, ...]]  # by table: read, not derived
    model: str | None = None  # that filled rows

    def counts(self) -> Counts:
        """Over all tables that were asked for."""
        return counts(self.outcomes)

    def tables(self) -> dict[str, list[Outcome]]:
        """The outcomes by table, in the order of the paper."""
        found: dict[str, list[Outcome]] = {}
        for one in self.outcomes:
            found.setdefault(one.figure.place[0], []).append(one)
        return found
