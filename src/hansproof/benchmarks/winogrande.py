"""Which of two names or things fills the blank in a sentence? (WinoGrande, version 1.1)

Splits: train (40398, the largest of its training sets, train_xl) and dev (1267); the answers of
its test split are not public. Ids end in 1 or 2 for the two sentences of a pair.

No copy of train with ids was at hand for a fingerprint, so a copy of your own is said to be
unconfirmed; one that hansproof downloads is checked by the checksum of the archive.
"""

from __future__ import annotations

from ..download import Archive, DataFile
from ..formats import ColumnMapping
from ..types import Benchmark, Card
from ._splits import PublishedSplit, load_published

CARD = Card(
    title="WinoGrande",
    home="https://github.com/allenai/winogrande",
    licence="CC BY 2.0",
    citation="Sakaguchi, Le Bras, Bhagavatula, Choi: WinoGrande: An Adversarial Winograd Schema "
    "Challenge at Scale. AAAI, 2020.",
)
_FILES = {"train": "train_xl.jsonl", "dev": "dev.jsonl"}
ARCHIVE = Archive(
    "https://storage.googleapis.com/ai2-mosaic/public/winogrande/winogrande_1.1.zip",
    {f"winogrande_1.1/{file}": f"winogrande/{file}" for file in _FILES.values()},
    "3619ab104d8be2977b25c90ff420cb42d491707dcc75362a1e5d22bc082b7318",
)
FINGERPRINTS = {
    "train": None,
    "dev": "5806923409ec81e10c11e978bfa723a6594cb7807fa42ab97627ce6143a8639d",
}
MAPPING = ColumnMapping(
    fields=("sentence",), choices=("option1", "option2"), answer="answer", answers_from="1"
)


def load(folder: str | None = None) -> Benchmark:
    """Load WinoGrande."""
    sources = {
        split: PublishedSplit(
            DataFile(f"winogrande/{file}", ARCHIVE), FINGERPRINTS[split], mapping=MAPPING
        )
        for split, file in _FILES.items()
    }
    return load_published("winogrande", sources, {"train": "train", "test": "dev"}, CARD, folder)
