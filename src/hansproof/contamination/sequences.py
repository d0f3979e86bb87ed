"""The word sequences of an item that are looked for: its fields with each of its choices.

As in Branco et al. 2021, after GPT-3: the question with each choice; with two fields (ARCT: claim
and reason), every order of both fields and the choice. N is the length that 95% of the sequences
reach, but at least 8 and at most 13 words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations

import numpy as np

from ..types import Item

QUESTION, RIGHT, WRONG = 1, 2, 4  # parts of an item, combined by |
MIN_N, MAX_N = 8, 13  # words, GPT-3's bounds
PERCENTILE = 5

SequencePart = tuple[list[str], int]  # words, and their part of the item
WordSplitter = Callable[[str], list[str]]


def item_sequences(item: Item, split: WordSplitter) -> Iterator[tuple[SequencePart, ...]]:
    """Yield the orders in which a text may contain the parts of an item."""
    fields = [(split(text), QUESTION) for text in item.fields.values()]
    for number, choice in enumerate(item.choices):
        parts = (*fields, (split(choice), RIGHT if number == item.answer else WRONG))
        yield from permutations(parts) if len(fields) == 2 else (parts,)


def sequence_words(sequence: Iterable[SequencePart]) -> tuple[list[str], list[int]]:
    """Return the words of a sequence, and the part of each word."""
    parts = [*sequence]
    return (
        [word for part, _ in parts for word in part],
        [part_code for part, part_code in parts for _ in part],
    )


def choose_n(items: Iterable[Item], split: WordSplitter) -> int:
    """Choose N by the fifth percentile of the lengths of sequences."""
    sizes = [
        sum(len(part) for part, _ in sequence)
        for item in items
        for sequence in item_sequences(item, split)
    ]
    return int(min(max(np.percentile(sizes, PERCENTILE), MIN_N), MAX_N)) if sizes else MIN_N
