"""Where words stand in a text, as the tokenizer of a result sees them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..errors import HansproofError
from ..text import Tokenizer, find, tokenizer
from ..types import Result
from .store import Spans

Finder = Callable[[str, str], Spans]  # text, words -> where they stand in it


def finder(result: Result, what: str) -> tuple[Finder, tuple[str, ...]]:
    """Finds nothing, and says so, where the tokenizer is not installed: a report can be drawn."""
    try:
        named = tokenizer(str(result.params["tokenizer"]))
    except HansproofError as error:
        return (lambda text, words: []), (f"{what} are not marked in the items: {error}.",)
    # A text is looked at for many words and is cut once.
    cutter = Tokenizer(named.name, cache(named.split))
    return (lambda text, words: find(cutter, text, words)), ()
