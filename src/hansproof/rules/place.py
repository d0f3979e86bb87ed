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
    names = [f"is the {ordinal}" for ordinal in ORDINALS]
    masks = {names[k]: place == k for k in range(min(int(sizes.max()), len(names)))}
    if sizes.min() < sizes.max():
        masks["is the last"] = place == sizes - 1
    return build_mask_block(RUNG, masks, layout)
