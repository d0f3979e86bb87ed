"""Which groups should be mirrored first?

First those that bring all cues together down to chance fastest, then those that relieve the single
cues that are still significant, then the others, so that what is left never says more than chance,
nor less: that would tell the answers, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..text import Tokenizer
from ..types import Items
from .band import Band
from .flagged import Flagged
from .greedy import Ints
from .strength import KEPT


@dataclass(frozen=True, slots=True)
class Mirroring:
    """The cues of some items, together and one by one, and the groups in the order to mirror."""

    band: Band
    cues: Flagged
    order: Ints

    @classmethod
    def of(
        cls, items: Items, tokens: Tokenizer, ngram: int = 2, level: float = 0.05,
        randomisations: int = 999, seed: int = 0,
    ) -> Mirroring:  # fmt: skip
        """All items taken together."""
        band = Band(items, tokens, ngram, randomisations, seed)
        whole = {"all": np.arange(len(items))}
        cues = Flagged(items, band.shares.group, whole, tokens, ngram, level)
        return cls(band, cues, first_to_mirror(band, cues))

    def ids(self) -> list[str]:
        """Of all items: first those to be mirrored, in that order, then the balanced ones."""
        group = self.band.shares.group
        rank = np.full(self.band.shares.size.size, self.order.size)
        rank[self.order] = np.arange(self.order.size)
        return [self.band.items[at].id for at in np.argsort(rank[group], kind="stable")]


def first_to_mirror(band: Band, cues: Flagged) -> Ints:
    """All groups that are not balanced yet, in that order."""
    left = np.flatnonzero(~band.shares.balanced())
    # what is above its band, or all where nothing is
    search = band.search(band.above(band.states(left[:0], KEPT)))
    together = search.mirror(left, hold=False)
    single = _relieving(cues, together, np.setdiff1d(left, together))
    search.with_mirrored(single)
    done = np.concatenate([together, single])
    return np.concatenate([done, search.mirror(np.setdiff1d(left, done), hold=True)])


def _relieving(cues: Flagged, mirrored: Ints, left: Ints) -> Ints:
    """Further groups, until no single cue is significant."""
    tally = cues.counted(mirrored=mirrored)
    may = np.isin(np.arange(cues.start.size - 1), left)
    order = []
    while tally.any():
        relief = np.where(may, cues.relief(tally.flags()), -np.inf)
        best = int(np.argmax(relief))
        if not relief[best] > 0:
            break
        order.append(best)
        may[best] = False
        tally.mirror(best)
    return np.array(order, np.int64)
