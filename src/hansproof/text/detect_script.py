"""The tokenizer that fits the script of a benchmark."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from ..types import Item
from . import scripts
from .tokenizers import AUTO, Tokenizer, get_tokenizer

MIN_SHARE = 0.1  # of the letters, above which a script decides
_LETTERS = re.compile(r"[^\W\d_]+")
_ASCII_OTHERS = bytes(code for code in range(128) if not chr(code).isalpha())


@dataclass(frozen=True, slots=True)
class ScriptShares:
    """Shares of letters: of scripts without spaces between words, with marks, and of either."""

    unspaced: float = 0.0
    marked: float = 0.0
    either: float = 0.0


def choose_tokenizer(name: str, items: Iterable[Item]) -> Tokenizer:
    """Return a tokenizer by name; `auto` is `word` or `chars`, by the texts of items.

    `chars` is chosen if more than a tenth of all letters belong to scripts without spaces between
    words, or carry combining marks.
    """
    if name != AUTO:
        return get_tokenizer(name, suggested=(AUTO,))
    return get_tokenizer("chars" if measure_scripts(items).either > MIN_SHARE else "word")


def measure_scripts(items: Iterable[Item]) -> ScriptShares:
    """Measure the scripts of all choices and fields."""
    texts = [*_item_texts(items)]
    if all(map(str.isascii, texts)):
        return ScriptShares()
    n_letters = sum(map(count_letters, texts))
    n_unspaced, n_marked, n_marked_spaced = 0, 0, 0
    for text in texts:
        if not text.isascii():
            n_unspaced += count_unspaced(text)
            n_marked += len(_marked_letter().findall(text))
            n_marked_spaced += len(_marked_spaced_letter().findall(text))
    n_letters = max(n_letters, 1)
    return ScriptShares(
        n_unspaced / n_letters, n_marked / n_letters, (n_unspaced + n_marked_spaced) / n_letters
    )


def count_letters(text: str) -> int:
    """Count the letters of all scripts."""
    if text.isascii():  # most texts are, and bytes are counted much faster
        return len(text.encode().translate(None, _ASCII_OTHERS))
    return len(text) - len(_LETTERS.sub("", text))


def count_unspaced(text: str) -> int:
    """Count the letters of scripts without spaces between words."""
    return 0 if text.isascii() else len(text) - len(_unspaced_run().sub("", text))


def _item_texts(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        yield from item.choices
        yield from item.fields.values()


@cache
def _unspaced_run() -> re.Pattern[str]:
    return re.compile(f"[{scripts.unspaced_class()}]+")


@cache
def _marked_letter() -> re.Pattern[str]:
    return re.compile(rf"[^\W\d_](?=[{scripts.mark_class()}])")


@cache
def _marked_spaced_letter() -> re.Pattern[str]:
    return re.compile(rf"[^\W\d_{scripts.unspaced_class()}](?=[{scripts.mark_class()}])")
