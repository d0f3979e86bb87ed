"""The place of a choice in the list of its item."""

from __future__ import annotations

import numpy as np

from ..cues.counts import ChoiceLayout
from .features import FeatureBlock, build_mask_block

RUNG = "place"
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
            "tenth")  # fmt: skip


def place_features(layout: ChoiceLayout) -> FeatureBlock:
    """Return the place of each choice, from the beginning and from the end."""
    place = np.arange(layout.item.size) - layout.first[layout.item]
    sizes = np.diff(layout.first)[layout.item]
    masks = {_name_place(k): place == k for k in range(int(sizes.max(initial=0)))}
    if sizes.min() < sizes.max():
        masks["is the last"] = place == sizes - 1
    return build_mask_block(RUNG, masks, layout)


def _name_place(place: int) -> str:
    return f"is the {ORDINALS[place]}" if place < len(ORDINALS) else f"is number {place + 1}"
