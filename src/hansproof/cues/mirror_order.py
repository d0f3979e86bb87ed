"""The order in which groups should be mirrored.

First come the groups that bring the joint strength of all cues down to chance fastest, then those
that make the remaining significant cues insignificant, then the others, in an order that keeps the
strength at chance: a strength below chance would also give answers away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..text.tokenizers import Tokenizer
from ..types import Items
from .greedy import Ints
from .null_band import NullBand
from .significant_cues import SignificantCues
from .strength import UNCHANGED


@dataclass(frozen=True, slots=True)
class MirrorOrder:
    """The cues of some items, jointly and one by one, and the groups in the order to mirror."""

    band: NullBand
    cues: SignificantCues
    order: Ints

    @classmethod
    def from_ngrams(
        cls, items: Items, tokenizer: Tokenizer, ngram: int = 2, level: float = 0.05,
        randomisations: int = 999, seed: int = 0,
    ) -> MirrorOrder:  # fmt: skip
        """Order the groups of all items, taken together, by the n-grams of their choices."""
        band = NullBand.from_ngrams(items, tokenizer, ngram, randomisations, seed)
        all_items = {"all": np.arange(len(items))}
        cues = SignificantCues.from_ngrams(
            items, band.shares.group, all_items, tokenizer, ngram, level
        )
        return cls(band, cues, order_groups(band, cues))

    def item_ids(self) -> list[str]:
        """Return the ids of all items: those to mirror in their order, then the balanced ones."""
        group = self.band.shares.group
        rank = np.full(self.band.shares.size.size, self.order.size)
        rank[self.order] = np.arange(self.order.size)
        return [self.band.items[index].id for index in np.argsort(rank[group], kind="stable")]


def order_groups(band: NullBand, cues: SignificantCues) -> Ints:
    """Order all groups that are not balanced yet."""
    unbalanced = np.flatnonzero(~band.shares.find_balanced())
    # the orders above their band, or all if none is
    search = band.make_search(band.orders_above(band.make_states(unbalanced[:0], UNCHANGED)))
    strength_groups = search.mirror_groups(unbalanced, hold_at_chance=False)
    cue_groups = _relieve_cues(cues, strength_groups, np.setdiff1d(unbalanced, strength_groups))
    search.mirror_all(cue_groups)
    urgent = np.concatenate([strength_groups, cue_groups])
    optional = search.mirror_groups(np.setdiff1d(unbalanced, urgent), hold_at_chance=True)
    return np.concatenate([urgent, optional])


def _relieve_cues(cues: SignificantCues, mirrored: Ints, candidates: Ints) -> Ints:
    """Return further groups to mirror, until no single cue is significant."""
    counter = cues.make_counter(mirrored=mirrored)
    is_candidate = np.isin(np.arange(cues.start.size - 1), candidates)
    order = []
    while counter.any_significant():
        relief = np.where(is_candidate, cues.relief_by_group(counter.compute_flags()), -np.inf)
        best = int(np.argmax(relief))
        if not relief[best] > 0:
            break
        order.append(best)
        is_candidate[best] = False
        counter.mirror_group(best)
    return np.array(order, np.int64)
