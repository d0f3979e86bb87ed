"""Which groups should be mirrored first?

First those that bring all cues together down to chance fastest, then those that relieve the single
cues that are still significant, then the others, so that what is left never says more than chance,
nor less: that would tell the answers, too.
"""

from __future__ import annotations

import numpy as np

from ..text import tokenizer
from ..types import Items
from .band import Band
from .flagged import Flagged
from .greedy import Ints

NGRAM, LEVEL, RANDOMISATIONS = 2, 0.05, 999  # as in `run priority`


def mirroring_order(items: Items) -> list[str]:
    """The ids of all items: first those to be mirrored, in that order, then the balanced ones."""
    band = Band(items, tokenizer("word"), NGRAM, RANDOMISATIONS, seed=0)
    whole = {"all": np.arange(len(items))}
    cues = Flagged(items, band.shares.group, whole, tokenizer("word"), NGRAM, LEVEL)
    rank = np.full(band.shares.size.size, band.shares.size.size)
    order = first_to_mirror(band, cues)
    rank[order] = np.arange(order.size)
    return [items[at].id for at in np.argsort(rank[band.shares.group], kind="stable")]


def first_to_mirror(band: Band, cues: Flagged) -> Ints:
    """All groups that are not balanced yet, in that order."""
    left = np.flatnonzero(~band.shares.balanced())
    # what is above its band, or all where nothing is
    search = band.search([order for order, s in enumerate(band.start, 1) if s.beyond()])
    together = search.mirror(left, hold=False)
    single = _relieving(cues, together, np.setdiff1d(left, together))
    search.with_mirrored(single)
    done = np.concatenate([together, single])
    return np.concatenate([done, search.mirror(np.setdiff1d(left, done), hold=True)])


def _relieving(cues: Flagged, mirrored: Ints, left: Ints) -> Ints:
    """Further groups, until no single cue is significant."""
    copied = np.zeros(cues.start.size - 1, np.bool_)
    copied[mirrored] = True
    tally = cues.counted(np.zeros_like(copied), copied)
    may = np.zeros_like(copied)
    may[left] = True
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
