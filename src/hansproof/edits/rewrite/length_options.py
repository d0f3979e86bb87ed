"""The ways to change the lengths of an item's choices: at most two choices, to plain places.

A choice can become longer or shorter than all others, or lie between two of them; the right choice
and another can swap their lengths, or meet half-way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...rules.features import Ints, Mask

BEYOND = (1.15, 1.35, 1.6)  # times the longest other choice, or the shortest divided by it
MIN_RATIO = 1.3  # between two choices, for a third to lie between them
SHORTENED, LENGTHENED = 0.25, 4.0  # times its length that a choice may have at most
MIN_CHARACTERS = 12  # that a changed choice has afterwards, or as many as the shortest
DOUBLING, HALVING = 0.5, 0.75  # the effort to do so, if the effort to touch a text is 1
MEETING = 1.25  # times the other's length, where two choices meet


@dataclass(frozen=True, slots=True)
class LengthChange:
    """New numbers of characters for some choices of an item; none: the item stays as it is."""

    targets: tuple[tuple[int, int], ...] = ()  # a choice and its length
    effort: float = 0.0


def list_changes(lengths: Ints, answer: int, is_changeable: Mask) -> list[LengthChange]:
    """List the changes of an item that are not too large; the first is none."""
    return [
        LengthChange(),
        *_change_one(lengths, is_changeable),
        *_change_two(lengths, answer, is_changeable),
    ]


def _change_one(lengths: Ints, is_changeable: Mask) -> Iterator[LengthChange]:
    for choice in range(lengths.size):
        for target in _find_places(np.delete(lengths, choice)):
            yield from _make_change(lengths, is_changeable, {choice: target})


def _change_two(lengths: Ints, answer: int, is_changeable: Mask) -> Iterator[LengthChange]:
    right = int(lengths[answer])
    for choice, length in enumerate(lengths.tolist()):
        if choice == answer:
            continue
        middle = round((right * length) ** 0.5)
        beyond = round(middle * MEETING) + 1
        for new_right, new_length in ((length, right), (middle, beyond), (beyond, middle)):
            yield from _make_change(lengths, is_changeable, {answer: new_right, choice: new_length})


def _find_places(other_lengths: Ints) -> list[int]:
    """Return lengths above, below and between the other choices."""
    ordered = np.sort(other_lengths).tolist()
    if not ordered:
        return []
    above = [round(ordered[-1] * factor) + 1 for factor in BEYOND]
    below = [int(ordered[0] / factor) for factor in BEYOND]
    between = [
        round((low * high) ** 0.5) for low, high in pairwise(ordered) if high >= MIN_RATIO * low
    ]
    return [*below, *between, *above]


def _make_change(
    lengths: Ints, is_changeable: Mask, targets: dict[int, int]
) -> Iterator[LengthChange]:
    """Yield the change if it changes something and is possible."""
    effort = 0.0
    for choice, target in targets.items():
        if not (is_changeable[choice] and lengths[choice]):  # nothing can be added to no text
            return
        factor = target / int(lengths[choice])
        if not (
            target >= min(MIN_CHARACTERS, int(lengths.min()))
            and factor != 1
            and SHORTENED <= factor <= LENGTHENED
        ):
            return
        effort += 1 + (DOUBLING if factor > 1 else -HALVING) * float(np.log2(factor))
    yield LengthChange(tuple(targets.items()), effort)
