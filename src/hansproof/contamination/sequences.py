"""What of an item may stand in a text: its fields and one choice after the other.

Branco et al. 2021 after GPT-3: the question with each of its choices; where there are two fields
(ARCT: claim and reason), every order of these and the choice. N is the length that 95 % of the
sequences reach, but at least 8 and at most 13 words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations

import numpy as np

from ..types import Item

QUESTION, RIGHT, WRONG = 1, 2, 4  # where the words of an N-gram stand, added up
LEAST, MOST = 8, 13  # words, GPT-3's bounds
PERCENT = 5

Part = tuple[list[str], int]  # words, and where they stand
Split = Callable[[str], list[str]]


def sequences(item: Item, split: Split) -> Iterator[tuple[Part, ...]]:
    """An item as somebody might have written it down."""
    fields = [(split(text), QUESTION) for text in item.fields.values()]
    for number, choice in enumerate(item.choices):
        parts = (*fields, (split(choice), RIGHT if number == item.answer else WRONG))
        yield from permutations(parts) if len(fields) == 2 else (parts,)


def words(sequence: Iterable[Part]) -> tuple[list[str], list[int]]:
    """A sequence word by word, and where each stands."""
    parts = [*sequence]
    return (
        [word for part, _ in parts for word in part],
        [where for part, where in parts for _ in part],
    )


def length(items: Iterable[Item], split: Split) -> int:
    """N by the rule of the fifth percentile."""
    sizes = [sum(len(part) for part, _ in one) for i in items for one in sequences(i, split)]
    return int(min(max(np.percentile(sizes, PERCENT), LEAST), MOST)) if sizes else LEAST
