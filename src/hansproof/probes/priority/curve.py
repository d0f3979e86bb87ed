"""What is left when so many items are mirrored: of strength, of single cues, for blind models."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray

from ...cues.first import Mirroring
from ...cues.flagged import Flags
from ...cues.strength import MIRRORED
from ...models.bow import Bow
from ...progress import track
from ...types import Cell, Estimate, Item, Items, View
from ..partial_input.outcome import BLIND, Outcome
from ..partial_input.parts import Part
from ..partial_input.trained import Trained

CURVE = (
    "order", "way", "mirrored", "mark", "strength", "null_mean", "null_low", "null_high", "ratio",
    "ratio_low", "ratio_high", "band_low", "band_high",
)  # fmt: skip
LEFT = (
    "way", "mirrored", "mark", "significant", "strongest", "applicability", "productivity", "p",
    "accuracy", "low", "high", "chance", "n",
)  # fmt: skip
SHARES = (0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)  # of the groups
FOLDS = 5  # of the blind model's cross-validation
MANY = 5000  # items: then one cut into folds will do, and one random order
CUTS, BLINDFOLDED = 3, 5  # otherwise: cuts, and random orders that the blind model is tried on

Ints = NDArray[np.int64]
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """How many items bring all strengths inside their bands, or leave no cue significant."""

    until: str  # null or significant
    way: str  # priority or random
    items: float  # the median over orders
    low: int
    high: int
    orders: int

    def row(self) -> Row:
        return self.until, self.way, self.items, self.low, self.high, self.orders


@dataclass(frozen=True, slots=True)
class Point:
    """What is left of single cues, and for a blind model, when so many items are mirrored."""

    way: str
    mirrored: int
    mark: str
    significant: float
    strongest: Row  # the cue, its applicability, productivity and p
    accuracy: float
    low: float
    high: float
    chance: float
    n: int

    @property
    def told(self) -> bool:
        """Whether it is an estimate of the result: at the start, and at a mark."""
        return self.way == "priority" and (self.mirrored == 0 or self.mark != "")

    def row(self) -> Row:
        """The row of the table (see LEFT)."""
        return (
            self.way, self.mirrored, self.mark, self.significant, *self.strongest,
            self.accuracy, self.low, self.high, self.chance, self.n,
        )  # fmt: skip

    def estimate(self) -> Estimate:
        """The accuracy with its company."""
        name = f"blind accuracy, {self.mirrored} items mirrored"
        return Estimate(name, self.accuracy, self.low, self.high, self.n, self.chance)


class Curve:
    """Groups mirrored one after the other, in the order given and in random ones."""

    def __init__(self, mirroring: Mirroring, seed: int, shuffles: int) -> None:
        self.band, self.flagged, self.order = mirroring.band, mirroring.cues, mirroring.order
        self.seed = seed
        rng = np.random.default_rng(seed)
        self.shuffled = [rng.permutation(self.order) for _ in range(shuffles)]

    def marks(self) -> list[Mark]:
        """For both ends to aim at, by priority and at random."""
        ends: dict[str, Callable[[Ints], int]] = {
            "null": lambda order: self.band.enough(order, MIRRORED),
            "significant": self._until_none,
        }
        found = []
        for until, enough in ends.items():
            many = self._items(self.order, enough(self.order))
            found.append(Mark(until, "priority", many, many, many, 1))
            all_many = [self._items(order, enough(order)) for order in self.shuffled]
            low, high = min(all_many), max(all_many)
            found.append(Mark(until, "random", median(all_many), low, high, len(all_many)))
        return found

    def strengths(self, marks: Iterable[Mark]) -> tuple[Row, ...]:
        """Rows of the curve, order of n-grams by order of n-grams."""
        rows: list[Row] = []
        points = self._points(marks)
        for mirrored, mark in track(points.items(), len(points), "strength left"):
            mine = self.band.strengths(self._states(self.order, mirrored))
            others = [self.band.strengths(self._states(o, mirrored)) for o in self.shuffled]
            for at, s in enumerate(mine):
                edges = [edge / s.null_mean if s.null_mean else 1.0
                         for edge in (s.null_low, s.null_high)]  # fmt: skip
                numbers = (s.value, s.null_mean, s.null_low, s.null_high, *[s.ratio()] * 3)
                rows.append((at + 1, "priority", mirrored, mark, *numbers, *edges))
                ratios = [one[at].ratio() for one in others]
                spread = (fmean(ratios), min(ratios), max(ratios))
                rows.append((at + 1, "random", mirrored, "", *[None] * 4, *spread, *edges))
        return tuple(sorted(rows, key=lambda row: (row[0], row[1], row[2])))

    def left(self, marks: Iterable[Mark]) -> list[Point]:
        """What else is left; points at a mark say so."""
        rows = []
        points = self._points(marks)
        for mirrored, mark in track(points.items(), len(points), "blind accuracy left"):
            rows.append(self._mine(mirrored, mark))
            rows.append(self._at_random(mirrored))
        return rows

    def _points(self, marks: Iterable[Mark]) -> dict[int, str]:
        """How many mirrored items are looked at, and which mark that is, if any."""
        named: dict[int, list[str]] = {}
        for mark in marks:
            if mark.way == "priority" and mark.items:
                named.setdefault(int(mark.items), []).append(mark.until)
        groups = {round(share * self.order.size) for share in SHARES}
        counts = {*(self._items(self.order, many) for many in groups), *named}
        return {many: " and ".join(named.get(many, [])) for many in sorted(counts)}

    def _mine(self, mirrored: int, mark: str) -> Point:
        flags = self._flags(self.order, mirrored)
        best = flags.strongest()
        cue: Row = (None, None, None, None)
        if best >= 0:
            n, hits = flags.applicability[best], flags.hits[best]
            cue = (self.flagged.names[best], int(n), float(hits / n), float(flags.p[best]))
        blind = self._blind(self.order, mirrored, 1 if len(self.band.items) > MANY else CUTS)
        return Point(
            "priority", mirrored, mark, int(flags.flagged.sum()), cue,
            blind.accuracy, *blind.interval(), blind.chance, len(blind.items),
        )  # fmt: skip

    def _at_random(self, mirrored: int) -> Point:
        """The mean over random orders, from the lowest to the highest."""
        flags = [self._flags(order, mirrored) for order in self.shuffled]
        tried = 1 if len(self.band.items) > MANY else BLINDFOLDED
        blind = [self._blind(order, mirrored, 1) for order in self.shuffled[:tried]]
        each = [outcome.accuracy for outcome in blind]
        significant = fmean(int(one.flagged.sum()) for one in flags)
        chance = fmean(outcome.chance for outcome in blind)
        n = round(fmean(len(outcome.items) for outcome in blind))
        return Point(
            "random", mirrored, "", significant, (None,) * 4,
            fmean(each), min(each), max(each), chance, n,
        )  # fmt: skip

    def _until_none(self, order: Ints) -> int:
        """How many groups, in this order, until no cue is significant."""

        def none(many: int) -> bool:
            return not self.flagged.counted(mirrored=order[:many]).any()

        return bisect_left(range(order.size), True, key=none)

    def _flags(self, order: Ints, mirrored: int) -> Flags:
        return self.flagged.counted(mirrored=self._first(order, mirrored)).flags()

    def _states(self, order: Ints, mirrored: int) -> NDArray[np.int8]:
        return self.band.states(self._first(order, mirrored), MIRRORED)

    def _first(self, order: Ints, mirrored: int) -> Ints:
        """The groups of an order that make up so many items, or the few more of the last one."""
        return order[: np.searchsorted(self._ends(order), mirrored)]

    def _ends(self, order: Ints) -> Ints:
        return np.concatenate(([0], np.cumsum(self.band.shares.size[order])))

    def _items(self, order: Ints, many: int) -> int:
        return int(self._ends(order)[many])

    def _blind(self, order: Ints, mirrored: int, cuts: int) -> Outcome:
        """A bag of words on the choices of all items, those mirrored with their partners."""
        states = self._states(order, mirrored)
        items = tuple(
            copy
            for item, state in zip(self.band.items, states, strict=True)
            for copy in (copies(item) if state == MIRRORED else (item,))
        )
        whole = Part("all", "cv", "all", np.arange(len(items)), np.ones(len(items), np.bool_))
        bag = Trained(Bow(), items, FOLDS, cuts, self.seed, self.flagged.level)
        found, _ = bag.outcomes([whole], [View(("choices",))], 0, BLIND)
        return found[0]


def copies(item: Item) -> Items:
    """An item and its partners, one for each wrong choice; what they ask is still to be written."""
    group = item.group or item.id
    return tuple(
        replace(item, id=f"{item.id}/{answer}", fields={}, answer=answer, group=group)
        for answer in range(len(item.choices))
    )
