"""COPA with a mirrored partner for every training item, so that no choice gives itself away.

Splits: dev (500 originals and 500 mirrored, ids i and i + 1000, one group each) and COPA's test.
"""

from __future__ import annotations

from dataclasses import replace

from ..download import github_file
from ..types import Benchmark, Card, Item
from . import copa
from ._splits import PublishedSplit, load_published

CARD = Card(
    title="Balanced COPA",
    home="https://balanced-copa.github.io",
    licence="MIT",
    citation="Kavumba, Inoue, Heinzerling, Singh, Reisert, Inui: When Choosing Plausible "
    "Alternatives, Clever Hans can be Clever. COIN workshop, 2019.",
)
SOURCES = {
    "dev": PublishedSplit(
        github_file(
            "balanced_copa/balanced-copa-dev-all.xml",
            "Balanced-COPA/Balanced-COPA",
            "balanced-copa-dev-all.xml",
            "92c2ec6d792b3e43a741d4e94ceb731b25f9a719",
            "2091dce8a2923b8530804644780ebe01fd1ae30342eb2562a3821786274b5b25",
        ),
        "385021ad12d4a3ef290e3f8e21b9a5d0fa8369fa71a1ea02d369f2a339a56620",
    ),
    "test": copa.SOURCES["test"],
}
OFFSET = 1000  # from the id of an original to that of its mirrored partner


def load(folder: str | None = None) -> Benchmark:
    """Load Balanced COPA; its test split is that of COPA."""
    roles = {"train": "dev", "test": "test"}
    benchmark = load_published("balanced_copa", SOURCES, roles, CARD, folder)
    dev = tuple(_set_group(item) for item in benchmark.splits["dev"])
    return replace(benchmark, splits={**benchmark.splits, "dev": dev})


def _set_group(item: Item) -> Item:
    is_mirrored = int(item.id) > OFFSET
    group = str(int(item.id) - OFFSET) if is_mirrored else item.id
    return replace(item, group=group, meta={**item.meta, "mirrored": is_mirrored})
