"""Which answer is true where people hold false beliefs? (TruthfulQA, one right choice: MC1)

Splits: test (817), with 2 to 13 choices per item. The right choice is the first of every item in
the published file: shuffle choices before they are shown (`hansproof edit permute`).

These are the questions of the paper, which most published figures are about. Later revisions by
its authors have 790 questions and other choices.
"""

from __future__ import annotations

from ..download import github_file
from ..types import Benchmark, Card
from ._splits import PublishedSplit, keep_meta, load_published

CARD = Card(
    title="TruthfulQA, multiple choice (MC1)",
    home="https://github.com/sylinrl/TruthfulQA",
    licence="Apache-2.0",
    citation="Lin, Hilton, Evans: TruthfulQA: Measuring How Models Mimic Human Falsehoods. "
    "ACL, 2022.",
)
SOURCES = {
    "test": PublishedSplit(
        github_file(
            "truthfulqa/mc_task.json",
            "sylinrl/TruthfulQA",
            "data/mc_task.json",
            "013686a06be7a7bde5bf8223943e106c7250123c",
            "6eb4125d25750c0145c4be2dce00440736684ab6f74ce6bff2139571cc758954",
        ),
        "8c2fda091e0ec41b8b2eb5dbc0979dabb61a072a92a457a03102214bc8364a08",
    ),
}


def load(folder: str | None = None) -> Benchmark:
    """Load TruthfulQA."""
    benchmark = load_published("truthfulqa", SOURCES, {"test": "test"}, CARD, folder)
    return keep_meta(benchmark, ())
