"""The rules of an attack, and the resources it uses: candidates, a tagger, an encoder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from .item_words import CONTEXT, RIGHT, WRONG
from .pos_tagging import Tagger
from .sentence_similarity import SentenceEncoder
from .stop_words import STOP_WORDS

Scope = Literal["window", "text"]
Reference = Literal["previous", "original"]
ShortItems = Literal["skip", "compare"]

# best first, with the cosine of the two words; None if one has no vector
Candidates = list[tuple[str, float | None]]


class CandidateSource(Protocol):
    """A source of candidate substitutes."""

    def find_candidates(self, words: Iterable[str]) -> Mapping[str, Candidates]:
        """Return candidates by word, in lower case; unknown words are left out."""

    def source_files(self) -> tuple[str, ...]:
        """Return the files it reads besides word vectors."""


@dataclass(frozen=True, slots=True)
class AttackRules:
    """Thresholds and options of an attack; the defaults are those of Branco et al. 2021."""

    parts: tuple[str, ...] = (CONTEXT, RIGHT, WRONG)
    word_cosine: float = 0.9  # least cosine of a word and its substitute
    min_similarity: float = 0.9  # least angular similarity
    scope: Scope = "window"  # compare the words around a change, or all texts
    window: int = 15  # words
    reference: Reference = "previous"  # compare with the text before a step, or with the original
    short_items: ShortItems = (
        "skip"  # items of fewer words than the window: not compared by default
    )
    same_tag: bool = True  # require the same part of speech; nouns and verbs are interchangeable
    stop_words: frozenset[str] = STOP_WORDS  # never changed


@dataclass(frozen=True, slots=True)
class AttackResources:
    """The candidate source, tagger and encoder of an attack."""

    source: CandidateSource
    tagger: Tagger | None = None  # required if `same_tag` is set
    encoder: SentenceEncoder | None = None  # required if `min_similarity` is not 0
