"""Named tokenizers.

Numbers depend on the tokenizer, so every result states its full name, with the version where that
matters (`nltk 3.9.1`). `word` reproduces Kavumba et al. 2019, `nltk`
Branco et al. 2021; both papers' cue tables change with any other choice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import MissingExtra, UnknownName

# patterns of the tokenizers that compiled code can apply; others are applied by Python
COMPILED_PATTERNS = {"word": r"\w+", "whitespace": r"\S+"}
WORD = re.compile(COMPILED_PATTERNS["word"])


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A named function that splits a text into tokens."""

    name: str
    split: Callable[[str], list[str]]


def get_tokenizer(name: str) -> Tokenizer:
    """Return a tokenizer by name: `word`, `nltk` or `whitespace`; a version may follow the name."""
    factories = {
        "word": _word_tokenizer,
        "nltk": _nltk_tokenizer,
        "whitespace": _whitespace_tokenizer,
    }
    short_name = name.split(" ")[0]
    if short_name not in factories:
        raise UnknownName("tokenizer", name, factories)
    return factories[short_name]()


def _word_tokenizer() -> Tokenizer:
    return Tokenizer("word", lambda text: WORD.findall(text.lower()))


def _whitespace_tokenizer() -> Tokenizer:
    return Tokenizer("whitespace", str.split)


def _nltk_tokenizer() -> Tokenizer:
    try:
        import nltk
    except ImportError:
        raise MissingExtra("nltk", "the nltk tokenizer") from None
    try:
        nltk.word_tokenize("a")
    except LookupError:
        raise MissingExtra(
            "nltk", "the nltk tokenizer (and its punkt_tab data, named by NLTK_DATA)"
        ) from None

    def split_words(text: str) -> list[str]:
        return [word.lower() for word in nltk.word_tokenize(text) if word.isalnum()]

    return Tokenizer(f"nltk {nltk.__version__}", split_words)
