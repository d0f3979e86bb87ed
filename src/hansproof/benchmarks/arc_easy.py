"""Which choice answers a school science question? (ARC Easy)

Splits: train (2251), dev (570), test (2376), with 3 to 5 choices per item.
"""

from __future__ import annotations

from ..types import Benchmark
from . import _arc

CARD = _arc.arc_card("ARC Easy")
FINGERPRINTS = {
    "train": "e2a2984be7d3a176e86d68c5470b022f550b64ff0069a29bcb343450d7c09378",
    "dev": "bbc4658449d951854da7e080b7d2e404e0386fac3f5954c1fac532421899cbec",
    "test": "16bb4b6164b9195f2a15d70ef7cffc9f85d30d28fd651304737b37ad2e8d5288",
}


def load(folder: str | None = None) -> Benchmark:
    """Load ARC Easy."""
    return _arc.load_arc("arc_easy", "ARC-Easy", CARD, FINGERPRINTS, folder)
