"""Which of five concepts answers a commonsense question? (CommonsenseQA)

Splits: train (9741) and dev (1221); the answers of its test split are not public.
"""

from __future__ import annotations

from ..download import github_file
from ..types import Benchmark, Card
from ._splits import PublishedSplit, load_published

CARD = Card(
    title="CommonsenseQA",
    home="https://www.tau-nlp.sites.tau.ac.il/commonsenseqa",
    licence="none stated",
    citation="Talmor, Herzig, Lourie, Berant: CommonsenseQA: A Question Answering Challenge "
    "Targeting Commonsense Knowledge. NAACL, 2019.",
)
_REPOSITORY = "kojima-takeshi188/zero_shot_cot"
_COMMIT = "5ef330fcdeec0cd26aee27943504f91f8ec1c33c"
SOURCES = {
    "train": PublishedSplit(
        github_file(
            "csqa/train_rand_split.jsonl",
            _REPOSITORY,
            "dataset/CommonsenseQA/train_rand_split.jsonl",
            _COMMIT,
            "58ffa3c8472410e24b8c43f423d89c8a003d8284698a6ed7874355dedd09a2fb",
        ),
        "c70e1c77180c860da064561f3cf0763e8ad150bc2882d2146ccd85de422057ba",
    ),
    "dev": PublishedSplit(
        github_file(
            "csqa/dev_rand_split.jsonl",
            _REPOSITORY,
            "dataset/CommonsenseQA/dev_rand_split.jsonl",
            _COMMIT,
            "3210497fdaae614ac085d9eb873dd7f4d49b6f965a93adadc803e1229fd8a02a",
        ),
        "341aa2fec0fb148809858afc5f298f1da42af4d4fe14c60be2bd8cb482856da3",
    ),
}


def load(folder: str | None = None) -> Benchmark:
    """Load CommonsenseQA."""
    roles = {"train": "train", "test": "dev"}
    return load_published("csqa", SOURCES, roles, CARD, folder)
