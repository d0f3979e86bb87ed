"""Whether a tokenizer finds the words of a text at all.

A tokenizer that looks for spaces takes a phrase of a script without spaces for one word: no word
occurs twice then, and nothing is found whatever the choices give away. One that takes letters only
cuts words at combining marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from ..types import Item
from .detect_script import MIN_SHARE, count_unspaced, measure_scripts
from .tokenizers import Tokenizer

MIN_MEAN_TOKENS = 1.5  # of a choice; with fewer, most choices are single tokens
MAX_MEAN_LETTERS = 6  # of a token in a script without spaces; words are shorter
MAX_ITEMS = 1000  # whose choices are looked at
SPACE_BASED = ("word", "whitespace", "nltk")  # tokenizers that need spaces between words
MARK_BLIND = ("word", "nltk")  # tokenizers that lose combining marks
UNSPLIT_NOTE = (
    "The tokenizer does not find the words of this script: it needs spaces between words, or "
    "cuts words at combining marks. A result without findings is therefore meaningless. Use the "
    "tokenizer auto (the default) or chars."
)


def describe_tokens(tokenizer: Tokenizer, items: Sequence[Item]) -> tuple[str, ...]:
    """Return notes on choices that are not split into words, or that have hardly any to split."""
    # of many items, evenly spaced ones
    items = items[:: -(-len(items) // MAX_ITEMS) or 1]
    tokens_by_choice = [tokenizer.split(choice) for item in items for choice in item.choices]
    if _is_unsplit(tokenizer, items, tokens_by_choice):
        return (UNSPLIT_NOTE,)
    mean_tokens = _mean(map(len, tokens_by_choice))
    if 0 < mean_tokens < MIN_MEAN_TOKENS:
        return (_describe_few(tokenizer, mean_tokens),)
    return ()


def _is_unsplit(
    tokenizer: Tokenizer, items: Sequence[Item], tokens_by_choice: list[list[str]]
) -> bool:
    """Whether a tokenizer takes phrases for words here, or cuts words at their marks."""
    if not _is_kind(tokenizer, SPACE_BASED):
        return False
    shares = measure_scripts(items)
    if shares.marked > MIN_SHARE and _is_kind(tokenizer, MARK_BLIND):
        return True
    letters = filter(None, map(count_unspaced, chain.from_iterable(tokens_by_choice)))
    return shares.unspaced > MIN_SHARE and (
        _mean(map(len, tokens_by_choice)) < MIN_MEAN_TOKENS or _mean(letters) > MAX_MEAN_LETTERS
    )


def _mean(numbers: Iterable[int]) -> float:
    values = [*numbers]
    return sum(values) / max(len(values), 1)


def _describe_few(tokenizer: Tokenizer, mean_tokens: float) -> str:
    note = (
        f"Choices have {mean_tokens:.1f} tokens on average with the tokenizer `{tokenizer.name}`. "
        "This is fine if they are single words or numbers"
    )
    if not _is_kind(tokenizer, SPACE_BASED):
        return f"{note}."
    return f"{note}; if they are texts without spaces between words, try --tokenizer chars."


def _is_kind(tokenizer: Tokenizer, names: tuple[str, ...]) -> bool:
    return tokenizer.name.split(" ")[0] in names
