"""Items that stand somewhere in other words: a sketch of their short N-grams.

Of the question with the right choice the shingles of five words with the smallest hashes are
kept (a MinHash sketch, bottom k): the share of them that stands together in a passage estimates
the share of all. A passage that comes near is then compared in full.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from ..text.tokenizers import extract_ngrams
from ..types import Item
from .sequences import WordSplitter

SHINGLE_WORDS = 5  # words
SKETCH_SIZE = 32  # shingles of an item
MIN_ITEM_SHINGLES = 4  # shingles that an item must have to be looked for
SHINGLE_PART = 8  # marks a shingle, beside QUESTION, RIGHT and WRONG


def item_words(item: Item, split: WordSplitter) -> list[str]:
    """The question and the right choice, or all choices where none is known to be right."""
    chosen = item.choices if item.answer is None else (item.choices[item.answer],)
    return [word for text in (*item.fields.values(), *chosen) for word in split(text)]


def sketch_starts(words: list[str]) -> list[int]:
    """Where the shingles begin that are looked for; none of a text that has too few."""
    first_starts = {
        gram: start for start, gram in reversed([*enumerate(extract_ngrams(words, SHINGLE_WORDS))])
    }
    if len(first_starts) < MIN_ITEM_SHINGLES:
        return []
    return [first_starts[gram] for gram in sorted(first_starts, key=_hash_shingle)[:SKETCH_SIZE]]


def _hash_shingle(shingle: str) -> bytes:
    return hashlib.blake2b(shingle.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def shingle_containment(item: list[str], passage: list[str], common: Iterable[str] = ()) -> float:
    """The share of an item's shingles that stand in a passage, both given as words.

    Those of N-grams that are known to be common, or a template, count as not there.
    """
    item_shingles = {*extract_ngrams(item, SHINGLE_WORDS)}
    if not item_shingles:
        return 0.0
    shared = item_shingles & {*extract_ngrams(passage, SHINGLE_WORDS)}
    return len(
        shared - {s for gram in common for s in extract_ngrams(gram.split(" "), SHINGLE_WORDS)}
    ) / len(item_shingles)
