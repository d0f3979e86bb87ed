"""What each benchmark is here: every one is a target, those that can be learnt from are sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import BadInput
from ...stats import Floats
from ...types import Benchmark, Items
from .._splits import tested


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """A benchmark with the split it is tested on, and the one to train on, if there is one."""

    benchmark: Benchmark
    split: str
    train: str | None

    @property
    def name(self) -> str:
        """Of the benchmark."""
        return self.benchmark.name

    @property
    def items(self) -> Items:
        """Those that are tested."""
        return self.benchmark.splits[self.split]

    @property
    def learnt(self) -> Items:
        """Those that are trained on; none where nothing is."""
        return self.benchmark.splits[self.train] if self.train is not None else ()

    @property
    def groups(self) -> list[str | None]:
        """Which items belong together."""
        return [item.group for item in self.items]

    @property
    def guess(self) -> Floats:
        """What guessing earns on each item: of the choices that it has."""
        return np.array([1 / len(item.choices) for item in self.items])


def sides(benchmark: Benchmark, others: Sequence[Benchmark]) -> tuple[Side, ...]:
    """All benchmarks in the order in which they were given; at least one can be learnt from."""
    if not others:
        raise BadInput("--others", "this probe needs other benchmarks: name one or more")
    every = (benchmark, *others)
    names = [one.name for one in every]
    for name in names:
        if names.count(name) > 1:
            what = f"{name} is there twice: of each benchmark there is one row and one column"
            raise BadInput("--others", what)
    found = tuple(_side(one) for one in every)
    if not sources(found):
        what = f"none of {', '.join(names)} has a split to train on and another to test on"
        raise BadInput("--others", f"{what}: name one that has")
    return found


def sources(every: Sequence[Side]) -> list[Side]:
    """Those that can be learnt from."""
    return [side for side in every if side.train is not None]


def _side(benchmark: Benchmark) -> Side:
    """Tested on a split that is not trained on, where there is one."""
    parts, train = tested(benchmark, None), benchmark.roles.get("train")
    apart = [split for split in parts if split != train]
    learnt = train if apart and train in benchmark.labelled() else None
    return Side(benchmark, (apart or [*parts])[0], learnt)
