"""Which alternative is the more plausible cause or effect of a premise? (COPA)

Splits: dev (500, which its makers train on) and test (500). `asks_for` in meta says whether the
cause or the effect is asked for.
"""

from __future__ import annotations

from ..download import github_file
from ..types import Benchmark, Card
from ._splits import read_splits

CARD = Card(
    title="COPA: Choice of Plausible Alternatives",
    home="https://people.ict.usc.edu/~gordon/copa.html",
    licence="none stated",
    citation="Roemmele, Bejan, Gordon: Choice of Plausible Alternatives: An Evaluation of "
    "Commonsense Causal Reasoning. AAAI Spring Symposium, 2011.",
)
_REPOSITORY, _COMMIT = "drwiner/COPA", "0d59e0efc834004be53ba7569a7793ea8fb13741"
SOURCES = {
    "dev": github_file(
        "copa/copa-dev.xml",
        _REPOSITORY,
        "datasets/copa-dev.xml",
        _COMMIT,
        "6251d7d99de4cbc6a2c3323923213e5e73071d286039b97a0908736e2be093bc",
    ),
    "test": github_file(
        "copa/copa-test.xml",
        _REPOSITORY,
        "datasets/copa-test.xml",
        _COMMIT,
        "640824681bde78a7592726504d7d9bab294e5de26072d973307fa80d34919d92",
    ),
}


def load(folder: str | None = None) -> Benchmark:
    """Load COPA."""
    roles = {"train": "dev", "test": "test"}
    return Benchmark("copa", read_splits(SOURCES, folder), roles, CARD)
