"""Named tokenizers and n-grams.

A tokenizer is part of every number that depends on it, so its full name, with the version where
one matters (`nltk 3.9.1`), stands in the result. `word` reproduces Kavumba et al. 2019, `nltk`
Branco et al. 2021; both papers' cue tables change with any other choice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..errors import MissingExtra, UnknownName

WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A named way to cut a text into tokens."""

    name: str
    split: Callable[[str], list[str]]


def get_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name: `word`, `nltk` or `whitespace`; a version may follow."""
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


def normalise_text(text: str) -> str:
    """A text without case, punctuation and blanks."""
    return " ".join(WORD.findall(text.lower()))


def extract_ngrams(tokens: Sequence[str], order: int) -> list[str]:
    """The n-grams of one order, tokens joined by blanks."""
    return [" ".join(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def find_ngram(tokenizer: Tokenizer, text: str, ngram: str) -> list[tuple[int, int]]:
    """Where an n-gram stands in a text: (start, end) in characters, for marking it.

    Tokens are looked up one after the other in the text. One that the tokenizer rewrote so that
    it cannot be found is passed over: marks are a reading aid, counts never come from here.
    """
    lower_text = text.lower() if len(text.lower()) == len(text) else text
    source = text if tokenizer.name == "whitespace" else lower_text
    tokens, spans, cursor = [], [], 0
    for token in tokenizer.split(text):
        start = source.find(token, cursor)
        if start >= 0:
            cursor = start + len(token)
            tokens.append(token)
            spans.append((start, cursor))
    order = ngram.count(" ") + 1
    return [
        (spans[i][0], spans[i + order - 1][1])
        for i, candidate in enumerate(extract_ngrams(tokens, order))
        if candidate == ngram
    ]
