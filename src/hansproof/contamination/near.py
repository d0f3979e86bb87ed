"""Items that stand somewhere in other words: a sketch of their short N-grams.

Of the question with the right choice the shingles of five words with the smallest hashes are
kept (a MinHash sketch, bottom k): the share of them that stands together in a passage estimates
the share of all. A passage that comes near is then compared in full.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from ..text import ngrams
from ..types import Item
from .sequences import Split

SHINGLE = 5  # words
SKETCH = 32  # shingles of an item
FEWEST = 4  # shingles that an item must have to be looked for
NEAR = 8  # marks a shingle, beside QUESTION, RIGHT and WRONG


def words_of(item: Item, split: Split) -> list[str]:
    """The question and the right choice, or all choices where none is known to be right."""
    chosen = item.choices if item.answer is None else (item.choices[item.answer],)
    return [word for text in (*item.fields.values(), *chosen) for word in split(text)]


def sketch(words: list[str]) -> list[int]:
    """Where the shingles begin that are looked for; none of a text that has too few."""
    found = {gram: at for at, gram in reversed([*enumerate(ngrams(words, SHINGLE))])}
    if len(found) < FEWEST:
        return []
    return [found[gram] for gram in sorted(found, key=_hash)[:SKETCH]]


def _hash(shingle: str) -> bytes:
    return hashlib.blake2b(shingle.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def containment(item: list[str], passage: list[str], common: Iterable[str] = ()) -> float:
    """The share of an item's shingles that stand in a passage, both given as words.

    Those of N-grams that are known to be common, or a template, count as not there.
    """
    mine = {*ngrams(item, SHINGLE)}
    if not mine:
        return 0.0
    there = mine & {*ngrams(passage, SHINGLE)}
    return len(there - {s for gram in common for s in ngrams(gram.split(" "), SHINGLE)}) / len(mine)
