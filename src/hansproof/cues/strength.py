"""The joint strength of cues: do they reveal more about the answers than expected by chance?

S = sum over cues of a (p - c)^2 / (c (1 - c)), with applicability a, productivity p and chance c;
for two choices that is the sum of a (2p - 1)^2. A benchmark may have no significant cue and
still many weak ones. For the null distribution see `permutation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._infra.compilation import compile_function
from ..types import Items
from .counts import ChoiceLayout, CueCounts, answer_array
from .incidence import CueSet, build_incidence, sort_rows_by
from .permutation import rotate_answers

LANES = 64  # randomisations computed together, so that a row of answers is read once

UNCHANGED, MIRRORED, REMOVED = 0, 1, 2  # states of an item

States = NDArray[np.int8]  # by item
LaneAnswers = NDArray[np.uint16]  # answers by item and lane
StrengthTerms = tuple[NDArray[np.float64], NDArray[np.float64]]  # sum and largest, by lane


@dataclass(frozen=True, slots=True)
class CueStrength:
    """The statistic, its null distribution, and the share of the null that reaches it."""

    value: float
    null_mean: float
    null_low: float
    null_high: float
    p: float
    p_strongest: float = 1.0  # of the strongest single cue, by the same null
    p_floor: float | None = None  # the smallest p that the randomisations can show

    def ratio_to_null(self) -> float:
        """Return the strength as a multiple of its mean under the null."""
        return self.value / self.null_mean if self.null_mean > 0 else 1.0

    def is_above_band(self) -> bool:
        """Return whether the strength is above the central 95% of the null."""
        return self.value > self.null_high


def aggregate_strength(
    items: Items,
    groups: Sequence[str],
    counts: CueCounts,
    layout: ChoiceLayout,
    randomisations: int,
    seed: int,
) -> CueStrength:
    """Compute the joint strength of the cues of one order and its null distribution."""
    return aggregate_strengths(items, groups, [counts], layout, randomisations, seed)[0]


def aggregate_strengths(
    items: Items,
    groups: Sequence[str],
    counts: Sequence[CueCounts],
    layout: ChoiceLayout,
    randomisations: int,
    seed: int,
) -> list[CueStrength]:
    """Compute the joint strength of each order; answers under the null are drawn once for all."""
    orders = [
        CueRows.from_cues(items, collect_ngrams(order_counts, layout), layout)
        for order_counts in counts
    ]
    states = np.full(len(items), UNCHANGED, np.int8)
    null_terms = [
        [rows.sum_terms(states, lane_answers) for rows in orders]
        for lane_answers in iter_null_answers(items, groups, randomisations, seed)
    ]
    return [
        rows.compare_with_null(states, terms, randomisations)
        for rows, terms in zip(orders, zip(*null_terms, strict=True), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class CueRows:
    """Occurrences of cues, sorted by cue: the item, and which of its choices."""

    item: NDArray[np.int64]
    choice: NDArray[np.uint16]
    start: NDArray[np.int64]
    singletons: NDArray[np.int64]  # by item: cues that occur nowhere else, if omitted from the rows
    answers: NDArray[np.int64]
    chance: NDArray[np.float64]  # 1 / number of choices, by item

    @classmethod
    def from_cues(cls, items: Items, cues: CueSet, layout: ChoiceLayout) -> CueRows:
        """Sort the rows of some cues."""
        incidence = cues.incidence
        by_cue, start = sort_rows_by(incidence.cue, incidence.cues)
        choice = incidence.choice[by_cue].astype(np.uint16)
        return cls(
            incidence.item[by_cue], choice, start, cues.n_rare, answer_array(items), layout.chance
        )

    def compute_strength(
        self, states: States, null_answers: Iterable[LaneAnswers], randomisations: int
    ) -> CueStrength:
        """Compute the statistic of the real answers and of those under the null.

        A mirrored item counts once with every answer: it reveals nothing, and makes its cues more
        frequent.
        """
        null_terms = [self.sum_terms(states, lane_answers) for lane_answers in null_answers]
        return self.compare_with_null(states, null_terms, randomisations)

    def compare_with_null(
        self, states: States, null_terms: Sequence[StrengthTerms], randomisations: int
    ) -> CueStrength:
        """Compute the statistic of the real answers, given the terms of those under the null."""
        n_singletons = int(self.singletons[states == UNCHANGED].sum())
        if self.start.size == 1:
            return CueStrength(n_singletons, n_singletons, n_singletons, n_singletons, 1.0)
        real = np.repeat(self.answers.astype(np.uint16)[:, None], LANES, axis=1)
        total, largest = self.sum_terms(states, real)
        value, real_largest = n_singletons + float(total[0]), float(largest[0])
        null_totals, null_largest = zip(*null_terms, strict=True)
        values = n_singletons + np.concatenate(null_totals)[:randomisations]
        low, high = np.quantile(values, [0.025, 0.975])
        # sums of the same terms in the same order are equal to the last bit, so >= is safe
        p = (1 + int((values >= value).sum())) / (randomisations + 1)
        n_reached = int((np.concatenate(null_largest)[:randomisations] >= real_largest).sum())
        p_strongest = (1 + n_reached) / (randomisations + 1)
        null_edges = float(values.mean()), float(low), float(high)
        return CueStrength(value, *null_edges, p, p_strongest, 1 / (randomisations + 1))

    def sum_terms(self, states: States, lane_answers: LaneAnswers) -> StrengthTerms:
        """Return the sum of the terms of all cues, and the largest term, for each lane."""
        total, largest = np.zeros(LANES), np.zeros(LANES)
        hits = np.zeros(LANES, np.int32)
        rows = (self.item, self.choice, self.start, lane_answers, self.chance, states)
        _add_terms(*rows, hits, total, largest)
        return total, largest


def collect_ngrams(counts: CueCounts, layout: ChoiceLayout) -> CueSet:
    """Collect the n-grams of one order that occur in enough items."""
    min_items = min_applicability(layout)
    is_rare = counts.applicability < min_items
    frequent = np.flatnonzero(~is_rare)
    rare_texts = counts.text[is_rare[counts.ngram]]
    return CueSet(
        build_incidence([counts], layout, min_items),
        lambda cue: counts.cue_text(int(frequent[cue])),
        np.bincount(layout.item[rare_texts], minlength=layout.chance.size),
    )


def min_applicability(layout: ChoiceLayout) -> int:
    """Return the number of items that a cue must apply to.

    With two choices, a cue that applies once adds 1 to the strength, whatever the answer is.
    """
    return 2 if layout.chance.min() == layout.chance.max() == 0.5 else 1


def iter_null_answers(
    items: Items, groups: Sequence[str], randomisations: int, seed: int
) -> Iterator[LaneAnswers]:
    """Yield answers under the null, LANES randomisations at a time."""
    lane_answers = np.empty((len(items), LANES), np.uint16)
    n_total = -(-randomisations // LANES) * LANES
    for r, rotated in enumerate(rotate_answers(items, groups, n_total, seed)):
        lane_answers[:, r % LANES] = rotated
        if (r + 1) % LANES == 0:
            yield lane_answers.copy()


@compile_function()
def _add_terms(item, choice, start, answers, chance, states, hits, total, largest):  # type: ignore[no-untyped-def]
    """Write the sum of the terms of all cues, and the largest term, for each lane."""
    for cue in range(start.size - 1):
        for lane in range(LANES):
            hits[lane] = 0
        n, expected = 0.0, 0.0  # items with the cue; expected hits of those unchanged
        sure = 0.0
        for row in range(start[cue], start[cue + 1]):
            index = item[row]
            if states[index] == REMOVED:
                continue
            if states[index] == MIRRORED:  # one hit among as many copies as choices
                n += 1 / chance[index]
                sure += 1
                continue
            n += 1
            expected += chance[index]
            lane_answers, cue_choice = answers[index], choice[row]
            for lane in range(LANES):
                hits[lane] += lane_answers[lane] == cue_choice
        if expected == 0:
            continue
        c = (expected + sure) / n
        for lane in range(LANES):
            term = (hits[lane] - expected) ** 2 / (n * c * (1 - c))
            total[lane] += term
            largest[lane] = max(largest[lane], term)
