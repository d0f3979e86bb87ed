"""Answers under the null hypothesis that the texts carry no information about them.

Each item's answer is rotated by a random number of positions, the same for all items of a group: a
sign flip for two choices, and a balanced group stays balanced. Positions follow the texts that most
items of a group have; a choice that another copy has not takes the position of the one that it
replaces. So copies with reordered or partly different choices are rotated alike.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..stats import Floats, group_numbers
from ..types import Items

MAX_LISTED_ROTATIONS = 2520  # of a group: enough for any items of up to 10 choices


@dataclass(frozen=True, slots=True)
class AnswerRotations:
    """The answers of items, ready to be rotated group by group."""

    sizes: NDArray[np.int64]  # choices by item
    positions: NDArray[np.int64]  # of the answers, in the order in which they rotate
    choice_by_position: NDArray[np.int64]
    group: NDArray[np.int64]  # by item

    def rotate(self, rotations: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the answers after each group's have moved by so many positions."""
        first = np.cumsum(self.sizes) - self.sizes
        moved = (self.positions + rotations[self.group]) % self.sizes
        return self.choice_by_position[first + moved]


def build_rotations(items: Items, groups: Sequence[str | None]) -> AnswerRotations:
    """Prepare the rotation of the answers of all items."""
    orders = _choice_orders(items, groups)
    positions = (order.index(item.answer or 0) for order, item in zip(orders, items, strict=True))
    return AnswerRotations(
        np.array([len(item.choices) for item in items], np.int64),
        np.fromiter(positions, np.int64, len(items)),
        np.array([choice for order in orders for choice in order], np.int64),
        group_numbers(groups),
    )


def rotate_answers(
    items: Items, groups: Sequence[str | None], randomisations: int, seed: int
) -> Iterator[NDArray[np.int64]]:
    """Yield the answers of all items for each randomisation; items of a group rotate together."""
    answers = build_rotations(items, groups)
    n_groups = int(answers.group.max()) + 1
    rng = np.random.default_rng(seed)
    for _ in range(randomisations):
        yield answers.rotate(rng.integers(0, 2**31, n_groups))


def rotate_credits(
    items: Items, groups: Sequence[str], choice_credits: Sequence[Sequence[float]]
) -> list[Floats]:
    """Return what each group earns with every rotation of its answers, the true one first.

    `choice_credits` is what an item earns with each of its choices as the answer. If the items of a
    group differ so much in their number of choices that it has too many rotations to list, only its
    first item counts.
    """
    rows_by_group: dict[str, list[Floats]] = defaultdict(list)
    for item, group, order, earned in zip(
        items, groups, _choice_orders(items, groups), choice_credits, strict=True
    ):
        position = order.index(item.answer or 0)
        rows_by_group[group].append(np.roll([earned[choice] for choice in order], -position))
    return [_sum_rotations(rows) for rows in rows_by_group.values()]


def _sum_rotations(rows: Sequence[Floats]) -> Floats:
    sizes = {len(row) for row in rows}
    n_rotations = math.lcm(*sizes)
    if len(sizes) > 1 and n_rotations > MAX_LISTED_ROTATIONS:
        return rows[0]
    return np.asarray(sum(np.tile(row, n_rotations // len(row)) for row in rows), np.float64)


def _choice_orders(items: Items, groups: Sequence[str | None]) -> list[list[int]]:
    """Return the positions of each item's choices, in the order in which answers rotate."""
    group_sizes = Counter(group for group in groups if group is not None)
    choice_counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item, group in zip(items, groups, strict=True):
        if group is not None and group_sizes[group] > 1:  # alone, an item has every choice once
            choice_counts[group].update(set(item.choices))
    ranks_by_group = {group: _rank_texts(counts) for group, counts in choice_counts.items()}
    return [
        _choice_order(item.choices, ranks_by_group.get(group or "", {}))
        for item, group in zip(items, groups, strict=True)
    ]


def _rank_texts(counts: Counter[str]) -> dict[str, int]:
    """Rank the texts of a group, those that most items have first."""
    return {text: rank for rank, text in enumerate(sorted(counts, key=lambda t: (-counts[t], t)))}


def _choice_order(choices: tuple[str, ...], ranks: dict[str, int]) -> list[int]:
    """Put choices at the rank of their text; those of higher ranks fill what is free, in order."""
    ordered = sorted(range(len(choices)), key=lambda c: (ranks.get(choices[c], 0), choices[c]))
    if not ranks:
        return ordered
    at_rank: dict[int, int] = {}
    for choice in ordered:
        at_rank.setdefault(ranks[choices[choice]], choice)
    placed = {rank: choice for rank, choice in at_rank.items() if rank < len(choices)}
    unplaced = iter([choice for choice in ordered if choice not in placed.values()])
    return [placed[k] if k in placed else next(unplaced) for k in range(len(choices))]
