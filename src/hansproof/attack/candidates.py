"""Words that may take the place of others: the nearest by their vectors, or WordNet's synonyms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from .. import vectors
from .rules import Candidates
from .wordnet import WordNet


@dataclass(frozen=True)
class ByVectors:
    """So many nearest neighbours of a word."""

    source: str  # of word vectors
    count: int

    def candidates(self, words: Iterable[str]) -> Mapping[str, Candidates]:
        """By word, the nearest first."""
        found = vectors.nearest(vectors.whole(self.source), list(words), self.count)
        return {word: [*near] for word, near in found.items()}

    def files(self) -> tuple[str, ...]:
        """None."""
        return ()


@dataclass(frozen=True)
class BySynonyms:
    """All that WordNet gives for a word; near enough, where vectors know both."""

    source: str  # of word vectors
    folder: str  # of WordNet's files; the usual ones without it

    @cached_property
    def _wordnet(self) -> WordNet:
        return WordNet.open(self.folder or None)

    def candidates(self, words: Iterable[str]) -> Mapping[str, Candidates]:
        """By word, in the order of its senses."""
        given = {word: self._wordnet.synonyms(word) for word in words}
        pairs = [(word, other) for word, others in given.items() for other in others]
        cosines = iter(vectors.cosine(vectors.whole(self.source), pairs).tolist())
        return {
            word: [(other, None if (near := next(cosines)) != near else near) for other in others]
            for word, others in given.items()
            if others
        }

    def files(self) -> tuple[str, ...]:
        """Those of WordNet."""
        return self._wordnet.files()
