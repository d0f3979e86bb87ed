"""Roles of benchmarks: each is a target, those with a training split are sources too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import BadInput
from ...scoring import chance_credits
from ...stats import Floats
from ...types import Benchmark, Items
from .._splits import evaluation_splits


@dataclass(frozen=True, slots=True, eq=False)
class Participant:
    """A benchmark with its test split, and its training split if it has one."""

    benchmark: Benchmark
    split: str
    train_split: str | None

    @property
    def name(self) -> str:
        """The name of the benchmark."""
        return self.benchmark.name

    @property
    def items(self) -> Items:
        """The items to test on."""
        return self.benchmark.splits[self.split]

    @property
    def train_items(self) -> Items:
        """The items to train on; empty if there is no training split."""
        return self.benchmark.splits[self.train_split] if self.train_split is not None else ()

    @property
    def groups(self) -> list[str | None]:
        """The groups of the tested items."""
        return [item.group for item in self.items]

    @property
    def chance_credits(self) -> Floats:
        """The expected credit of guessing on each item."""
        return chance_credits(self.items)


def build_participants(
    benchmark: Benchmark, other_benchmarks: Sequence[Benchmark]
) -> tuple[Participant, ...]:
    """Return all benchmarks in order; raise BadInput if none has a training split."""
    if not other_benchmarks:
        raise BadInput("--others", "this probe needs at least one other benchmark")
    benchmarks = (benchmark, *other_benchmarks)
    names = [candidate.name for candidate in benchmarks]
    for name in names:
        if names.count(name) > 1:
            message = f"{name} is given twice; name every benchmark once"
            raise BadInput("--others", message)
    participants = tuple(_build_participant(candidate) for candidate in benchmarks)
    if not training_sources(participants):
        message = f"none of {', '.join(names)} has a training and a test split"
        raise BadInput("--others", f"{message}; add a benchmark that has both")
    return participants


def training_sources(participants: Sequence[Participant]) -> list[Participant]:
    """Return the benchmarks that can be trained on."""
    return [participant for participant in participants if participant.train_split is not None]


def _build_participant(benchmark: Benchmark) -> Participant:
    """Choose the splits of a benchmark: the test split is not the training split, if possible."""
    parts, train = evaluation_splits(benchmark, None), benchmark.roles.get("train")
    other_splits = [split for split in parts if split != train]
    train_split = train if other_splits and train in benchmark.labelled_splits() else None
    return Participant(benchmark, (other_splits or [*parts])[0], train_split)
