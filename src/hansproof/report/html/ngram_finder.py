"""Where words stand in a text, as the tokenizer of a result sees them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ...errors import HansproofError
from ...text.tokenizers import Tokenizer, find_ngram, get_tokenizer
from ...types import Result
from .evidence import TextSpans

NgramFinder = Callable[[str, str], TextSpans]  # text, words -> where they stand in it


def ngram_finder(result: Result, subject: str) -> tuple[NgramFinder, tuple[str, ...]]:
    """Finds nothing, and says so, where the tokenizer is not installed: a report can be drawn."""
    try:
        base_tokenizer = get_tokenizer(str(result.params["tokenizer"]))
    except HansproofError as error:
        return (lambda text, words: []), (f"{subject} are not marked in the items: {error}.",)
    # A text is looked at for many words and is cut once.
    cached_tokenizer = Tokenizer(base_tokenizer.name, cache(base_tokenizer.split))
    return (lambda text, words: find_ngram(cached_tokenizer, text, words)), ()
