"""Named tokenizers.

Numbers depend on the tokenizer, so every result states its full name, with the version where that
matters (`nltk 3.9.1`). `word` reproduces Kavumba et al. 2019, `nltk`
Branco et al. 2021; both papers' cue tables change with any other choice. `chars` and `pairs` are
for scripts without spaces between words; `choose_tokenizer` picks one by the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ..errors import MissingExtra, UnknownName
from . import scripts

# patterns of the tokenizers whose tokens are all matches in the text itself, but for lower case
COMPILED_PATTERNS = {"word": r"\w+", "whitespace": r"\S+"}
WORD = re.compile(COMPILED_PATTERNS["word"])
AUTO = "auto"  # `word` or `chars`, by the text: see `choose_tokenizer`
GRAPHEME_TOKENIZERS = ("chars", "pairs")


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A named function that splits a text into tokens."""

    name: str
    split: Callable[[str], list[str]]
    fold: Callable[[str], str] = str.lower  # rewrites a text before it is split


def get_tokenizer(name: str, suggested: tuple[str, ...] = ()) -> Tokenizer:
    """Return a tokenizer by name; a version may follow the name.

    `word`, `whitespace`, `chars` and `pairs` are built in; `nltk`, `jieba`, `sudachi` and
    `pythainlp` need their packages. For an unknown name, the error also suggests `suggested`.
    """
    factories = {
        "word": _word_tokenizer,
        "chars": _chars_tokenizer,
        "pairs": _pairs_tokenizer,
        "whitespace": _whitespace_tokenizer,
        "nltk": _nltk_tokenizer,
        "jieba": _jieba_tokenizer,
        "sudachi": _sudachi_tokenizer,
        "pythainlp": _pythainlp_tokenizer,
    }
    short_name = name.split(" ")[0]
    if short_name not in factories:
        raise UnknownName("tokenizer", name, [*suggested, *factories])
    return factories[short_name]()


def _word_tokenizer() -> Tokenizer:
    return Tokenizer("word", lambda text: WORD.findall(text.lower()))


def _whitespace_tokenizer() -> Tokenizer:
    return Tokenizer("whitespace", str.split, fold=str)


def _chars_tokenizer() -> Tokenizer:
    pattern = scripts.token_pattern()
    return Tokenizer(
        "chars", lambda text: pattern.findall(scripts.fold_text(text)), scripts.fold_text
    )


def _pairs_tokenizer() -> Tokenizer:
    run_pattern, grapheme_pattern = scripts.run_pattern(), scripts.grapheme_pattern()

    def split_pairs(text: str) -> list[str]:
        tokens: list[str] = []
        for run in run_pattern.findall(scripts.fold_text(text)):
            graphemes = grapheme_pattern.findall(run)
            pairs = [first + second for first, second in pairwise(graphemes)]
            tokens += pairs or [run]
        return tokens

    return Tokenizer("pairs", split_pairs, scripts.fold_text)


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


def _jieba_tokenizer() -> Tokenizer:
    from .word_libraries import load_jieba

    return _library_tokenizer(*load_jieba())


def _sudachi_tokenizer() -> Tokenizer:
    from .word_libraries import load_sudachi

    return _library_tokenizer(*load_sudachi())


def _pythainlp_tokenizer() -> Tokenizer:
    from .word_libraries import load_pythainlp

    return _library_tokenizer(*load_pythainlp())


def _library_tokenizer(name: str, cut_words: Callable[[str], list[str]]) -> Tokenizer:
    """Return a tokenizer of the words that a library finds, without punctuation and spaces."""

    def split_words(text: str) -> list[str]:
        words = cut_words(scripts.fold_text(text))
        return [token for word in words for token in word.split() if WORD.search(token)]

    return Tokenizer(name, split_words, scripts.fold_text)
