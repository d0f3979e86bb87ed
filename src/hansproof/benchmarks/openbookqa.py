"""Which choice follows from a fact of elementary science and common knowledge? (OpenBookQA)

Splits: train (4957), dev (500), test (500), without the facts: questions as they are usually asked.
"""

from __future__ import annotations

from ..download import Archive, DataFile
from ..types import Benchmark, Card
from ._splits import PublishedSplit, load_published

CARD = Card(
    title="OpenBookQA",
    home="https://allenai.org/data/open-book-qa",
    licence="Apache-2.0",
    citation="Mihaylov, Clark, Khot, Sabharwal: Can a Suit of Armor Conduct Electricity? A New "
    "Dataset for Open Book Question Answering. EMNLP, 2018.",
)
FINGERPRINTS = {
    "train": "b238d42d117a66340c550fe1e9c029061b7073a99c34e0b8c0bd54375270a302",
    "dev": "0e5ae211116801d07344a615724f53206ce3b1334018a035dc67cea53c98010f",
    "test": "30d581b29bf7c228c37304f850fed9431b5a45c33a3051551d89c03c11e14730",
}
ARCHIVE = Archive(
    "https://s3-us-west-2.amazonaws.com/ai2-website/data/OpenBookQA-V1-Sep2018.zip",
    {
        f"OpenBookQA-V1-Sep2018/Data/Main/{split}.jsonl": f"openbookqa/{split}.jsonl"
        for split in FINGERPRINTS
    },
    "82368cf05df2e3b309c17d162e10b888b4d768fad6e171e0a041954c8553be46",
)


def load(folder: str | None = None) -> Benchmark:
    """Load OpenBookQA."""
    sources = {
        split: PublishedSplit(DataFile(f"openbookqa/{split}.jsonl", ARCHIVE), sha256)
        for split, sha256 in FINGERPRINTS.items()
    }
    roles = {"train": "train", "select": "dev", "test": "test"}
    return load_published("openbookqa", sources, roles, CARD, folder)
