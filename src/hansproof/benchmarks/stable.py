"""Which alternative is the more plausible cause or effect? Embedded, with cues on purpose.

Splits: original (120 items in COPA's form, whose choices give some answers away) and mirrored
(120 partners with the same choices and the other answer); `balanced` is both.
"""

from __future__ import annotations

import os
from dataclasses import replace

from ..formats import ColumnMapping, read_items
from ..types import Benchmark, Card, Item
from ._splits import mark_changes

CARD = Card(
    title="Stable: a small benchmark with cues, and its mirror image",
    licence="Apache-2.0",
    citation="Written for hansproof, which carries it.",
)
FINGERPRINTS = {
    "original": "7b5b49da062d8c9e3eedb77683bc26a50210004474567d7a0c7693d8ac3301ba",
    "mirrored": "4af4daec1dc556343e21ab128e5a9a8e2ef6476fd06ec0083653e786220668af",
}


def load(folder: str | None = None) -> Benchmark:
    """Load the embedded benchmark, or another version of its file from `folder`."""
    path = os.path.join(folder or os.path.dirname(__file__), "stable.jsonl")
    pairs = read_items(path, "pair", ColumnMapping(answers_from="0"))
    splits = {
        "original": tuple(_original_item(pair) for pair in pairs),
        "mirrored": tuple(_mirrored_item(pair) for pair in pairs),
    }
    benchmark = Benchmark(
        "stable", splits, card=CARD, aliases={"balanced": ("original", "mirrored")}
    )
    return mark_changes(benchmark, FINGERPRINTS)


def _original_item(pair: Item) -> Item:
    return replace(pair, group=pair.id, meta={"asks_for": pair.meta["asks_for"]})


def _mirrored_item(pair: Item) -> Item:
    """Build the mirrored partner: another premise, for which the other choice is right."""
    assert pair.answer is not None
    return replace(
        _original_item(pair),
        id=f"{pair.id}-mirrored",
        fields={"premise": str(pair.meta["mirrored"])},
        answer=1 - pair.answer,
    )
