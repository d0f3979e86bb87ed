"""Tests of cues against chance: exact binomial, corrected over all that could be significant."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..stats import benjamini_hochberg, binomial_p, min_attainable_p, wilson_interval
from ..types import Cell, Items
from .counts import ChoiceLayout, CueCounts

COLUMNS = (
    "split", "order", "cue", "applicability", "hits", "productivity", "low", "high",
    "coverage", "chance", "p", "q", "flag",
)  # fmt: skip
TELLING, ELIMINATING = "telling", "eliminating"  # flags: points to the answer, or away from it
MAX_ROWS = 1000  # of a result by coverage, besides the significant ones

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CueTests:
    """The cues of all orders, with their tests."""

    counts: list[CueCounts]
    layout: ChoiceLayout
    start: Indices  # where each order's cues begin
    applicability: Indices
    hits: Indices
    chance: NDArray[np.float64]
    testable: NDArray[np.bool_]
    q: NDArray[np.float64]  # nan if no outcome could be significant
    telling: NDArray[np.bool_]
    eliminating: NDArray[np.bool_]

    @classmethod
    def from_counts(cls, counts: list[CueCounts], layout: ChoiceLayout, level: float) -> CueTests:
        """Test the cues of every order; `q` is the uncorrected p until `correct_tests`."""
        n = np.concatenate([c.applicability for c in counts]).astype(np.int64)
        hits = np.concatenate([c.hits for c in counts]).astype(np.int64)
        chance = np.concatenate([_cue_chance(c, layout) for c in counts])
        # a cheap bound: no smaller n can be significant at any of these chance levels
        min_items = math.floor(math.log(level) / math.log(float(layout.chance.min())))
        testable = n >= max(min_items, 1)
        testable[testable] = min_attainable_p(n[testable], chance[testable]) <= level
        p = np.full(hits.size, np.nan)
        p[testable] = binomial_p(hits[testable], n[testable], chance[testable])
        start = np.cumsum([0, *(c.keys.size for c in counts)])
        no_flags = np.zeros(hits.size, np.bool_)
        return cls(counts, layout, start, n, hits, chance, testable, p, no_flags, no_flags)

    def cue_text(self, i: int | np.int64) -> str:
        """Return the words of cue i."""
        order = self._cue_order(i)
        return self.counts[order - 1].cue_text(int(i - self.start[order - 1]))

    def _cue_order(self, i: int | np.int64) -> int:
        return int(np.searchsorted(self.start, i, "right"))

    def widest_cues(self, max_cues: int) -> Indices:
        """Return the cues of widest coverage; of equal ones, those that occur first."""
        max_cues = min(max_cues, self.applicability.size)
        if max_cues == 0:
            return np.zeros(0, np.int64)
        min_items = max(np.partition(self.applicability, -max_cues)[-max_cues], 1)
        candidates = np.flatnonzero(self.applicability >= min_items)
        first = np.concatenate([c.first_texts() for c in self.counts])[candidates]
        ranking = np.lexsort((candidates, first, -self.applicability[candidates]))
        return candidates[ranking][:max_cues]

    def reported_cues(self) -> Indices:
        """Return the cues for a result: the widest, then all others that are significant."""
        top = self.widest_cues(MAX_ROWS)
        remaining = np.setdiff1d(np.flatnonzero(self.telling | self.eliminating), top)
        ranking = np.argsort(-self.applicability[remaining], kind="stable")
        return np.concatenate([top, remaining[ranking]])

    def table_rows(self, split: str, cues: Indices) -> tuple[tuple[Cell, ...], ...]:
        """Return the table rows (see COLUMNS) of cues."""
        n, hits, chance = self.applicability[cues], self.hits[cues], self.chance[cues]
        low, high = wilson_interval(hits, n)
        p = binomial_p(hits, n, chance)
        flag = np.where(self.telling[cues], TELLING, "")
        flag = np.where(self.eliminating[cues], ELIMINATING, flag)
        q = [float(value) if ok else None
             for value, ok in zip(self.q[cues], self.testable[cues], strict=True)]  # fmt: skip
        return tuple(zip(
            [split] * cues.size, [self._cue_order(i) for i in cues], map(self.cue_text, cues),
            n.tolist(), hits.tolist(), (hits / n).tolist(), low.tolist(), high.tolist(),
            (n / self.layout.chance.size).tolist(), chance.tolist(), p.tolist(), q, flag.tolist(),
            strict=True,
        ))  # fmt: skip

    def collect_evidence(self, split: str, items: Items) -> dict[str, tuple[str, ...]]:
        """Return the ids of items whose answer, or a wrong choice, each flagged cue reveals."""
        ids: dict[int, list[str]] = {}
        for order, order_counts in enumerate(self.counts):
            part = slice(self.start[order], self.start[order + 1])
            telling = self.telling[part][order_counts.ngram]
            eliminating = self.eliminating[part][order_counts.ngram]
            is_answer = self.layout.is_answer[order_counts.text] == 1
            gives_away = np.where(is_answer, telling, eliminating)
            for row in np.flatnonzero(gives_away):
                cue = int(self.start[order]) + int(order_counts.ngram[row])
                ids.setdefault(cue, []).append(items[self.layout.item[order_counts.text[row]]].id)
        return {evidence_key(split, self.cue_text(cue)): tuple(ids[cue]) for cue in ids}


def evidence_key(split: str, cue: str) -> str:
    """Name the items of a split that a cue gives away."""
    return f"{split}: {cue}"


def correct_tests(parts: list[CueTests], level: float) -> list[CueTests]:
    """Add q and flags, by Benjamini-Hochberg over all cues of all orders and all parts."""
    q = benjamini_hochberg(np.concatenate([part.q[part.testable] for part in parts]))
    tests, begin = [], 0
    for part in parts:
        part_q = part.q.copy()
        end = begin + int(part.testable.sum())
        part_q[part.testable], begin = q[begin:end], end
        is_significant = part_q <= level
        is_above_chance = part.hits > part.applicability * part.chance
        tests.append(
            replace(
                part,
                q=part_q,
                telling=is_significant & is_above_chance,
                eliminating=is_significant & ~is_above_chance,
            )
        )
    return tests


def min_testable_items(layout: ChoiceLayout, level: float) -> int:
    """Return the smallest applicability at which a cue of this split could be significant."""
    n, chances = 1, np.unique(layout.chance)
    while min_attainable_p(np.full(chances.size, n), chances).min() > level:
        n += 1
    return n


def min_perfect_items(layout: ChoiceLayout, level: float) -> int:
    """Return the items that a cue must apply to so that being always right is significant."""
    n, chances = 1, np.unique(layout.chance)
    while binomial_p(np.full(chances.size, n), np.full(chances.size, n), chances).min() > level:
        n += 1
    return n


def _cue_chance(counts: CueCounts, layout: ChoiceLayout) -> NDArray[np.float64]:
    """Return the mean of 1/m over the items that each cue applies to."""
    if layout.chance.min() == layout.chance.max():
        return np.full(counts.keys.size, layout.chance[0])
    sums = np.bincount(counts.ngram, layout.chance[layout.item[counts.text]], counts.keys.size)
    return sums / np.maximum(counts.applicability, 1)
