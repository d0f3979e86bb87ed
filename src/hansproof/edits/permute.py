"""Shuffles choices so that the answers are spread over the positions as evenly as possible.

In every split, and among items with the same number of choices, no position has more than one
answer more than another; the other choices are in random order. Items with choices that refer to
others or to positions (`all of the above`, `both A and C`) keep their order. The new order of an
item depends on the seed, its id and the ids of neighbouring items, not on the order of items.
`permuted` in its meta lists the old position of each choice: with `2,0,1`, the former third choice
is now the first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar
from zlib import crc32

import numpy as np

from .._infra.plural import plural
from .._infra.validation import check_range
from ..text.choice_references import find_choice_references
from ..types import Benchmark, Cell, EditReport, EditResult, Item, Items, Table
from ._parts import replace_splits, select_labelled

COLUMNS = ("split", "choices", "position", "before", "after")
LEFT_ALONE = "choices refer to each other or to places"  # of the evidence
MAX_QUOTED = 5  # references that a note quotes


@dataclass(frozen=True, slots=True)
class Permute:
    """The same items with their choices in another order; ids and groups stay."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; default: every labelled split
    seed: int = 0  # random seed of the order

    def __post_init__(self) -> None:
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> EditResult:
        before = select_labelled(benchmark, self.split)
        after = {split: self._permute_split(split, items) for split, items in before.items()}
        rows = [
            row for split in before for row in _position_rows(split, before[split], after[split])
        ]
        fixed_ids = tuple(
            item.id for items in before.values() for item in items if _has_references(item)
        )
        n_permuted = sum(map(len, before.values())) - len(fixed_ids)
        imbalance = max(map(_max_imbalance, after.values()))
        return EditResult(
            replace_splits(benchmark, after),
            EditReport(
                _write_summary(n_permuted, len(fixed_ids), imbalance),
                tables={"positions": Table(COLUMNS, tuple(rows))},
                evidence={LEFT_ALONE: fixed_ids} if fixed_ids else {},
                notes=(_left_alone_note(before),) if fixed_ids else (),
            ),
        )

    def _permute_split(self, split: str, items: Items) -> Items:
        items_by_size: dict[int, list[Item]] = defaultdict(list)
        for item in sorted(items, key=lambda item: item.id):
            items_by_size[len(item.choices)].append(item)
        permuted_items: dict[str, Item] = {}
        for m, same_size in items_by_size.items():
            rng = np.random.default_rng([self.seed, crc32(split.encode()), m])
            movable = [item for item in same_size if not _has_references(item)]
            fixed_answers = Counter(item.answer or 0 for item in same_size if _has_references(item))
            positions = _answer_positions(len(movable), m, fixed_answers, rng)
            for item, position in zip(movable, positions, strict=True):
                permuted_items[item.id] = _reorder_choices(
                    item, _draw_order(m, item.answer or 0, position, rng)
                )
        return tuple(permuted_items.get(item.id, item) for item in items)


def _has_references(item: Item) -> bool:
    """Whether the order of an item's choices matters to their meaning."""
    return bool(find_choice_references(item.choices))


def original_positions(item: Item) -> tuple[int, ...]:
    """Return by position where that choice of a permuted item was before the first permutation."""
    return tuple(map(int, str(item.meta["permuted"]).split(",")))


def _answer_positions(
    n_items: int, m: int, fixed_answers: Counter[int], rng: np.random.Generator
) -> list[int]:
    """Draw a position for each item's answer, so that all answers are as even as can be.

    `fixed_answers` counts, by position, the answers of items that keep their order.
    """
    tie_order = rng.permutation(m).tolist()  # the positions that get one more are random, too
    counts, positions = Counter(fixed_answers), []
    for _ in range(n_items):
        position = min(tie_order, key=lambda position: counts[position])
        counts[position] += 1
        positions.append(position)
    return [int(position) for position in rng.permutation(np.array(positions, int))]


def _draw_order(m: int, answer: int, position: int, rng: np.random.Generator) -> list[int]:
    """Draw an order of the old positions that puts the answer at `position`."""
    order = [other for other in rng.permutation(m).tolist() if other != answer]
    order.insert(position, answer)
    return order


def _reorder_choices(item: Item, order: Sequence[int]) -> Item:
    earlier = original_positions(item) if "permuted" in item.meta else range(len(order))
    new_meta = {"edit": "permute", "permuted": ",".join(str(earlier[old]) for old in order)}
    return replace(
        item,
        choices=tuple(item.choices[old] for old in order),
        answer=order.index(item.answer or 0),
        meta={**item.meta, **new_meta},
    )


def _answer_counts(items: Items) -> dict[int, Counter[int]]:
    """Count answers by position, separately for each number of choices."""
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for item in items:
        counts[len(item.choices)][item.answer or 0] += 1
    return dict(sorted(counts.items()))


def _max_imbalance(items: Items) -> int:
    """Return the largest difference in the number of answers between two positions."""
    counts = [
        [position_counts[position] for position in range(m)]
        for m, position_counts in _answer_counts(items).items()
    ]
    return max(
        (max(position_counts) - min(position_counts) for position_counts in counts), default=0
    )


def _write_summary(n_permuted: int, n_fixed: int, imbalance: int) -> str:
    balance = "every position has the same number of answers"
    if imbalance:
        answers = "answer" if imbalance == 1 else "answers"
        balance = f"no position has more than {imbalance} {answers} more than another"
    text = f"Shuffled the choices of {plural(n_permuted, 'item')}; {balance}."
    if not n_fixed:
        return text
    verb = "item keeps its" if n_fixed == 1 else "items keep their"
    return f"{text} {n_fixed:,} {verb} order, as choices refer to each other or to positions."


def _left_alone_note(parts: dict[str, Items]) -> str:
    """Quote the choices because of which most items were left alone."""
    texts = Counter(
        item.choices[i].strip(" .").lower()
        for items in parts.values()
        for item in items
        for i in find_choice_references(item.choices)
    )
    quoted = ", ".join(f"“{text}” ({n:,})" for text, n in texts.most_common(MAX_QUOTED))
    return f"Choices that refer to others or to positions, most frequent first: {quoted}."


def _position_rows(split: str, before: Items, after: Items) -> list[tuple[Cell, ...]]:
    old, new = _answer_counts(before), _answer_counts(after)
    return [
        (split, m, position + 1, old[m][position], new[m][position])
        for m in old
        for position in range(m)
    ]
