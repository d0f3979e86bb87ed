"""Whether a tokenizer splits texts into words at all.

A tokenizer that looks for spaces takes a phrase of a script without spaces for one word. No word
occurs twice then, and nothing is found whatever the choices give away.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from ..types import Item
from .detect_script import count_unspaced, is_unspaced
from .tokenizers import Tokenizer

MIN_MEAN_TOKENS = 1.5  # of a choice; with fewer, most choices are single tokens
MAX_MEAN_LETTERS = 6  # of a token in a script without spaces; words are shorter
MAX_ITEMS = 1000  # whose choices are looked at
SPACE_BASED = ("word", "whitespace", "nltk")  # tokenizers that need spaces between words
UNSPLIT_NOTE = (
    "The text has no spaces between words, and the tokenizer takes whole phrases for words: that "
    "nothing is found says nothing. Use the tokenizer auto (the default) or chars."
)


def describe_tokens(tokenizer: Tokenizer, items: Sequence[Item]) -> tuple[str, ...]:
    """Return notes on choices that are not split into words, or that have hardly any to split."""
    tokens_by_choice = _split_choices(tokenizer, items)
    n_tokens = sum(map(len, tokens_by_choice))
    if not n_tokens:
        return ()
    mean_tokens = n_tokens / len(tokens_by_choice)
    if _is_space_based(tokenizer) and is_unspaced(items):
        lengths = [*filter(None, map(count_unspaced, chain.from_iterable(tokens_by_choice)))]
        is_long = bool(lengths) and sum(lengths) > MAX_MEAN_LETTERS * len(lengths)
        if mean_tokens < MIN_MEAN_TOKENS or is_long:
            return (UNSPLIT_NOTE,)
    if mean_tokens < MIN_MEAN_TOKENS:
        return (_describe_few(tokenizer, mean_tokens),)
    return ()


def _describe_few(tokenizer: Tokenizer, mean_tokens: float) -> str:
    note = (
        f"Choices have {mean_tokens:.1f} tokens on average with the tokenizer `{tokenizer.name}`. "
        "That is as it should be if they are single words or numbers"
    )
    if not _is_space_based(tokenizer):
        return f"{note}."
    return (
        f"{note}; a text without spaces would have been taken for one word: try --tokenizer chars."
    )


def _is_space_based(tokenizer: Tokenizer) -> bool:
    return tokenizer.name.split(" ")[0] in SPACE_BASED


def _split_choices(tokenizer: Tokenizer, items: Sequence[Item]) -> list[list[str]]:
    """Split the choices of items; of many items, of evenly spaced ones."""
    step = -(-len(items) // MAX_ITEMS) or 1
    return [tokenizer.split(choice) for item in items[::step] for choice in item.choices]
