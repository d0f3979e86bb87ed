"""Do two systems really differ, or only on these items?

Paired, item by item: an exact randomisation test (Noreen 1989) on per-item means over seeds, a
paired bootstrap, McNemar's exact test where both have one run; Holm-corrected. Of more than two
systems, neighbours in the ranking are compared. Misleads where runs were picked for their score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from ..checks import check, check_one
from ..errors import BadInput, UnknownName
from ..stats import between_systems, bootstrap, group_count, holm, mcnemar, mean_interval
from ..types import FULL, Benchmark, Cell, Estimate, Predictions, Result, Table
from ._systems import Counting, System, by_split, systems
from ._words import many
from .surface import slices

RANKING = ("split", "rank", "system", "runs", "accuracy", "low", "high", "chance", "n")
PAIRS = (
    "split", "slice", "a", "b", "accuracy_a", "accuracy_b", "difference", "low", "high", "p", "q",
    "method", "only_a", "only_b", "mcnemar_p", "n", "flag",
)  # fmt: skip
DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class Compare:
    """Two systems, or the neighbours of a ranking, paired item by item."""

    needs: ClassVar[tuple[str, ...]] = ("predictions",)

    a: str | None = None  # name of one system; with --b, only these two, by slice
    b: str | None = None  # name of the other
    seeds: Counting = "mean"  # count an item once, by its mean over runs, or once for each run
    level: float = 0.05  # of the tests, Holm-corrected
    randomisations: int = 100_000  # where no exact p can be had
    seed: int = 0  # of bootstrap and randomisations

    def __post_init__(self) -> None:
        check_one("seeds", self.seeds, get_args(Counting))
        check("level", self.level, 0, 1)
        check("randomisations", self.randomisations, 1)
        check("seed", self.seed, 0)
        if (self.a is None) != (self.b is None):
            raise BadInput("--a" if self.a is None else "--b", "goes with the name of the other")
        if self.a is not None and self.a == self.b:
            raise BadInput("--b", "is the same system as --a")

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Result:
        parts = by_split(systems(benchmark, predictions))
        ranked = {split: sorted(some, key=_mean, reverse=True) for split, some in parts.items()}
        pairs = [pair for some in ranked.values() for pair in self._pairs(some)]
        rows = tuple(
            pair.row(q, self.level) for pair, q in zip(pairs, _corrected(pairs), strict=True)
        )
        whole = [row for pair, row in zip(pairs, rows, strict=True) if not pair.slice]
        return Result(
            probe="compare",
            params=asdict(self),
            verdict="clear" if whole and all(row[-1] for row in whole) else "caution",
            sentence=_sentence(pairs, rows),
            estimates=tuple(pair.estimate() for pair in pairs if not pair.slice),
            tables={
                "ranking": Table(RANKING, tuple(
                    row for split, some in ranked.items() for row in _ranking(split, some)
                )),
                "pairs": Table(PAIRS, rows),
            },
            evidence={
                f"{pair.split}: {pair.a} and {pair.b} differ": ids
                for pair in pairs
                if not pair.slice and (ids := pair.apart)
            },
            notes=tuple(self._notes(ranked)),
        )  # fmt: skip

    def _pairs(self, ranked: list[System]) -> Iterator[Pair]:
        if self.a is not None and self.b is not None:
            named = {system.name: system for system in ranked}
            chosen = [(_named(named, self.a), _named(named, self.b))]
        else:
            chosen = list(pairwise(ranked))
        for one, other in chosen:
            yield self._pair(one, other, "", np.arange(len(one.items)))
            if len(chosen) > 1:
                continue
            place = {item.id: at for at, item in enumerate(one.items)}
            for name, items in slices(one.items):
                if name:
                    yield self._pair(one, other, name, np.array([place[i.id] for i in items]))

    def _pair(self, one: System, other: System, name: str, at: NDArray[np.int64]) -> Pair:
        a, b = one.credits[:, at], other.credits[:, at]
        groups = [one.items[i].group for i in at]
        x, y = a.mean(axis=0), b.mean(axis=0)
        alone = group_count(groups) == len(groups)  # as McNemar's test takes them
        single = len(a) == len(b) == 1 and {0.0, 1.0} >= {*x, *y} and alone
        only_a, only_b, mcnemar_p = mcnemar(x, y) if single else (None, None, None)
        if self.seeds == "pooled":
            if len(a) != len(b):
                raise BadInput("--seeds", "pooled needs as many runs of the one as of the other")
            x, y, groups = a.ravel(), b.ravel(), groups * len(a)
        tested = between_systems(x, y, groups, rounds=self.randomisations, seed=self.seed)
        low, high = bootstrap(x - y, groups, seed=self.seed, bounds=(-1.0, 1.0))
        return Pair(
            one.split, name, one.name, other.name, float(x.mean()), float(y.mean()),
            tested.difference, low, high, tested.p, tested.method, only_a, only_b, mcnemar_p,
            at.size, tuple(one.items[i].id for i in at[(a.mean(axis=0) != b.mean(axis=0))]),
        )  # fmt: skip

    def _notes(self, ranked: dict[str, list[System]]) -> Iterator[str]:
        for split, some in ranked.items():
            if len(some) < 2:
                yield f"{split}: one system, nothing to compare it with."
        if self.seeds == "pooled":
            yield "Runs are pooled: an item counts once for each, so p and intervals are too small."


def between(
    benchmark: Benchmark,
    runs: tuple[Sequence[Predictions], Sequence[Predictions]],
    called: tuple[str, str],
    seeds: Counting = "mean",
) -> Result:
    """Compare two lots of runs, each taken as one system, on the splits they share."""
    found = [systems(benchmark, some) for some in runs]
    for several, name in zip(found, called, strict=True):
        if any(len(some) > 1 for some in by_split(several).values()):
            names = ", ".join(dict.fromkeys(system.name for system in several))
            raise BadInput(name, f"holds runs of several systems ({names}): name those of one")
    shared = {s.split for s in found[0]} & {s.split for s in found[1]}
    if not shared:
        raise BadInput(called[1], f"is about other splits than {called[0]}")
    one, other = (several[0].name for several in found)
    if one == other:
        one, other = called
    renamed = [
        replace(run, model=name, view=FULL, trained_on=None, protocol="given", params={})
        for some, name in zip(runs, (one, other), strict=True)
        for run in some
        if run.split in shared
    ]
    return Compare(a=one, b=other, seeds=seeds)(benchmark, renamed)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two systems on the same items."""

    split: str
    slice: str
    a: str
    b: str
    accuracy_a: float
    accuracy_b: float
    difference: float
    low: float
    high: float
    p: float
    method: str
    only_a: int | None  # items that only a gets right, where both have one run
    only_b: int | None
    mcnemar_p: float | None
    n: int
    apart: tuple[str, ...]  # items they differ on

    def row(self, q: float, level: float) -> tuple[Cell, ...]:
        """The row of the table."""
        return (
            self.split, self.slice, self.a, self.b, self.accuracy_a, self.accuracy_b,
            self.difference, self.low, self.high, self.p, q, self.method, self.only_a, self.only_b,
            self.mcnemar_p, self.n, DIFFERS if q <= level else "",
        )  # fmt: skip

    def estimate(self) -> Estimate:
        """The difference with its company."""
        name = f"{self.split}: {self.a} minus {self.b}"
        return Estimate(name, self.difference, self.low, self.high, self.n, 0.0)


def _corrected(pairs: list[Pair]) -> list[float]:
    """Holm's q over whole comparisons; slices are a family of their own that takes no power."""
    q = np.ones(len(pairs))
    for sliced in (False, True):
        at = [i for i, pair in enumerate(pairs) if bool(pair.slice) == sliced]
        q[at] = holm([pairs[i].p for i in at])
    return q.tolist()


def _mean(system: System) -> float:
    return float(system.scores.mean())


def _named(known: dict[str, System], name: str) -> System:
    if name not in known:
        raise UnknownName("system", name, known)
    return known[name]


def _ranking(split: str, ranked: list[System]) -> list[tuple[Cell, ...]]:
    means = [_mean(system) for system in ranked]
    return [
        (
            split, 1 + sum(mean > own for mean in means), system.name, len(system.runs), own,
            *mean_interval(system.scores, system.groups), system.chance, len(system.items),
        )
        for system, own in zip(ranked, means, strict=True)
    ]  # fmt: skip


def _sentence(pairs: list[Pair], rows: tuple[tuple[Cell, ...], ...]) -> str:
    whole = [(pair, bool(row[-1])) for pair, row in zip(pairs, rows, strict=True) if not pair.slice]
    if not whole:
        return "There is one system only, nothing to compare it with."
    if len(whole) > 1:
        apart = sum(differs for _, differs in whole)
        return f"{apart} of {len(whole)} neighbours in the ranking differ beyond chance."
    (pair, differs), more = whole[0], sum(bool(row[-1]) for row in rows) - whole[0][1]
    slices = f"; {more} of {many(len(rows) - 1, 'slice')} differ too" if differs and more else ""
    said = (
        f"{pair.a} ({pair.accuracy_a:.1%}) and {pair.b} ({pair.accuracy_b:.1%}) "
        f"{'differ' if differs else 'cannot be told apart'} on {pair.n} items of {pair.split}"
    )
    return f"{said}{slices}."
