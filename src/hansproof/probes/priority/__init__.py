"""Which items should be mirrored first, and how many until no cue is left?

To mirror an item is to write a new question for each of its wrong choices (Kavumba et al. 2019), so
that the words of its choices no longer predict the answer. Shows the order that weakens the cues
(words and phrases) fastest, compared with random orders. Items are chosen by their answers, so
reaching the chance band is a target, not a test; the accuracy of a model without the question is
shown as well.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import ClassVar

from ..._infra.validation import check_range
from ...cues.mirror_order import MirrorOrder
from ...types import Benchmark, Items, Result, Table
from .._splits import labelled_splits
from .._tokens import check_tokens, resolve_tokenizer
from .curve import CURVE_COLUMNS, LEFT_COLUMNS, PRIORITY, MirrorCurve
from .verdict import NO_CUES, decide_verdict, write_notes, write_summary

ORDER_COLUMNS = ("rank", "item", "split", "words")
UNTIL_COLUMNS = ("until", "way", "items", "low", "high", "orders")
WORDS_PER_ITEM = 3  # of an item that are named
MAX_ROWS = 1000  # rows of the order that a result holds


@dataclass(frozen=True, slots=True)
class Priority:
    """The order of items, and the cues left after mirroring n of them, in that and in random
    orders.
    """

    needs: ClassVar[tuple[str, ...]] = ()
    on_request: ClassVar[bool] = True

    split: str | None = None  # a split, a+b, or pooled; default: all labelled items together
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    level: float = 0.05  # false-discovery rate at which a cue is significant
    shuffles: int = 20  # number of random orders to compare with
    randomisations: int = 999  # number of randomisations behind the aggregate cue strength
    seed: int = 0  # random seed of shuffles, randomisations and folds

    def __post_init__(self) -> None:
        check_range("ngram", self.ngram, 1)
        check_range("level", self.level, 1e-4, 1)
        check_range("shuffles", self.shuffles, 1)
        check_range("randomisations", self.randomisations, 39)
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Result:
        parts, skipped = labelled_splits(benchmark, self.split)
        items = tuple(item for split_items in parts.values() for item in split_items)
        tokens = resolve_tokenizer(self.tokenizer, benchmark)
        mirroring = MirrorOrder.from_items(
            items, tokens, self.ngram, self.level, self.randomisations, self.seed
        )
        curve = MirrorCurve(mirroring, self.seed, self.shuffles)
        marks = curve.find_milestones()
        points = curve.remaining_points(marks)
        n_first = max(int(mark.items) for mark in marks if mark.way == PRIORITY)
        ranked = _rank_items(mirroring, parts)
        n_tested = mirroring.cues.make_counter().compute_flags().n_tested
        summary = write_summary(marks, len(items)) if n_tested else NO_CUES
        first_ids = tuple(item_id for _, item_id, _, _ in ranked[:n_first])
        result = Result(
            probe="priority",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict=decide_verdict(marks, n_tested),
            summary=summary,
            estimates=tuple(point.build_estimate() for point in points if point.is_estimate),
            tables={
                "order": Table(ORDER_COLUMNS, tuple(ranked[:MAX_ROWS])),
                "curve": Table(CURVE_COLUMNS, curve.strength_rows(marks)),
                "left": Table(LEFT_COLUMNS, tuple(point.table_row() for point in points)),
                "until": Table(UNTIL_COLUMNS, tuple(mark.table_row() for mark in marks)),
            },
            evidence={"mirror first": first_ids} if n_first else {},
            notes=(*skipped, *write_notes(mirroring.band)),
        )
        return check_tokens(result, tokens, items)


def _rank_items(mirroring: MirrorOrder, parts: dict[str, Items]) -> list[tuple[int, str, str, str]]:
    """Return all items in order; the first ones with the cues that they strengthen most."""
    split = {item.id: name for name, split_items in parts.items() for item in split_items}
    members: dict[int, list[str]] = defaultdict(list)
    for item, group in zip(mirroring.band.items, mirroring.band.shares.group.tolist(), strict=True):
        members[group].append(item.id)
    words_by_rank = mirroring.band.strongest_cues(mirroring.order[:MAX_ROWS], WORDS_PER_ITEM)
    rows: list[tuple[int, str, str, str]] = []
    for rank, group in enumerate(mirroring.order.tolist()):
        words = (
            ", ".join(f"“{word}”" for word in words_by_rank[rank])
            if rank < len(words_by_rank)
            else ""
        )
        rows += [(rank + 1, id, split[id], words) for id in members[group]]
    return rows
