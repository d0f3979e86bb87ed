"""Which choice answers a school science question that retrieval gets wrong? (ARC Challenge)

Splits: train (1119), dev (299), test (1172), with 3 to 5 choices per item.
"""

from __future__ import annotations

from ..types import Benchmark
from . import _arc

CARD = _arc.arc_card("ARC Challenge")
FINGERPRINTS = {
    "train": "f2e57f48f2a52ee06c5a48ed76bc9d8d51ba5c233366f6a234395b4b99aa86ab",
    "dev": "d81cffdd2af5f43f95582cb405f06d47eddbffc8059e0c174ec005c15c319da7",
    "test": "b6ee9be6f0e667e363057843194cbbc0f363912e83d1e928af95e7904ca8c60b",
}


def load(folder: str | None = None) -> Benchmark:
    """Load ARC Challenge."""
    return _arc.load_arc("arc_challenge", "ARC-Challenge", CARD, FINGERPRINTS, folder)
