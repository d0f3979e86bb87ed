"""Which answer fits a question about a social situation? (Social IQa)

Splits: train (33410) and dev (1954), with 3 choices per item; the labels of its test split are not
public.
"""

from __future__ import annotations

from ..download import Archive, DataFile
from ..formats import ColumnMapping
from ..types import Benchmark, Card
from ._splits import PublishedSplit, load_published

CARD = Card(
    title="Social IQa",
    home="https://leaderboard.allenai.org/socialiqa/submissions/get-started",
    licence="none stated",
    citation="Sap, Rashkin, Chen, Le Bras, Choi: Social IQa: Commonsense Reasoning about Social "
    "Interactions. EMNLP, 2019.",
)
FINGERPRINTS = {
    "train": "1b365fb3621be10d04b450161cf3151fc2954243d9c4b8ee55774804964fed33",
    "dev": "c1ba54571a427aa278ce75c31d4aaac052686c9101ef1f4a6e1c807abd668b4d",
}
ARCHIVE = Archive(
    "https://storage.googleapis.com/ai2-mosaic/public/socialiqa/socialiqa-train-dev.zip",
    {
        f"socialiqa-train-dev/{split}{ending}": f"socialiqa/{split}{ending}"
        for split in FINGERPRINTS
        for ending in (".jsonl", "-labels.lst")
    },
    "ee073914a0fc33265cfbcfc50ec20df9b2e07809c3f420f599138d1f394ef5c3",
)
MAPPING = ColumnMapping(
    fields=("context", "question"), choices=("answerA", "answerB", "answerC"), answers_from="1"
)


def load(folder: str | None = None) -> Benchmark:
    """Load Social IQa."""
    sources = {
        split: PublishedSplit(
            DataFile(f"socialiqa/{split}.jsonl", ARCHIVE),
            sha256,
            DataFile(f"socialiqa/{split}-labels.lst", ARCHIVE),
            MAPPING,
        )
        for split, sha256 in FINGERPRINTS.items()
    }
    return load_published("socialiqa", sources, {"train": "train", "test": "dev"}, CARD, folder)
