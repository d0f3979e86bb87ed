"""Part-of-speech taggers: a word may replace another with the same part of speech.

>>> tagger = get_tagger("auto")
>>> tagger.tag_words([("the", "dog", "barks")], [1])
['NOUN']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...errors import UnknownName

__all__ = ["Tagger", "are_interchangeable", "get_tagger"]

INTERCHANGEABLE = frozenset(("NOUN", "VERB"))  # may replace each other
FILE_PREFIX = "perceptron:"


class Tagger(Protocol):
    """Finds which of the twelve Universal tags a word has in its text."""

    @property
    def name(self) -> str:
        """The name of the tagger in results."""

    def tag_words(self, texts: Sequence[tuple[str, ...]], positions: Sequence[int]) -> list[str]:
        """Return the tag of one word of each text, at the given position."""


def get_tagger(name: str) -> Tagger:
    """Return a tagger: `auto`, `spacy`, `perceptron`, or `perceptron:PATH` for a saved one."""
    from . import perceptron, spacy_tagger, training

    if name.startswith(FILE_PREFIX):
        return perceptron.load_tagger(name.removeprefix(FILE_PREFIX))
    if name == "auto":
        name = "spacy" if spacy_tagger.installed_package() else "perceptron"
    if name == "spacy":
        return spacy_tagger.SpacyTagger.load()
    if name == "perceptron":
        return training.load_or_train()
    raise UnknownName("tagger", name, ("auto", "spacy", "perceptron", f"{FILE_PREFIX}PATH", "none"))


def are_interchangeable(first: str, second: str) -> bool:
    """Whether words with these tags may replace each other."""
    return first == second or {first, second} == INTERCHANGEABLE
