"""Candidate substitutes of words: nearest neighbours by word vectors, or WordNet's synonyms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from .. import vectors
from .rules import Candidates
from .wordnet import WordNet


@dataclass(frozen=True)
class VectorNeighbours:
    """The nearest neighbours of a word by word vectors."""

    source: str  # word vectors
    count: int

    def find_candidates(self, words: Iterable[str]) -> Mapping[str, Candidates]:
        """Return candidates by word, the nearest first."""
        neighbours = vectors.nearest_words(vectors.load_table(self.source), list(words), self.count)
        return {word: [*nearest] for word, nearest in neighbours.items()}

    def source_files(self) -> tuple[str, ...]:
        """Return no files."""
        return ()


@dataclass(frozen=True)
class WordNetSynonyms:
    """The synonyms of a word in WordNet, with cosines of their word vectors."""

    source: str  # word vectors
    folder: str  # of WordNet's files; empty for the default folders

    @cached_property
    def _wordnet(self) -> WordNet:
        return WordNet.load(self.folder or None)

    def find_candidates(self, words: Iterable[str]) -> Mapping[str, Candidates]:
        """Return candidates by word, in the order of its senses."""
        synonyms = {word: self._wordnet.find_synonyms(word) for word in words}
        pairs = [
            (word, synonym) for word, word_synonyms in synonyms.items() for synonym in word_synonyms
        ]
        cosines = iter(vectors.pair_cosines(vectors.load_table(self.source), pairs).tolist())
        return {
            word: [
                (synonym, None if (cosine := next(cosines)) != cosine else cosine)
                for synonym in word_synonyms
            ]
            for word, word_synonyms in synonyms.items()
            if word_synonyms
        }

    def source_files(self) -> tuple[str, ...]:
        """Return WordNet's files."""
        return self._wordnet.source_files()
