"""Parts of speech: a word may take another's place if it is of the same kind.

>>> by = tagger("auto")
>>> by.tags([("the", "dog", "barks")], [1])
['NOUN']
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...errors import UnknownName

__all__ = ["Tagger", "alike", "tagger"]

SWAPPED = frozenset(("NOUN", "VERB"))  # one may stand for the other
FILE = "perceptron:"


class Tagger(Protocol):
    """Says which of the twelve Universal tags a word has in its text."""

    @property
    def name(self) -> str:
        """What it is, as results say it."""

    def tags(self, texts: Sequence[tuple[str, ...]], at: Sequence[int]) -> list[str]:
        """The tag of word number `at` of each text."""


def tagger(name: str) -> Tagger:
    """`auto`, `spacy`, `perceptron`, or `perceptron:PATH` for one that was trained elsewhere."""
    from . import by_spacy, perceptron, training

    if name.startswith(FILE):
        return perceptron.load(name.removeprefix(FILE))
    if name == "auto":
        name = "spacy" if by_spacy.installed() else "perceptron"
    if name == "spacy":
        return by_spacy.BySpacy.load()
    if name == "perceptron":
        return training.kept()
    raise UnknownName("tagger", name, ("auto", "spacy", "perceptron", f"{FILE}PATH", "none"))


def alike(one: str, other: str) -> bool:
    """Whether words of two tags may stand for each other."""
    return one == other or {one, other} == SWAPPED
