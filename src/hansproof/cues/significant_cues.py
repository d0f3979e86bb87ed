"""Cues that are significant after correction while items are mirrored or removed.

The tests are those of `significance`, over the same parts of a benchmark, corrected together;
counts are updated instead of counted again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..scoring import chance_credits
from ..stats import benjamini_hochberg, binomial_p, min_attainable_p
from ..text.tokenizers import Tokenizer
from ..types import Items
from .counts import build_layout, count_cues
from .incidence import CueSet

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64] | Floats
Groups = Ints | tuple[()]


@dataclass(frozen=True, slots=True)
class CueFlags:
    """The tests of all cues for the current items."""

    applicability: Floats
    hits: Floats
    p: Floats  # 1 if no outcome could be significant
    n_tested: int
    is_significant: Mask
    is_above_chance: Mask  # right more often than by chance

    def strongest_cue(self) -> int:
        """Return the cue with the smallest p; -1 if none can be tested."""
        return int(np.lexsort((-self.applicability, self.p))[0]) if self.n_tested else -1


class SignificantCues:
    """All cues that could be significant in some part, and the groups that contain them."""

    def __init__(
        self, names: list[str], cue: Ints, item: Ints, hit: Mask, group: Ints, chance: Floats,
        level: float,
    ) -> None:  # fmt: skip
        """Sort rows of a cue, an item, and whether it is right; `group`, `chance` are by item."""
        self.names, self.level = names, level
        by_group = np.argsort(group[item], kind="stable")
        self.cue, self.hit = cue[by_group], hit[by_group]
        self.group, self.chance = group[item][by_group], chance[item][by_group]
        self.start = np.searchsorted(self.group, np.arange(int(group.max(initial=-1)) + 2))

    @classmethod
    def from_cues(cls, cues: CueSet, group: Ints, chance: Floats, level: float) -> SignificantCues:
        """Take all cues of a set."""
        rows = cues.incidence
        names = [cues.name(number) for number in range(rows.cues)]
        return cls(names, rows.cue, rows.item, rows.hit, group, chance, level)

    @classmethod
    def from_ngrams(
        cls, items: Items, group: Ints, parts: Mapping[str, Ints], tokenizer: Tokenizer,
        ngram: int, level: float,
    ) -> SignificantCues:  # fmt: skip
        """Count the n-grams of each part; `group` is by item, `parts` are positions of items."""
        names: list[str] = []
        cue: list[Ints] = []
        item: list[Ints] = []
        hit: list[Mask] = []
        for positions in parts.values():
            part_items = tuple(items[index] for index in positions)
            layout = build_layout(part_items)
            for counts in count_cues(part_items, tokenizer, ngram, layout):
                frequent = np.flatnonzero(
                    counts.applicability >= _min_applicability(layout.chance, level)
                )
                number = np.full(counts.keys.size, -1, np.int64)
                number[frequent] = np.arange(frequent.size) + len(names)
                names += [counts.cue_text(int(index)) for index in frequent]
                rows = number[counts.ngram] >= 0
                text = counts.text[rows]
                cue.append(number[counts.ngram[rows]])
                item.append(positions[layout.item[text]])
                hit.append(layout.is_answer[text] == 1)
        return cls(
            names, np.concatenate(cue), np.concatenate(item), np.concatenate(hit), group,
            chance_credits(items), level,
        )  # fmt: skip

    def relief_by_group(self, flags: CueFlags) -> Floats:
        """Return by how many hits removing each group brings significant cues closer to chance."""
        direction = np.where(flags.is_above_chance, 1.0, -1.0)
        push = np.where(flags.is_significant, direction, 0.0)[self.cue]
        rows = np.flatnonzero(push)
        off = push[rows] * (self.hit[rows] - self.chance[rows])
        return np.bincount(self.group[rows], off, self.start.size - 1).astype(np.float64)

    def group_rows(self, group: int) -> slice:
        """Return the rows of a group's cues."""
        return slice(self.start[group], self.start[group + 1])

    def make_counter(self, removed: Groups = (), mirrored: Groups = ()) -> CueCounter:
        """Count the cues without `removed` groups, and with `mirrored` ones once per answer."""
        is_present, is_mirrored = ~np.isin(self.group, removed), np.isin(self.group, mirrored)
        hits = is_present & (is_mirrored | self.hit)
        n = np.where(is_mirrored, is_present / self.chance, is_present)
        return CueCounter(self, *map(self._sum_by_cue, (n, hits, n * self.chance)))

    def _sum_by_cue(self, values: NDArray[np.generic]) -> Floats:
        return np.bincount(self.cue, values, len(self.names)).astype(np.float64)


def _min_applicability(chance: Floats, level: float) -> int:
    """Return the applicability below which no cue can be significant, even fully mirrored."""
    copies = round(1 / float(chance.min()))
    min_items = int(np.floor(np.log(level) / np.log(float(chance.min()))))
    return max(min_items // copies, 1)


class CueCounter:
    """Counts of cues that can be changed, and their tests."""

    def __init__(self, cues: SignificantCues, n: Floats, hits: Floats, expected: Floats) -> None:
        self.cues, self.n, self.hits, self.expected = cues, n, hits, expected
        self.p = np.ones(n.size)
        self.is_testable = np.zeros(n.size, np.bool_)  # whether some outcome could be significant
        self._test_cues(np.arange(n.size))

    def change_group(self, group: int, sign: int) -> None:
        """Remove a group (-1) or put it back (1)."""
        rows = self.cues.group_rows(group)
        hit, chance = self.cues.hit[rows], self.cues.chance[rows]
        self._add_counts(self.cues.cue[rows], np.full(hit.size, sign), sign * hit, sign * chance)

    def mirror_group(self, group: int) -> None:
        """Mirror a group: count it once for every answer."""
        rows = self.cues.group_rows(group)
        hit, chance = self.cues.hit[rows], self.cues.chance[rows]
        copies = 1 / chance - 1
        self._add_counts(self.cues.cue[rows], copies, 1 - hit, copies * chance)

    def _add_counts(self, cue: Ints, n: Numbers, hits: Numbers, expected: Floats) -> None:
        np.add.at(self.n, cue, n)
        np.add.at(self.hits, cue, hits)
        np.add.at(self.expected, cue, expected)
        self._test_cues(np.unique(cue))

    def _test_cues(self, cues: Ints) -> None:
        n, hits = self.n[cues], self.hits[cues]
        chance = np.round(np.divide(self.expected[cues], n, np.full(n.size, 0.5), where=n > 0), 12)
        is_testable = n > 0
        is_testable[is_testable] = (
            min_attainable_p(n[is_testable], chance[is_testable]) <= self.cues.level
        )
        p = np.ones(n.size)
        p[is_testable] = binomial_p(hits[is_testable], n[is_testable], chance[is_testable])
        self.p[cues], self.is_testable[cues] = p, is_testable

    def any_significant(self) -> bool:
        """Return whether any cue is significant; quicker than `compute_flags`."""
        n_tested = int(self.is_testable.sum())
        small_p = np.sort(self.p[self.p <= self.cues.level])
        return bool(
            (small_p <= self.cues.level * np.arange(1, small_p.size + 1) / max(n_tested, 1)).any()
        )

    def compute_flags(self) -> CueFlags:
        """Return all tests, corrected together."""
        q = np.ones(self.p.size)
        q[self.is_testable] = benjamini_hochberg(self.p[self.is_testable])
        is_above_chance = self.hits > self.expected
        is_significant = q <= self.cues.level
        return CueFlags(
            self.n, self.hits, self.p, int(self.is_testable.sum()), is_significant, is_above_chance
        )
