"""Loads the two halves of ARC, which share an archive, file names and a card."""

from __future__ import annotations

from ..download import Archive, DataFile
from ..types import Benchmark, Card
from ._splits import PublishedSplit, load_published

SETS = ("ARC-Challenge", "ARC-Easy")
SPLITS = {"train": "Train", "dev": "Dev", "test": "Test"}
# No checksum of this archive is known; the fingerprints of its items are checked instead.
ARCHIVE = Archive(
    "https://ai2-public-datasets.s3.amazonaws.com/arc/ARC-V1-Feb2018.zip",
    {
        f"ARC-V1-Feb2018-2/{name}/{name}-{suffix}.jsonl": f"arc/{name}-{suffix}.jsonl"
        for name in SETS
        for suffix in SPLITS.values()
    },
)


def arc_card(title: str) -> Card:
    """Build the card of one half."""
    return Card(
        title=title,
        home="https://allenai.org/data/arc",
        licence="Apache-2.0, ODC-By",
        citation="Clark, Cowhey, Etzioni, Khot, Sabharwal, Schoenick, Tafjord: Think you have "
        "Solved Question Answering? Try ARC, the AI2 Reasoning Challenge. arXiv:1803.05457, 2018.",
    )


def load_arc(
    name: str, file: str, card: Card, expected: dict[str, str], folder: str | None
) -> Benchmark:
    """Load one half of ARC; `expected` contains the fingerprints of its splits."""
    sources = {
        split: PublishedSplit(DataFile(f"arc/{file}-{suffix}.jsonl", ARCHIVE), expected[split])
        for split, suffix in SPLITS.items()
    }
    roles = {"train": "train", "select": "dev", "test": "test"}
    return load_published(name, sources, roles, card, folder)
