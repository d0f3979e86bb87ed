"""Which alternative is the more plausible cause or effect? A toy with deliberate cues.

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
    title="A toy benchmark with deliberate cues, and its mirror image",
    licence="Apache-2.0",
    citation="Written for hansproof and included in it.",
)
FINGERPRINTS = {
    "original": "74081171772ee54d4aa15dc94c14f46c48fd6418e7b3f925b7ece3bbed54d532",
    "mirrored": "865b2151f90c7716314662d430bd05f04fd0502c9b76e2460e5d6c75b837dca6",
}


def load(folder: str | None = None) -> Benchmark:
    """Load the embedded benchmark, or another version of its file from `folder`."""
    path = os.path.join(folder or os.path.dirname(__file__), "toy.jsonl")
    pairs = read_items(path, "pair", ColumnMapping(answers_from="0"))
    splits = {
        "original": tuple(_original_item(pair) for pair in pairs),
        "mirrored": tuple(_mirrored_item(pair) for pair in pairs),
    }
    benchmark = Benchmark("toy", splits, card=CARD, aliases={"balanced": ("original", "mirrored")})
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
