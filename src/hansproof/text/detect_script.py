"""The tokenizer that fits the script of a benchmark."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from ..types import Item
from . import scripts
from .tokenizers import AUTO, Tokenizer, get_tokenizer

MIN_SHARE = 0.1  # of the letters, from which on a script decides
_LETTERS = re.compile(r"[^\W\d_]+")


def choose_tokenizer(name: str, items: Iterable[Item]) -> Tokenizer:
    """Return a tokenizer by name; `auto` is `word` or `chars`, by the texts of items.

    `chars` is chosen if more than a tenth of all letters belong to scripts without spaces between
    words, or carry combining marks.
    """
    if name != AUTO:
        return get_tokenizer(name)
    n_letters, n_unspaced, n_marked = _count_letters(_item_texts(items))
    return get_tokenizer("chars" if n_unspaced + n_marked > MIN_SHARE * n_letters else "word")


def is_unspaced(items: Iterable[Item]) -> bool:
    """Whether more than a tenth of all letters belong to scripts without spaces between words."""
    n_letters, n_unspaced, _ = _count_letters(_item_texts(items))
    return n_unspaced > MIN_SHARE * n_letters


def count_unspaced(text: str) -> int:
    """Count the letters of scripts without spaces between words."""
    return 0 if text.isascii() else len(text) - len(_unspaced_run().sub("", text))


def _item_texts(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        yield from item.choices
        yield from item.fields.values()


def _count_letters(texts: Iterable[str]) -> tuple[int, int, int]:
    """Count all letters, those of scripts without spaces, and other letters with marks."""
    texts = list(texts)
    if all(map(str.isascii, texts)):
        return 0, 0, 0
    n_letters, n_unspaced, n_marked = 0, 0, 0
    for text in texts:
        n_letters += len(text) - len(_LETTERS.sub("", text))
        n_unspaced += count_unspaced(text)
        n_marked += 0 if text.isascii() else len(_marked_letter().findall(text))
    return n_letters, n_unspaced, n_marked


@cache
def _unspaced_run() -> re.Pattern[str]:
    return re.compile(f"[{scripts.unspaced_class()}]+")


@cache
def _marked_letter() -> re.Pattern[str]:
    return re.compile(rf"[^\W\d_{scripts.unspaced_class()}](?=[{scripts.mark_class()}])")
