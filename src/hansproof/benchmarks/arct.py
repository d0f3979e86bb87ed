"""Which warrant leads from the reason to the claim? (Argument Reasoning Comprehension)

Splits: train (1210), dev (316), test (444). `title` and `info` of the debate are in meta.
"""

from __future__ import annotations

from ..download import github_file
from ..types import Benchmark, Card
from ._splits import PublishedSplit, load_published

CARD = Card(
    title="ARCT: Argument Reasoning Comprehension Task",
    home="https://github.com/UKPLab/argument-reasoning-comprehension-task",
    licence="Apache-2.0",
    citation="Habernal, Wachsmuth, Gurevych, Stein: The Argument Reasoning Comprehension Task: "
    "Identification and Reconstruction of Implicit Warrants. NAACL, 2018.",
)
_REPOSITORY = "UKPLab/argument-reasoning-comprehension-task"
_COMMIT = "929f5847487e28036e60803f72e26a82c638db43"
SOURCES = {
    "train": PublishedSplit(
        github_file(
            "arct/train.tsv",
            "habernal/semeval2018-task12",
            "data/train/train-full.txt",
            "72a8d6a492efdd63b137195375e836107392e63a",
            "dfdf96122d0fa08f4ff8aee9cde3f70a013f37da40d01955f1c7a7d23905d9ed",
        ),
        "b6ed0188a708febc77dd7e13dd9931b58ec237019a8779cb0a025ecb622d6b6e",
    ),
    "dev": PublishedSplit(
        github_file(
            "arct/dev.tsv",
            _REPOSITORY,
            "experiments/src/main/python/data/dev.tsv",
            _COMMIT,
            "28fcbb292354b4bece7554776f275423bf8b876e904d1a88ba47352921efd1a6",
        ),
        "89ae87aeb6ca33565bc27bba1fdc9711cd4f21e452b5cc1439a703daef4f524a",
    ),
    "test": PublishedSplit(
        github_file(
            "arct/test.tsv",
            _REPOSITORY,
            "experiments/src/main/python/data/test.tsv",
            _COMMIT,
            "4116adaa409f6eef5ea6836b4a78aae203f9a8171b1fa60552f365a07d5052df",
        ),
        "7c414ddc2fd3c8a9e5c9519c8140cbf68a3d5eff665ae9fe32e693a687343188",
    ),
}


def load(folder: str | None = None) -> Benchmark:
    """Load ARCT."""
    roles = {"train": "train", "select": "dev", "test": "test"}
    return load_published("arct", SOURCES, roles, CARD, folder)
