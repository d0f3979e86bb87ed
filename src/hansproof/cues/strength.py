"""Do the cues, taken together, say more about the answers than chance would have them say?

S = sum over cues of a (p - c)^2 / (c (1 - c)), with applicability a, productivity p and chance c;
for two choices that is the sum of a (2p - 1)^2. A benchmark may have no single significant cue and
still carry many weak ones. Its null distribution: see `null`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..null import turned_answers
from ..types import Items
from .counts import Counts, Layout, answers, incidence, rows_by

LANES = 64  # randomisations done side by side, so that a row of answers is read once for all

KEPT, MIRRORED, GONE = 0, 1, 2  # what may become of an item

States = NDArray[np.int8]  # by item
Lanes = NDArray[np.uint16]  # answers by item and lane


@dataclass(frozen=True, slots=True)
class Strength:
    """The statistic, its distribution under the null, and the share of the null that reaches it."""

    value: float
    null_mean: float
    null_low: float
    null_high: float
    p: float
    p_most: float = 1.0  # of the single cue that is farthest out, by the same null

    def ratio(self) -> float:
        """The strength as a multiple of what the null gives on average."""
        return self.value / self.null_mean if self.null_mean > 0 else 1.0

    def beyond(self) -> bool:
        """Whether it lies above the band that holds 95 % of the null."""
        return self.value > self.null_high


def aggregate(
    items: Items,
    units: Sequence[str],
    counts: Counts,
    where: Layout,
    randomisations: int,
    seed: int,
) -> Strength:
    """The aggregate strength of the cues of one order against its sign-flip null."""
    rows = Rows.of(items, counts, where)
    every = np.full(len(items), KEPT, np.int8)
    return rows.strength(every, dealt(items, units, randomisations, seed), randomisations)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of cues, sorted by cue: which item, which of its choices."""

    item: NDArray[np.int64]
    choice: NDArray[np.uint16]
    start: NDArray[np.int64]
    once: NDArray[np.int64]  # by item: cues that stand nowhere else, where they are left out
    answers: NDArray[np.int64]
    chance: NDArray[np.float64]  # 1 / number of choices, by item

    @classmethod
    def of(cls, items: Items, counts: Counts, where: Layout) -> Rows:
        """The rows of the cues of one order."""
        least = fewest(where)
        found = incidence([counts], where, least)
        left_out = counts.applicability[counts.ngram] < least
        once = np.bincount(where.item[counts.text[left_out]], minlength=len(items))
        by_cue, start = rows_by(found.cue, found.cues)
        choice = found.choice[by_cue].astype(np.uint16)
        return cls(found.item[by_cue], choice, start, once, answers(items), where.chance)

    def strength(self, states: States, dealt: Iterable[Lanes], randomisations: int) -> Strength:
        """The statistic of the answers as they are, and of those that were dealt.

        A mirrored item stands there once with every answer: it says nothing, and makes its cues
        the more frequent.
        """
        once = int(self.once[states == KEPT].sum())
        if self.start.size == 1:
            return Strength(once, once, once, once, 1.0)
        real = np.repeat(self.answers.astype(np.uint16)[:, None], LANES, axis=1)
        total, far = self._statistic(states, real)
        value, farthest = once + float(total[0]), float(far[0])
        sums, fars = zip(*(self._statistic(states, drawn) for drawn in dealt), strict=True)
        values = once + np.concatenate(sums)[:randomisations]
        low, high = np.quantile(values, [0.025, 0.975])
        # sums of the same terms in the same order are equal bit by bit, so >= is safe here
        p = (1 + int((values >= value).sum())) / (randomisations + 1)
        reached = int((np.concatenate(fars)[:randomisations] >= farthest).sum())
        p_most = (1 + reached) / (randomisations + 1)
        return Strength(value, float(values.mean()), float(low), float(high), p, p_most)

    def _statistic(self, states: States, drawn: Lanes) -> tuple[NDArray[np.float64], ...]:
        found: tuple[NDArray[np.float64], ...] = _statistic(
            self.item, self.choice, self.start, drawn, self.chance, states
        )
        return found


def fewest(where: Layout) -> int:
    """Items that a cue must apply to, to be looked at at all.

    Of two choices, a cue that applies once adds 1 to the strength whatever the answer is.
    """
    return 2 if where.chance.min() == where.chance.max() == 0.5 else 1


def dealt(items: Items, units: Sequence[str], randomisations: int, seed: int) -> Iterator[Lanes]:
    """Answers as chance deals them, LANES randomisations at a time."""
    drawn = np.empty((len(items), LANES), np.uint16)
    many = -(-randomisations // LANES) * LANES
    for r, turned in enumerate(turned_answers(items, units, many, seed)):
        drawn[:, r % LANES] = turned
        if (r + 1) % LANES == 0:
            yield drawn.copy()


@njit(cache=True)
def _statistic(item, choice, start, answers, chance, states):  # type: ignore[no-untyped-def]
    """The sum over cues, and the largest of them."""
    total, far = np.zeros(LANES), np.zeros(LANES)
    hits = np.zeros(LANES, np.int32)
    for cue in range(start.size - 1):
        hits[:] = 0
        n, expected = 0.0, 0.0  # all that have the cue; hits that chance gives those that are kept
        sure = 0.0
        for row in range(start[cue], start[cue + 1]):
            at = item[row]
            if states[at] == GONE:
                continue
            if states[at] == MIRRORED:  # one hit in as many copies as there are choices
                n += 1 / chance[at]
                sure += 1
                continue
            n += 1
            expected += chance[at]
            drawn, own = answers[at], choice[row]
            for lane in range(LANES):
                hits[lane] += drawn[lane] == own
        if expected == 0:
            continue
        c = (expected + sure) / n
        for lane in range(LANES):
            out = (hits[lane] - expected) ** 2 / (n * c * (1 - c))
            total[lane] += out
            far[lane] = max(far[lane], out)
    return total, far
