"""Which ending continues a description of everyday events? (HellaSwag)

Splits: train (39905) and val (10042); the labels of its test split are not public. The activity,
the video or article and whether its activity is in train (`split_type`) are in meta.

The checksums of the files are those that Hugging Face's `datasets` recorded. No copy of the items
was at hand for a fingerprint, so a copy with other bytes is said to be unconfirmed.
"""

from __future__ import annotations

from ..download import github_file
from ..types import Benchmark, Card
from ._splits import PublishedSplit, keep_meta, load_published

CARD = Card(
    title="HellaSwag",
    home="https://rowanzellers.com/hellaswag/",
    licence="MIT",
    citation="Zellers, Holtzman, Bisk, Farhadi, Choi: HellaSwag: Can a Machine Really Finish Your "
    "Sentence? ACL, 2019.",
)
_REPOSITORY, _COMMIT = "rowanz/hellaswag", "a29ff8e9a04bba4bd6588223785ce105328adc57"
SOURCES = {
    "train": PublishedSplit(
        github_file(
            "hellaswag/hellaswag_train.jsonl",
            _REPOSITORY,
            "data/hellaswag_train.jsonl",
            _COMMIT,
            "dae5e69249868cb9fe4e23ff925c60b66169564cfb7072d793cd7356a2b69f8d",
        ),
        fingerprint=None,
    ),
    "val": PublishedSplit(
        github_file(
            "hellaswag/hellaswag_val.jsonl",
            _REPOSITORY,
            "data/hellaswag_val.jsonl",
            _COMMIT,
            "0aa3b88843990f3f10a97b9575c94d7b71fb2205240ba04ae4884d9e9c992588",
        ),
        fingerprint=None,
    ),
}


def load(folder: str | None = None) -> Benchmark:
    """Load HellaSwag."""
    roles = {"train": "train", "test": "val"}
    benchmark = load_published("hellaswag", SOURCES, roles, CARD, folder)
    return keep_meta(benchmark, ("activity_label", "split_type", "source_id"))
