"""Items as arrays of numbers: each distinct text once, as word ids, and references to texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...types import Item, Items

Ints = NDArray[np.int64]
Contexts = Callable[[Item], Sequence[str]]  # context texts of an item, always equally many
Split = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class NumericItems:
    """Encoded items. Texts are numbered from 1; 0 is the empty text, also for a missing one."""

    tokens: Ints  # (texts, longest): word ids, padded with zeros
    lengths: Ints  # words of each text
    contexts: Ints  # (items, contexts): numbers of the context texts
    choices: Ints  # (items, most choices): numbers of the choices' texts
    counts: Ints  # choices of each item
    answers: Ints  # -1 if unknown


def encode_items(
    items: Items, contexts: Contexts, split: Split, ids: Mapping[str, int]
) -> NumericItems:
    """Return items as numbers; `ids` maps all their words to numbers from 1 on."""
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
    """Return the distinct words, sorted, of all texts that `encode_items` would read."""
    texts = {text for item in items for text in (*contexts(item), *item.choices)}
    return sorted({word for text in texts for word in split(text)})


def _pad_rows(rows: Sequence[Sequence[int]]) -> Ints:
    table = np.zeros((len(rows), max(map(len, rows), default=0) or 1), np.int64)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table
