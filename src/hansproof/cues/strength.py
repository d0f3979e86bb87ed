"""Do the cues, taken together, say more about the answers than chance would have them say?

S = sum over cues of a (p - c)^2 / (c (1 - c)), with applicability a, productivity p and chance c;
for two choices that is the sum of a (2p - 1)^2. A benchmark may have no single significant cue and
still carry many weak ones. Its null distribution: see `null`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from ..null import turned_answers
from ..types import Items
from .counts import Counts, Layout, answers, incidence, rows_by

LANES = 64  # randomisations done side by side, so that a row of answers is read once for all


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


def aggregate(
    items: Items,
    units: Sequence[str],
    counts: Counts,
    where: Layout,
    randomisations: int,
    seed: int,
) -> Strength:
    """The aggregate strength of the cues of one order against its sign-flip null."""
    two = where.chance.min() == where.chance.max() == 0.5
    # of two choices, a cue that applies once adds 1 whatever the answer: spare the work
    found = incidence([counts], where, 2 if two else 1)
    once = int((counts.applicability == 1).sum()) if two else 0
    if found.cues == 0:
        return Strength(once, once, once, once, 1.0)
    rows, start = rows_by(found.cue, found.cues)
    item, choice = found.item[rows], found.choice[rows].astype(np.uint16)
    chance = found.chance(where)
    drawn = np.empty((len(items), LANES), np.uint16)
    drawn[:] = answers(items)[:, None]
    total, far = _statistic(item, choice, start, drawn, chance)
    value, farthest = once + float(total[0]), float(far[0])
    null = np.empty(-(-randomisations // LANES) * LANES)
    most = np.empty_like(null)
    for r, turned in enumerate(turned_answers(items, units, null.size, seed)):
        drawn[:, r % LANES] = turned
        if (r + 1) % LANES == 0:
            total, far = _statistic(item, choice, start, drawn, chance)
            null[r + 1 - LANES : r + 1] = once + total
            most[r + 1 - LANES : r + 1] = far
    values = null[:randomisations]
    low, high = np.quantile(values, [0.025, 0.975])
    # sums of the same terms in the same order are equal bit by bit, so >= is safe here
    p = (1 + int((values >= value).sum())) / (randomisations + 1)
    p_most = (1 + int((most[:randomisations] >= farthest).sum())) / (randomisations + 1)
    return Strength(value, float(values.mean()), float(low), float(high), p, p_most)


@njit(cache=True)
def _statistic(item, choice, start, answers, chance):  # type: ignore[no-untyped-def]
    """The sum over cues, and the largest of them."""
    total, far = np.zeros(LANES), np.zeros(LANES)
    hits = np.zeros(LANES, np.int32)
    for cue in range(start.size - 1):
        hits[:] = 0
        for row in range(start[cue], start[cue + 1]):
            drawn, own = answers[item[row]], choice[row]
            for lane in range(LANES):
                hits[lane] += drawn[lane] == own
        n, c = start[cue + 1] - start[cue], chance[cue]
        for lane in range(LANES):
            out = (hits[lane] - n * c) ** 2 / (n * c * (1 - c))
            total[lane] += out
            far[lane] = max(far[lane], out)
    return total, far
