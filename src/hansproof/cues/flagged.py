"""Which cues are significant after correction, when some items are mirrored or left out?

The same tests as in `tested`, over the same parts of a benchmark, corrected together; counts are
kept up to date instead of being counted anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..stats import benjamini_hochberg, binomial_p, least_p
from ..text import Tokenizer
from ..types import Items
from .counts import count, layout

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64] | Floats
Groups = Ints | tuple[()]


@dataclass(frozen=True, slots=True)
class Flags:
    """The tests of all cues at one moment."""

    applicability: Floats
    hits: Floats
    p: Floats  # 1 where no outcome could be significant
    tested: int
    flagged: Mask
    above: Mask  # right more often than chance has it

    def strongest(self) -> int:
        """The cue that is least like chance; -1 where none can be tested."""
        return int(np.lexsort((-self.applicability, self.p))[0]) if self.tested else -1


class Flagged:
    """Every cue of every part that could be significant, and the groups that have it."""

    def __init__(
        self, items: Items, group: Ints, parts: Mapping[str, Ints], tokens: Tokenizer,
        ngram: int, level: float,
    ) -> None:  # fmt: skip
        """`group` of every item; `parts`: positions of items that are looked at together."""
        self.level = level
        self.names: list[str] = []
        cue, item, hit = [], [], []
        for positions in parts.values():
            own = tuple(items[at] for at in positions)
            where = layout(own)
            for counts in count(own, tokens, ngram, where):
                frequent = np.flatnonzero(counts.applicability >= self._fewest(where.chance))
                number = np.full(counts.keys.size, -1, np.int64)
                number[frequent] = np.arange(frequent.size) + len(self.names)
                self.names += [counts.name(int(at)) for at in frequent]
                rows = number[counts.ngram] >= 0
                text = counts.text[rows]
                cue.append(number[counts.ngram[rows]])
                item.append(positions[where.item[text]])
                hit.append(where.right[text] == 1)
        self.cue, self.hit = np.concatenate(cue), np.concatenate(hit)
        self.group = group[np.concatenate(item)]
        self.chance = np.array([1 / len(one.choices) for one in items])[np.concatenate(item)]
        by_group = np.argsort(self.group, kind="stable")
        self.cue, self.hit, self.group, self.chance = (
            part[by_group] for part in (self.cue, self.hit, self.group, self.chance)
        )
        self.start = np.searchsorted(self.group, np.arange(int(group.max(initial=-1)) + 2))

    def _fewest(self, chance: Floats) -> int:
        """No cue that applies less often can be significant, were all its items mirrored."""
        copies = round(1 / float(chance.min()))
        fewest = int(np.floor(np.log(self.level) / np.log(float(chance.min()))))
        return max(fewest // copies, 1)

    def relief(self, flags: Flags) -> Floats:
        """By how many hits each group, taken out, brings the significant cues nearer to chance."""
        push = np.where(flags.flagged, np.where(flags.above, 1.0, -1.0), 0.0)[self.cue]
        rows = np.flatnonzero(push)
        off = push[rows] * (self.hit[rows] - self.chance[rows])
        return np.bincount(self.group[rows], off, self.start.size - 1).astype(np.float64)

    def rows_of(self, group: int) -> slice:
        """The rows of a group's cues."""
        return slice(self.start[group], self.start[group + 1])

    def counted(self, gone: Groups = (), mirrored: Groups = ()) -> Tally:
        """The counts without some groups, and with others once for every answer."""
        there, copied = ~np.isin(self.group, gone), np.isin(self.group, mirrored)
        hits = there & (copied | self.hit)
        n = np.where(copied, there / self.chance, there)
        return Tally(self, *map(self._sum, (n, hits, n * self.chance)))

    def _sum(self, values: NDArray[np.generic]) -> Floats:
        return np.bincount(self.cue, values, len(self.names)).astype(np.float64)


class Tally:
    """Counts that can be changed, and their tests."""

    def __init__(self, of: Flagged, n: Floats, hits: Floats, expected: Floats) -> None:
        self.of, self.n, self.hits, self.expected = of, n, hits, expected
        self.p = np.ones(n.size)
        self.can = np.zeros(n.size, np.bool_)  # could be significant
        self._test(np.arange(n.size))

    def change(self, group: int, sign: int) -> None:
        """Take a group out (-1) or put it back (1)."""
        rows = self.of.rows_of(group)
        hit, chance = self.of.hit[rows], self.of.chance[rows]
        self._add(self.of.cue[rows], np.full(hit.size, sign), sign * hit, sign * chance)

    def mirror(self, group: int) -> None:
        """Put a group there once for every answer."""
        rows = self.of.rows_of(group)
        hit, chance = self.of.hit[rows], self.of.chance[rows]
        copies = 1 / chance - 1
        self._add(self.of.cue[rows], copies, 1 - hit, copies * chance)

    def _add(self, cue: Ints, n: Numbers, hits: Numbers, expected: Floats) -> None:
        np.add.at(self.n, cue, n)
        np.add.at(self.hits, cue, hits)
        np.add.at(self.expected, cue, expected)
        self._test(np.unique(cue))

    def _test(self, cues: Ints) -> None:
        n, hits = self.n[cues], self.hits[cues]
        chance = np.round(np.divide(self.expected[cues], n, np.full(n.size, 0.5), where=n > 0), 12)
        can = n > 0
        can[can] = least_p(n[can], chance[can]) <= self.of.level
        p = np.ones(n.size)
        p[can] = binomial_p(hits[can], n[can], chance[can])
        self.p[cues], self.can[cues] = p, can

    def any(self) -> bool:
        """Whether some cue is significant: the same as `flags`, without saying which."""
        tested = int(self.can.sum())
        small = np.sort(self.p[self.p <= self.of.level])
        return bool((small <= self.of.level * np.arange(1, small.size + 1) / max(tested, 1)).any())

    def flags(self) -> Flags:
        """All tests, corrected together."""
        q = np.ones(self.p.size)
        q[self.can] = benjamini_hochberg(self.p[self.can])
        above = self.hits > self.expected
        flagged = q <= self.of.level
        return Flags(self.n, self.hits, self.p, int(self.can.sum()), flagged, above)
