"""Items as numbers: every distinct text once, as the ids of its words, and which stands where."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...types import Item, Items

Ints = NDArray[np.int64]
Contexts = Callable[[Item], Sequence[str]]  # the texts beside the choices, always as many
Split = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class NumericItems:
    """Texts are counted from 1; 0 is the text without words, and stands where there is none."""

    tokens: Ints  # (texts, longest): the ids of the words, then zeros
    lengths: Ints  # how many words a text has
    contexts: Ints  # (items, slots): the texts beside the choices
    choices: Ints  # (items, most choices)
    counts: Ints  # how many choices an item has
    answers: Ints  # -1 where there is none


def encode_items(
    items: Items, contexts: Contexts, split: Split, ids: Mapping[str, int]
) -> NumericItems:
    """Items in numbers; `ids` has all their words, from 1 on."""
    text_ids: dict[tuple[int, ...], int] = {(): 0}

    def text_index(text: str) -> int:
        return text_ids.setdefault(tuple(ids[word] for word in split(text)), len(text_ids))

    context_ids = [[text_index(text) for text in contexts(item)] for item in items]
    choice_ids = [[text_index(choice) for choice in item.choices] for item in items]
    answers = [-1 if item.answer is None else item.answer for item in items]
    return NumericItems(
        tokens=_pad_rows(list(text_ids)),
        lengths=np.array([len(words) for words in text_ids], np.int64),
        contexts=np.array(context_ids, np.int64).reshape(len(items), -1 if items else 0),
        choices=_pad_rows(choice_ids),
        counts=np.array([len(row) for row in choice_ids], np.int64),
        answers=np.array(answers, np.int64),
    )


def collect_vocabulary(items: Items, contexts: Contexts, split: Split) -> list[str]:
    """The words of items, sorted: of the texts that `code` would look at, and no others."""
    texts = {text for item in items for text in (*contexts(item), *item.choices)}
    return sorted({word for text in texts for word in split(text)})


def _pad_rows(rows: Sequence[Sequence[int]]) -> Ints:
    table = np.zeros((len(rows), max(map(len, rows), default=0) or 1), np.int64)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
