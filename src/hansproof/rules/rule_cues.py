"""Rules as cues: a rule applies to an item in which it picks a choice, and hits if that is right.

So the order in which to mirror items, and the items to leave out, are found for rules as they are
for words and phrases.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..cues.counts import ChoiceLayout
from ..cues.incidence import CueSet, Incidence, sort_rows_by
from ..cues.mirror_order import MirrorOrder, order_groups
from ..cues.null_band import NullBand
from ..cues.significant_cues import SignificantCues
from ..text.tokenizers import Tokenizer
from ..types import Items
from .climb import climb_ladder, default_permutations
from .features import Ints
from .portable import collect_rules
from .rule import NO_PICK


def collect_picks(names: Sequence[str], picks: Sequence[Ints], layout: ChoiceLayout) -> CueSet:
    """Collect the choices that rules pick, each rule as a cue of this name."""
    n_items = layout.chance.size
    rows = [np.flatnonzero(rule_picks != NO_PICK) for rule_picks in picks]
    cue = np.repeat(np.arange(len(rows)), [items.size for items in rows])
    item = np.concatenate([np.zeros(0, np.int64), *rows])
    text = np.concatenate(
        [np.zeros(0, np.int64), *(rule_picks[i] for rule_picks, i in zip(picks, rows, strict=True))]
    )
    by_item, start = sort_rows_by(item, n_items)
    item, text = item[by_item], text[by_item]
    incidence = Incidence(
        len(rows), start, cue[by_item], item, text - layout.first[item], layout.is_answer[text] == 1
    )
    return CueSet(incidence, lambda number: names[number], np.zeros(n_items, np.int64))


def order_by_rules(
    items: Items, tokenizer: Tokenizer, level: float = 0.05, randomisations: int = 999,
    seed: int = 0,
) -> MirrorOrder:  # fmt: skip
    """Order the groups of all items by the significant rules of the ladder."""
    climb = climb_ladder(items, tokenizer, permutations=default_permutations(level), seed=seed)
    rules, layout = collect_rules(climb, level), climb.columns.layout
    picks = [rule.pick(climb.columns) for rule in rules]
    cues = collect_picks([rule.describe() for rule in rules], picks, layout)
    band = NullBand(items, layout, [cues], randomisations, seed)
    significant = SignificantCues.from_cues(cues, band.shares.group, layout.chance, level)
    return MirrorOrder(band, significant, order_groups(band, significant))
