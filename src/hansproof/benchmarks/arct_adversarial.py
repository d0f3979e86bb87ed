"""ARCT with every claim negated once, so that either warrant is right as often as wrong.

Splits: train (2420), dev (632), test (888). An item and its negated partner form one group.
"""

from __future__ import annotations

from dataclasses import replace

from ..download import github_file
from ..types import Benchmark, Card, Item
from ._splits import PublishedSplit, load_published

CARD = Card(
    title="ARCT, adversarial",
    home="https://github.com/IKMLab/arct2",
    licence="none stated",
    citation="Niven, Kao: Probing Neural Network Comprehension of Natural Language Arguments. "
    "ACL, 2019.",
)
_REPOSITORY = "nlx-group/Shortcutted-Commonsense-Reasoning"
_COMMIT = "b65de0b5ca54e9baf0db68a1a6e5b51940a65001"
SOURCES = {
    "train": PublishedSplit(
        github_file(
            "arct_adversarial/train-adv-negated.csv",
            _REPOSITORY,
            "data/arct/train.csv",
            _COMMIT,
            "ec3a589c5b6a4b13ceb77627d5d21888947a98f652da1cdb6c9577014da08869",
        ),
        "9318a3cbf73fc2ebb9445d5ce477da82d0b26b98b494cfee7406edb6704b32b0",
    ),
    "dev": PublishedSplit(
        github_file(
            "arct_adversarial/dev-adv-negated.csv",
            _REPOSITORY,
            "data/arct/dev.csv",
            _COMMIT,
            "7f8dff442ac8a5869ff4bb711071f77b565108a139955de48da9582b72498229",
        ),
        "3bb02334b269de75afcd75f4f1d5a9bd149c921cab8a553df6d68fa0f12c1038",
    ),
    "test": PublishedSplit(
        github_file(
            "arct_adversarial/test-adv-negated.csv",
            _REPOSITORY,
            "data/arct/test.csv",
            _COMMIT,
            "46caf8359fca207e53f3e815e29ba89e4dbc58a384777d357167eeea88d18bef",
        ),
        "cb506d2c24f8e2f8669cea5da8a192eee6eff96514c5281d15ae07c0f01b8bb9",
    ),
}
SUFFIX = "-adversarial"  # of the ids of negated items


def load(folder: str | None = None) -> Benchmark:
    """Load adversarial ARCT."""
    roles = {"train": "train", "select": "dev", "test": "test"}
    benchmark = load_published("arct_adversarial", SOURCES, roles, CARD, folder)
    grouped_splits = {
        split: tuple(_set_group(item) for item in items)
        for split, items in benchmark.splits.items()
    }
    return replace(benchmark, splits=grouped_splits)


def _set_group(item: Item) -> Item:
    meta = {**item.meta, "adversarial": item.id.endswith(SUFFIX)}
    return replace(item, group=item.id.removesuffix(SUFFIX), meta=meta)
