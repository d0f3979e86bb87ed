"""What remains after mirroring n items: strength, significant cues or rules, blind accuracy."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray

from ..._infra.progress import track
from ...cues.mirror_order import MirrorOrder
from ...cues.significant_cues import CueFlags
from ...cues.strength import MIRRORED
from ...types import Cell, Estimate
from .blind_models import BlindAccuracy, BlindModel

CURVE_COLUMNS = (
    "order", "way", "mirrored", "mark", "strength", "null_mean", "null_low", "null_high", "ratio",
    "ratio_low", "ratio_high", "band_low", "band_high",
)  # fmt: skip
LEFT_COLUMNS = (
    "way", "mirrored", "mark", "significant", "strongest", "applicability", "productivity", "p",
    "accuracy", "low", "high", "chance", "n",
)  # fmt: skip
PRIORITY, RANDOM = "priority", "random"  # the order of the table, and random orders
NULL, SIGNIFICANT = "null", "significant"  # marks: strengths inside their bands, no cue significant
GROUP_SHARES = (
    0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
)  # of the groups  # fmt: skip

Ints = NDArray[np.int64]
TableRow = tuple[Cell, ...]


def join_marks(marks: Iterable[str]) -> str:
    """Return the cell of the column `mark` for a point with these marks."""
    return " and ".join(marks)


def cells_with_mark(mark: str) -> list[str]:
    """List the cells of the column `mark` that include a mark."""
    return [mark, join_marks((NULL, SIGNIFICANT))]


@dataclass(frozen=True, slots=True)
class Milestone:
    """The number of items to mirror until strengths are in their bands or no cue counts."""

    until: str  # NULL or SIGNIFICANT
    way: str  # PRIORITY or RANDOM
    items: float  # the median over orders
    low: int
    high: int
    orders: int

    def table_row(self) -> TableRow:
        return self.until, self.way, self.items, self.low, self.high, self.orders


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The significant cues and the blind accuracy that remain after mirroring n items."""

    way: str
    mirrored: int
    mark: str
    significant: float
    strongest: TableRow  # the cue, its applicability, productivity and p
    accuracy: float
    low: float
    high: float
    chance: float
    n: int

    @property
    def is_estimate(self) -> bool:
        """Whether the point becomes an estimate of the result: the start and the milestones do."""
        return self.way == PRIORITY and (self.mirrored == 0 or self.mark != "")

    def table_row(self) -> TableRow:
        """Return the row of the table (see LEFT_COLUMNS)."""
        return (
            self.way, self.mirrored, self.mark, self.significant, *self.strongest,
            self.accuracy, self.low, self.high, self.chance, self.n,
        )  # fmt: skip

    def build_estimate(self) -> Estimate:
        """Return the blind accuracy as an estimate."""
        name = f"blind accuracy, {self.mirrored} items mirrored"
        return Estimate(name, self.accuracy, self.low, self.high, self.n, self.chance)


class MirrorCurve:
    """Mirrors groups one after the other, in order of priority and in random orders."""

    def __init__(
        self, mirroring: MirrorOrder, blind_model: BlindModel, seed: int, shuffles: int
    ) -> None:
        self.band, self.flagged, self.order = mirroring.band, mirroring.cues, mirroring.order
        self.blind_model = blind_model
        rng = np.random.default_rng(seed)
        self.shuffled = [rng.permutation(self.order) for _ in range(shuffles)]

    def find_milestones(self) -> list[Milestone]:
        """Find both milestones, in order of priority and in random orders."""
        ends: dict[str, Callable[[Ints], int]] = {
            NULL: lambda order: self.band.groups_needed(order, MIRRORED),
            SIGNIFICANT: self._groups_until_none,
        }
        milestones = []
        for until, enough in ends.items():
            n_items = self._count_items(self.order, enough(self.order))
            milestones.append(Milestone(until, PRIORITY, n_items, n_items, n_items, 1))
            random_n_items = [self._count_items(order, enough(order)) for order in self.shuffled]
            low, high = min(random_n_items), max(random_n_items)
            milestones.append(
                Milestone(until, RANDOM, median(random_n_items), low, high, len(random_n_items))
            )
        return milestones

    def strength_rows(self, marks: Iterable[Milestone]) -> tuple[TableRow, ...]:
        """Return the rows of the curve (see CURVE_COLUMNS), sorted by the order of n-grams."""
        rows: list[TableRow] = []
        points = self._curve_points(marks)
        for mirrored, mark in track(points.items(), len(points), "measuring strength"):
            priority_strengths = self.band.strengths(self._mirror_states(self.order, mirrored))
            random_strengths = [
                self.band.strengths(self._mirror_states(o, mirrored)) for o in self.shuffled
            ]
            for index, s in enumerate(priority_strengths):
                edges = [edge / s.null_mean if s.null_mean else 1.0
                         for edge in (s.null_low, s.null_high)]  # fmt: skip
                numbers = (s.value, s.null_mean, s.null_low, s.null_high, *[s.ratio_to_null()] * 3)
                rows.append((index + 1, PRIORITY, mirrored, mark, *numbers, *edges))
                ratios = [strengths[index].ratio_to_null() for strengths in random_strengths]
                spread = (fmean(ratios), min(ratios), max(ratios))
                rows.append((index + 1, RANDOM, mirrored, "", *[None] * 4, *spread, *edges))
        return tuple(sorted(rows, key=lambda row: (row[0], row[1], row[2])))

    def remaining_points(self, marks: Iterable[Milestone]) -> list[CurvePoint]:
        """Return what remains at each point of the curve; milestones are marked."""
        rows = []
        points = self._curve_points(marks)
        for mirrored, mark in track(points.items(), len(points), "measuring blind accuracy"):
            rows.append(self._priority_point(mirrored, mark))
            rows.append(self._random_point(mirrored))
        return rows

    def _curve_points(self, marks: Iterable[Milestone]) -> dict[int, str]:
        """Return the numbers of mirrored items to evaluate, each with its mark if it has one."""
        milestones: dict[int, list[str]] = {}
        for mark in marks:
            if mark.way == PRIORITY and mark.items:
                milestones.setdefault(int(mark.items), []).append(mark.until)
        groups = {round(share * self.order.size) for share in GROUP_SHARES}
        counts = {*(self._count_items(self.order, n_groups) for n_groups in groups), *milestones}
        return {n_items: join_marks(milestones.get(n_items, [])) for n_items in sorted(counts)}

    def _priority_point(self, mirrored: int, mark: str) -> CurvePoint:
        flags = self._cue_flags(self.order, mirrored)
        best = flags.strongest_cue()
        cue: TableRow = (None, None, None, None)
        if best >= 0:
            n, hits = flags.applicability[best], flags.hits[best]
            cue = (self.flagged.names[best], int(n), float(hits / n), float(flags.p[best]))
        blind = self._measure_blind(self.order, mirrored, self.blind_model.repeats)
        return CurvePoint(
            PRIORITY, mirrored, mark, int(flags.is_significant.sum()), cue,
            blind.accuracy, blind.low, blind.high, blind.chance, blind.n,
        )  # fmt: skip

    def _random_point(self, mirrored: int) -> CurvePoint:
        """Return the mean over random orders; the interval is from the lowest to the highest."""
        flags = [self._cue_flags(order, mirrored) for order in self.shuffled]
        tried = self.shuffled[: self.blind_model.random_orders]
        blind = [self._measure_blind(order, mirrored, 1) for order in tried]
        accuracies = [outcome.accuracy for outcome in blind]
        significant = fmean(int(cue_flags.is_significant.sum()) for cue_flags in flags)
        chance = fmean(outcome.chance for outcome in blind)
        n = round(fmean(outcome.n for outcome in blind))
        return CurvePoint(
            RANDOM, mirrored, "", significant, (None,) * 4,
            fmean(accuracies), min(accuracies), max(accuracies), chance, n,
        )  # fmt: skip

    def _groups_until_none(self, order: Ints) -> int:
        """Count the groups to mirror, in this order, until no cue is significant."""

        def none_left(n_groups: int) -> bool:
            return not self.flagged.make_counter(mirrored=order[:n_groups]).any_significant()

        return bisect_left(range(order.size), True, key=none_left)

    def _cue_flags(self, order: Ints, mirrored: int) -> CueFlags:
        return self.flagged.make_counter(
            mirrored=self._first_groups(order, mirrored)
        ).compute_flags()

    def _measure_blind(self, order: Ints, mirrored: int, repeats: int) -> BlindAccuracy:
        return self.blind_model.measure(self._mirror_states(order, mirrored), repeats)

    def _mirror_states(self, order: Ints, mirrored: int) -> NDArray[np.int8]:
        return self.band.make_states(self._first_groups(order, mirrored), MIRRORED)

    def _first_groups(self, order: Ints, mirrored: int) -> Ints:
        """Return the first groups of an order that together have at least `mirrored` items."""
        return order[: np.searchsorted(self._item_ends(order), mirrored)]

    def _item_ends(self, order: Ints) -> Ints:
        return np.concatenate(([0], np.cumsum(self.band.shares.size[order])))

    def _count_items(self, order: Ints, n_groups: int) -> int:
        return int(self._item_ends(order)[n_groups])
