"""Shingles: short N-grams by which near-duplicates of items are found.

An index contains, for each item, the shingles of its question and right choice with the smallest
hashes (a bottom-k MinHash sketch). Passages that contain some of them are compared with all
shingles of the item.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from ..text.ngrams import extract_ngrams
from ..types import Item
from .sequences import WordSplitter

SHINGLE_WORDS = 5
SKETCH_SIZE = 32  # shingles of an item in the index
MIN_ITEM_SHINGLES = 4  # items with fewer are not looked for
SHINGLE_PART = 8  # marks shingles among postings, besides QUESTION, RIGHT and WRONG


def item_words(item: Item, split: WordSplitter) -> list[str]:
    """Return the words of the question and the right choice, or of all choices without answer."""
    chosen = item.choices if item.answer is None else (item.choices[item.answer],)
    return [word for text in (*item.fields.values(), *chosen) for word in split(text)]


def sketch_starts(words: list[str]) -> list[int]:
    """Return where the shingles of the sketch begin; nothing for a text with too few shingles."""
    first_starts = {
        gram: start for start, gram in reversed([*enumerate(extract_ngrams(words, SHINGLE_WORDS))])
    }
    if len(first_starts) < MIN_ITEM_SHINGLES:
        return []
    return [first_starts[gram] for gram in sorted(first_starts, key=_hash_shingle)[:SKETCH_SIZE]]


def _hash_shingle(shingle: str) -> bytes:
    return hashlib.blake2b(shingle.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def shingle_containment(item: list[str], passage: list[str], common: Iterable[str] = ()) -> float:
    """Return the share of an item's shingles that a passage contains.

    Both are lists of words. Shingles of `common` N-grams do not count as contained.
    """
    item_shingles = {*extract_ngrams(item, SHINGLE_WORDS)}
    if not item_shingles:
        return 0.0
    shared = item_shingles & {*extract_ngrams(passage, SHINGLE_WORDS)}
    for gram in common:
        shared -= {*extract_ngrams(gram.split(" "), SHINGLE_WORDS)}
    return len(shared) / len(item_shingles)
