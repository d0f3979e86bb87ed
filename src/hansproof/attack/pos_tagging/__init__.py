"""Parts of speech: a word may take another's place if it is of the same kind.

>>> tagger = get_tagger("auto")
>>> tagger.tag_words([("the", "dog", "barks")], [1])
['NOUN']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...errors import UnknownName

__all__ = ["Tagger", "are_interchangeable", "get_tagger"]

INTERCHANGEABLE = frozenset(("NOUN", "VERB"))  # one may stand for the other
FILE_PREFIX = "perceptron:"


class Tagger(Protocol):
    """Says which of the twelve Universal tags a word has in its text."""

    @property
    def name(self) -> str:
        """What it is, as results say it."""

    def tag_words(self, texts: Sequence[tuple[str, ...]], positions: Sequence[int]) -> list[str]:
        """The tag of word number `at` of each text."""


def get_tagger(name: str) -> Tagger:
    """`auto`, `spacy`, `perceptron`, or `perceptron:PATH` for one that was trained elsewhere."""
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
    """Whether words of two tags may stand for each other."""
    return first == second or {first, second} == INTERCHANGEABLE
