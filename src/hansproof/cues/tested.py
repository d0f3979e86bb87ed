"""Which cues are beyond chance: exact binomial tests, corrected over all that could ever be."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..stats import benjamini_hochberg, binomial_p, least_p, wilson
from ..types import Cell, Items
from .counts import Counts, Layout

COLUMNS = (
    "split", "order", "cue", "applicability", "hits", "productivity", "low", "high",
    "coverage", "chance", "p", "q", "flag",
)  # fmt: skip
TOP = 1000  # rows by coverage that a result holds, beside the significant ones

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tested:
    """The cues of all orders side by side, with their tests."""

    counts: list[Counts]
    where: Layout
    start: Indices  # where each order's cues begin
    applicability: Indices
    hits: Indices
    chance: NDArray[np.float64]
    testable: NDArray[np.bool_]
    q: NDArray[np.float64]  # nan where no outcome could be significant
    telling: NDArray[np.bool_]
    eliminating: NDArray[np.bool_]

    @classmethod
    def of(cls, counts: list[Counts], where: Layout, level: float) -> Tested:
        """Test the cues of every order; `q` is still the p itself (see `corrected`)."""
        n = np.concatenate([c.applicability for c in counts]).astype(np.int64)
        hits = np.concatenate([c.hits for c in counts]).astype(np.int64)
        chance = np.concatenate([_chance(c, where) for c in counts])
        # no n below this can be significant at any of the chances here: spares the exact look
        fewest = math.floor(math.log(level) / math.log(float(where.chance.min())))
        testable = n >= max(fewest, 1)
        testable[testable] = least_p(n[testable], chance[testable]) <= level
        p = np.full(hits.size, np.nan)
        p[testable] = binomial_p(hits[testable], n[testable], chance[testable])
        start = np.cumsum([0, *(c.keys.size for c in counts)])
        none = np.zeros(hits.size, np.bool_)
        return cls(counts, where, start, n, hits, chance, testable, p, none, none)

    def name(self, i: int | np.int64) -> str:
        """Cue i in words."""
        order = self._order(i)
        return self.counts[order - 1].name(int(i - self.start[order - 1]))

    def _order(self, i: int | np.int64) -> int:
        return int(np.searchsorted(self.start, i, "right"))

    def ranked(self, most: int) -> Indices:
        """The cues of widest coverage; of equal ones, the one that applies first."""
        most = min(most, self.applicability.size)
        if most == 0:
            return np.zeros(0, np.int64)
        least = max(np.partition(self.applicability, -most)[-most], 1)
        kept = np.flatnonzero(self.applicability >= least)
        first = np.concatenate([c.first() for c in self.counts])[kept]
        return kept[np.lexsort((kept, first, -self.applicability[kept]))][:most]

    def shown(self) -> Indices:
        """The cues a result holds: the top by coverage, then all others that are significant."""
        top = self.ranked(TOP)
        rest = np.setdiff1d(np.flatnonzero(self.telling | self.eliminating), top)
        return np.concatenate([top, rest[np.argsort(-self.applicability[rest], kind="stable")]])

    def rows(self, split: str, which: Indices) -> tuple[tuple[Cell, ...], ...]:
        """Table rows (see COLUMNS) of these cues."""
        n, hits, chance = self.applicability[which], self.hits[which], self.chance[which]
        low, high = wilson(hits, n)
        p = binomial_p(hits, n, chance)
        flag = np.where(self.telling[which], "telling", "")
        flag = np.where(self.eliminating[which], "eliminating", flag)
        q = [float(value) if ok else None
             for value, ok in zip(self.q[which], self.testable[which], strict=True)]  # fmt: skip
        return tuple(zip(
            [split] * which.size, [self._order(i) for i in which], map(self.name, which),
            n.tolist(), hits.tolist(), (hits / n).tolist(), low.tolist(), high.tolist(),
            (n / self.where.chance.size).tolist(), chance.tolist(), p.tolist(), q, flag.tolist(),
            strict=True,
        ))  # fmt: skip

    def evidence(self, split: str, items: Items) -> dict[str, tuple[str, ...]]:
        """For every flagged cue the ids of the items it gives away, or a wrong choice of them."""
        ids: dict[int, list[str]] = {}
        for order, one in enumerate(self.counts):
            part = slice(self.start[order], self.start[order + 1])
            telling, eliminating = self.telling[part][one.ngram], self.eliminating[part][one.ngram]
            given = np.where(self.where.right[one.text] == 1, telling, eliminating)
            for row in np.flatnonzero(given):
                cue = int(self.start[order]) + int(one.ngram[row])
                ids.setdefault(cue, []).append(items[self.where.item[one.text[row]]].id)
        return {f"{split}: {self.name(cue)}": tuple(found) for cue, found in ids.items()}


def corrected(parts: list[Tested], level: float) -> list[Tested]:
    """The same with q and flags: Benjamini-Hochberg over all cues of all orders and all parts."""
    q = benjamini_hochberg(np.concatenate([part.q[part.testable] for part in parts]))
    found, begin = [], 0
    for part in parts:
        own = part.q.copy()
        end = begin + int(part.testable.sum())
        own[part.testable], begin = q[begin:end], end
        flagged = own <= level
        above = part.hits > part.applicability * part.chance
        found.append(replace(part, q=own, telling=flagged & above, eliminating=flagged & ~above))
    return found


def least_applicability(where: Layout, level: float) -> int:
    """The smallest number of items at which some cue of this split could be significant at all."""
    n, chances = 1, np.unique(where.chance)
    while least_p(np.full(chances.size, n), chances).min() > level:
        n += 1
    return n


def _chance(counts: Counts, where: Layout) -> NDArray[np.float64]:
    """Mean of 1/m over the items each cue applies to."""
    if where.chance.min() == where.chance.max():
        return np.full(counts.keys.size, where.chance[0])
    sums = np.bincount(counts.ngram, where.chance[where.item[counts.text]], counts.keys.size)
    return sums / np.maximum(counts.applicability, 1)
