"""Which alternative is the more plausible cause or effect of a premise? (COPA)

Splits: dev (500, which its authors train on) and test (500). `asks_for` in meta says whether the
cause or the effect is asked for.
"""

from __future__ import annotations

from ..download import github_file
from ..types import Benchmark, Card
from ._splits import PublishedSplit, load_published

CARD = Card(
    title="COPA: Choice of Plausible Alternatives",
    home="https://people.ict.usc.edu/~gordon/copa.html",
    licence="none stated",
    citation="Roemmele, Bejan, Gordon: Choice of Plausible Alternatives: An Evaluation of "
    "Commonsense Causal Reasoning. AAAI Spring Symposium, 2011.",
)
_REPOSITORY, _COMMIT = "drwiner/COPA", "0d59e0efc834004be53ba7569a7793ea8fb13741"
SOURCES = {
    "dev": PublishedSplit(
        github_file(
            "copa/copa-dev.xml",
            _REPOSITORY,
            "datasets/copa-dev.xml",
            _COMMIT,
            "6251d7d99de4cbc6a2c3323923213e5e73071d286039b97a0908736e2be093bc",
        ),
        "bb8457e7f9a8685b14215396eeb0c40140f71811ea38fb80a1049dfd63472be7",
    ),
    "test": PublishedSplit(
        github_file(
            "copa/copa-test.xml",
            _REPOSITORY,
            "datasets/copa-test.xml",
            _COMMIT,
            "640824681bde78a7592726504d7d9bab294e5de26072d973307fa80d34919d92",
        ),
        "6d9e6c25973f0b3c01e46f90b0d71df04bb09bbd18cdcbd102d6471ad9bf2afd",
    ),
}


def load(folder: str | None = None) -> Benchmark:
    """Load COPA."""
    roles = {"train": "dev", "test": "test"}
    return load_published("copa", SOURCES, roles, CARD, folder)
