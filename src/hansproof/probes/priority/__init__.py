"""Which items should be mirrored first, and how many until nothing is left to see?

To mirror an item is to write a question for each of its wrong choices (Kavumba et al. 2019): then
its words say nothing. The order in which the cues lose their strength fastest, against random
orders. Items are chosen by their answers, so the band is a mark to aim at and no test any more;
the accuracy of a blind model on what was mirrored so far is shown beside it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import ClassVar

from ...checks import check
from ...cues.first import Mirroring
from ...text import tokenizer
from ...types import Benchmark, Items, Result, Table
from .._splits import labelled
from .curve import CURVE, LEFT, Curve, Row
from .wording import notes, sentence

ORDER = ("rank", "item", "split", "words")
UNTIL = ("until", "way", "items", "low", "high", "orders")
WORDS = 3  # of an item that are named
TOP = 1000  # rows of the order that a result holds


@dataclass(frozen=True, slots=True)
class Priority:
    """The order, and what is left after so many items, in that order and in random ones."""

    needs: ClassVar[tuple[str, ...]] = ()
    on_request: ClassVar[bool] = True

    split: str | None = None  # a split, a+b, or pooled; without it all labelled items together
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "word"  # word, nltk or whitespace
    level: float = 0.05  # false-discovery rate at which a cue is significant
    shuffles: int = 20  # random orders to compare with
    randomisations: int = 999  # of the null behind the aggregate cue strength
    seed: int = 0  # of shuffles, randomisations and folds

    def __post_init__(self) -> None:
        check("ngram", self.ngram, 1)
        check("level", self.level, 1e-4, 1)
        check("shuffles", self.shuffles, 1)
        check("randomisations", self.randomisations, 39)
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Result:
        parts, skipped = labelled(benchmark, self.split)
        items = tuple(item for some in parts.values() for item in some)
        tokens = tokenizer(self.tokenizer)
        found = Mirroring.of(items, tokens, self.ngram, self.level, self.randomisations, self.seed)
        curve = Curve(found, self.seed, self.shuffles)
        marks = curve.marks()
        points = curve.left(marks)
        most = max(int(mark.items) for mark in marks if mark.way == "priority")
        ranked = _ranked(found, parts)
        return Result(
            probe="priority",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict="caution" if most else "clear",
            sentence=sentence(marks, len(items)),
            estimates=tuple(point.estimate() for point in points if point.told),
            tables={
                "order": Table(ORDER, tuple(ranked[:TOP])),
                "curve": Table(CURVE, curve.strengths(marks)),
                "left": Table(LEFT, tuple(point.row() for point in points)),
                "until": Table(UNTIL, tuple(mark.row() for mark in marks)),
            },
            evidence={"mirror first": tuple(str(row[1]) for row in ranked[:most])} if most else {},
            notes=(*skipped, *notes(found.band)),
        )


def _ranked(found: Mirroring, parts: dict[str, Items]) -> list[Row]:
    """All items in order, the first with the words by which they add to the strength."""
    split = {item.id: name for name, some in parts.items() for item in some}
    members: dict[int, list[str]] = defaultdict(list)
    for item, group in zip(found.band.items, found.band.shares.group.tolist(), strict=True):
        members[group].append(item.id)
    told = found.band.words(found.order[:TOP], WORDS)
    rows: list[Row] = []
    for rank, group in enumerate(found.order.tolist()):
        words = ", ".join(f"“{word}”" for word in told[rank]) if rank < len(told) else ""
        rows += [(rank + 1, id, split[id], words) for id in members[group]]
    return rows
