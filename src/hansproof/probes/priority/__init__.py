"""Which items should be mirrored first, and how many until no cue is left?

To mirror an item is to write a new question for each of its wrong choices (Kavumba et al. 2019), so
that its choices no longer predict the answer. Shows the order that weakens the cues (words and
phrases) fastest, or with `--target rules` the rules of `shortcuts`, such as *the longest choice*,
compared with random orders. Items are chosen by their answers, so reaching the chance band is a
target, not a test; the accuracy of a model without the question is shown as well.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal

from ..._infra.validation import check_range, refuse_settings
from ...cues.mirror_order import MirrorOrder
from ...rules.rule_cues import order_by_rules
from ...text.tokenizers import Tokenizer
from ...types import Benchmark, Items, Result, Table
from .._splits import labelled_splits
from .._tokens import check_tokens, resolve_tokenizer
from .blind_models import BagOfWords, BlindModel, FeatureLadder
from .curve import CURVE_COLUMNS, LEFT_COLUMNS, PRIORITY, MirrorCurve
from .verdict import NOTHING_TESTED, decide_verdict, write_notes, write_summary

ORDER_COLUMNS = ("rank", "item", "split")  # and what the item strengthens most:
# by target, the name of that column, how a cue or rule is written in it, and what separates them
STRENGTHENED = {"cues": ("words", "“{}”", ", "), "rules": ("rules", "{}", "; ")}
UNTIL_COLUMNS = ("until", "way", "items", "low", "high", "orders")
CUES_PER_ITEM = 3  # of an item that are named
MAX_ROWS = 1000  # rows of the order that a result holds


@dataclass(frozen=True, slots=True)
class Priority:
    """The order of items, and the cues left after mirroring n of them, in that and in random
    orders.
    """

    needs: ClassVar[tuple[str, ...]] = ()
    on_request: ClassVar[bool] = True

    split: str | None = None  # a split, a+b, or pooled; default: all labelled items together
    target: Literal["cues", "rules"] = "cues"  # weaken words and phrases, or rules of `shortcuts`
    ngram: int = 2  # longest n-gram, in tokens
    tokenizer: str = "auto"  # auto, word, chars, pairs, whitespace, nltk, jieba, sudachi, pythainlp
    level: float = 0.05  # level at which a cue (false-discovery rate) or a rule is significant
    shuffles: int = 20  # number of random orders to compare with
    randomisations: int = 999  # number of randomisations behind the joint strength
    seed: int = 0  # random seed of shuffles, randomisations and folds

    def __post_init__(self) -> None:
        check_range("ngram", self.ngram, 1)
        check_range("level", self.level, 1e-4, 1)
        check_range("shuffles", self.shuffles, 1)
        check_range("randomisations", self.randomisations, 39)
        check_range("seed", self.seed, 0)
        if self.target == "rules":
            refuse_settings("--target rules", self, ("ngram",))

    def __call__(self, benchmark: Benchmark) -> Result:
        parts, skipped = labelled_splits(benchmark, self.split)
        items = tuple(item for split_items in parts.values() for item in split_items)
        tokens = resolve_tokenizer(self.tokenizer, benchmark)
        mirroring, blind_model = self._order_items(items, tokens)
        curve = MirrorCurve(mirroring, blind_model, self.seed, self.shuffles)
        marks = curve.find_milestones()
        points = curve.remaining_points(marks)
        n_first = max(int(mark.items) for mark in marks if mark.way == PRIORITY)
        column, form, separator = STRENGTHENED[self.target]
        ranked = _rank_items(mirroring, parts, form, separator)
        n_tested = mirroring.cues.make_counter().compute_flags().n_tested
        summary = write_summary(marks, len(items), self.target)
        first_ids = tuple(item_id for _, item_id, _, _ in ranked[:n_first])
        result = Result(
            probe="priority",
            params={**asdict(self), "tokenizer": tokens.name},
            verdict=decide_verdict(marks, n_tested),
            summary=summary if n_tested else NOTHING_TESTED[self.target],
            estimates=tuple(point.build_estimate() for point in points if point.is_estimate),
            tables={
                "order": Table((*ORDER_COLUMNS, column), tuple(ranked[:MAX_ROWS])),
                "curve": Table(CURVE_COLUMNS, curve.strength_rows(marks)),
                "left": Table(LEFT_COLUMNS, tuple(point.table_row() for point in points)),
                "until": Table(UNTIL_COLUMNS, tuple(mark.table_row() for mark in marks)),
            },
            evidence={"mirror first": first_ids} if n_first else {},
            notes=(*skipped, *write_notes(mirroring.band, self.target)),
        )
        return check_tokens(result, tokens, items)

    def _order_items(self, items: Items, tokens: Tokenizer) -> tuple[MirrorOrder, BlindModel]:
        """Order the items, and return the blind model that sees what the order is about."""
        if self.target == "rules":
            order = order_by_rules(items, tokens, self.level, self.randomisations, self.seed)
            return order, FeatureLadder(items, tokens, self.seed)
        order = MirrorOrder.from_ngrams(
            items, tokens, self.ngram, self.level, self.randomisations, self.seed
        )
        return order, BagOfWords(items, self.level, self.seed)


def _rank_items(
    mirroring: MirrorOrder, parts: dict[str, Items], form: str, separator: str
) -> list[tuple[int, str, str, str]]:
    """Return all items in order; the first ones with the cues or rules they strengthen most."""
    split = {item.id: name for name, split_items in parts.items() for item in split_items}
    members: dict[int, list[str]] = defaultdict(list)
    for item, group in zip(mirroring.band.items, mirroring.band.shares.group.tolist(), strict=True):
        members[group].append(item.id)
    cues_by_rank = mirroring.band.strongest_cues(mirroring.order[:MAX_ROWS], CUES_PER_ITEM)
    rows: list[tuple[int, str, str, str]] = []
    for rank, group in enumerate(mirroring.order.tolist()):
        strongest = cues_by_rank[rank] if rank < len(cues_by_rank) else ()
        cues = separator.join(map(form.format, strongest))
        rows += [(rank + 1, id, split[id], cues) for id in members[group]]
    return rows
