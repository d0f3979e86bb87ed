"""Which solution reaches a goal in the physical world? (PIQA)

Splits: train (16113) and dev (1838); the labels of its test split are not public.
"""

from __future__ import annotations

from ..download import Archive, DataFile, github_file
from ..types import Benchmark, Card
from ._splits import PublishedSplit, load_published

CARD = Card(
    title="PIQA: Physical Interaction Question Answering",
    home="https://yonatanbisk.com/piqa/",
    licence="none stated",
    citation="Bisk, Zellers, Le Bras, Gao, Choi: PIQA: Reasoning about Physical Commonsense in "
    "Natural Language. AAAI, 2020.",
)
_REPOSITORY = "nlx-group/Shortcutted-Commonsense-Reasoning"
_COMMIT = "b65de0b5ca54e9baf0db68a1a6e5b51940a65001"
# No checksum of this archive is known; the fingerprint of its items is checked instead.
TRAIN = DataFile(
    "piqa/train.jsonl",
    Archive(
        "https://storage.googleapis.com/ai2-mosaic/public/physicaliqa/physicaliqa-train-dev.zip",
        {"physicaliqa-train-dev/train.jsonl": "piqa/train.jsonl"},
    ),
)
TRAIN_FINGERPRINT = "621d29efa0cda17a595cdebb1a091360ddcbb0d1063c460f50bf7aca562c1d4a"
TRAIN_LABELS = github_file(
    "piqa/train-labels.lst",
    _REPOSITORY,
    "data/PIQA/train-labels.lst",
    _COMMIT,
    "df8ae080c41f02f88e81f6932d425f4b7ee72f433ad552e6a30d45e358e8f8bb",
)
DEV = github_file(
    "piqa/valid.jsonl",
    _REPOSITORY,
    "data/PIQA/valid.jsonl",
    _COMMIT,
    "93503cc97c679e459b065c3d13e848282e44b2a25213985bed3e5d458abef72d",
)
DEV_FINGERPRINT = "2f3c7ea5d456ca16600a9ba594bfa3180b7e6c3e4fa39d697e910af0e59d785e"
DEV_LABELS = github_file(
    "piqa/valid-labels.lst",
    _REPOSITORY,
    "data/PIQA/valid-labels.lst",
    _COMMIT,
    "b4192dc3a2a0363d9d60ccf79800cbbe2f32ebb17726efdde6970e0b8131bceb",
)


def load(folder: str | None = None) -> Benchmark:
    """Load PIQA."""
    sources = {
        "train": PublishedSplit(TRAIN, TRAIN_FINGERPRINT, TRAIN_LABELS),
        "dev": PublishedSplit(DEV, DEV_FINGERPRINT, DEV_LABELS),
    }
    return load_published("piqa", sources, {"train": "train", "test": "dev"}, CARD, folder)
