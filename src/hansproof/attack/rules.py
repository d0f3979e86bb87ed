"""What an attack may do, and with what means it looks for words."""

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

# the best first; with the cosine of the two words, None where one has no vector
Candidates = list[tuple[str, float | None]]


class CandidateSource(Protocol):
    """Where candidates come from."""

    def find_candidates(self, words: Iterable[str]) -> Mapping[str, Candidates]:
        """By word, in lower case; a word that is not known is not there."""

    def source_files(self) -> tuple[str, ...]:
        """What it reads beside word vectors."""


@dataclass(frozen=True, slots=True)
class AttackRules:
    """Thresholds: as Branco et al. 2021 set them."""

    parts: tuple[str, ...] = (CONTEXT, RIGHT, WRONG)
    word_cosine: float = 0.9  # least, of a word and what takes its place
    min_similarity: float = 0.9  # least angular similarity
    scope: Scope = "window"  # what is compared: words around the change, or all texts
    window: int = 15  # words
    reference: Reference = "previous"  # the text a step changes, or the original
    short_items: ShortItems = "skip"  # items of fewer words than the window: not compared
    same_tag: bool = True  # the same part of speech; nouns and verbs may be swapped
    stop_words: frozenset[str] = STOP_WORDS  # never changed


@dataclass(frozen=True, slots=True)
class AttackResources:
    """What knows words, grammar and meaning."""

    source: CandidateSource
    tagger: Tagger | None = None  # needed where grammar is a rule
    encoder: SentenceEncoder | None = None  # needed where sentences are compared
