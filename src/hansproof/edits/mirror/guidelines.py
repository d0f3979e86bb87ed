"""The guidelines of Kavumba et al. 2019 for writers, and what can be counted of them.

Limits are set where about one in twenty of the 500 published mirrored premises of Balanced COPA
would be flagged, or fewer: what is flagged is to be looked at again, it need not be wrong. Words
are those of the `word` tokenizer; function words and marks of loose writing are English.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...text.function_words import content_words
from ...text.ngrams import normalise_text
from ...text.tokenizers import get_tokenizer
from .informality import informal_marks

GUIDELINES = (
    "1. Use as many words of the old text as possible.",
    "2. Use few words of the choices; a word that the old text shares with a choice may stay.",
    "3. Keep the length and the style of the old text.",
    "4. No word of the new text should by itself point to the choice that becomes right.",
    "5. No slang.",
)


@dataclass(frozen=True, slots=True)
class GuidelineCheck:
    """One number about a new text, and the range it should be in."""

    name: str
    description: str
    low: float = -math.inf
    high: float = math.inf

    def flags_value(self, value: float) -> bool:
        """Whether a value is out of the range."""
        return not self.low <= value <= self.high

    @property
    def limit_text(self) -> str:
        """The range in words."""
        if self.high == math.inf:
            return f"at least {self.low:g}"
        if self.low == -math.inf:
            return f"at most {self.high:g}"
        return f"{self.low:g} to {self.high:g}"


# how many of the 500 published premises each flags, and where the limit lies among them:
# 22; their 5th percentile is 0.182
OVERLAP = GuidelineCheck("overlap", "words shared with the old text, 2 |A∩B| / (|A|+|B|)", low=0.18)
# 27; 0 up to the 94th percentile, 1 up to the 99th
CHOICES = GuidelineCheck(
    "choices", "content words shared with a choice, not with the old text", high=0
)
# 5 and 11; the 2.5th percentile is 0.571, the 97.5th is 2
LENGTH = GuidelineCheck("length", "words, as a multiple of the old text's", low=0.57, high=2.0)
# none
REGISTER = GuidelineCheck(
    "register", "marks of loose writing that the old text does not have", high=0
)
# 8, two of them the same as another; 0.9 is the 98th percentile
LIKENESS = GuidelineCheck("likeness", "letters (by threes) shared with the nearest text", high=0.9)
CHECKS = (OVERLAP, CHOICES, LENGTH, REGISTER, LIKENESS)

MAX_WORDS = 64  # words: of a longer text only the same words in another order are looked for


def split_words(text: str) -> list[str]:
    """The words of a text as these checks count them."""
    return get_tokenizer("word").split(text)


def word_overlap(old: str, new: str) -> float:
    """The share of words that two texts have in common, each as often as it stands there."""
    old_words, new_words = Counter(split_words(old)), Counter(split_words(new))
    return _dice_coefficient(old_words, new_words)


def shared_with_choices(old: str, new: str, choices: Iterable[str]) -> list[str]:
    """Content words of the new text that stand in a choice and not in the old text."""
    choice_words = {word for choice in choices for word in split_words(choice)} - set(
        split_words(old)
    )
    return [word for word in dict.fromkeys(content_words(split_words(new))) if word in choice_words]


def length_ratio(old: str, new: str) -> float:
    """How many times as long the new text is, in words."""
    return len(split_words(new)) / max(len(split_words(old)), 1)


def text_similarity(first: str, second: str) -> float:
    """The share of three-letter pieces that two texts have in common; 1 for the same text."""
    return (
        1.0
        if normalise_text(first) == normalise_text(second)
        else _dice_coefficient(_trigrams(first), _trigrams(second))
    )


def _trigrams(text: str) -> Counter[str]:
    padded = f"  {normalise_text(text)} "
    return Counter(padded[start : start + 3] for start in range(len(padded) - 2))


def _dice_coefficient(first: Counter[str], second: Counter[str]) -> float:
    return 2 * (first & second).total() / max(first.total() + second.total(), 1)


class TextIndex:
    """Texts by their owners, to find those near to another: up to one word and their order."""

    def __init__(self, owned_texts: Iterable[tuple[str, str]]) -> None:
        self.owners: dict[str, list[str]] = defaultdict(list)
        for owner, text in owned_texts:
            self.owners[normalise_text(text)].append(owner)
        self.texts_by_key: dict[int, list[str]] = defaultdict(list)
        for text in self.owners:
            for key in set(_similarity_keys(text)):
                self.texts_by_key[key].append(text)

    def find_nearest(self, text: str, owner: str) -> tuple[float, str]:
        """How like the nearest text of another owner is, and that owner; (0, "") without one."""
        candidates = {
            candidate
            for key in set(_similarity_keys(normalise_text(text)))
            for candidate in self.texts_by_key.get(key, ())
        }
        similarities = (
            (
                text_similarity(text, candidate),
                next(
                    (other_owner for other_owner in self.owners[candidate] if other_owner != owner),
                    "",
                ),
            )
            for candidate in sorted(candidates)
        )
        return max(((value, other) for value, other in similarities if other), default=(0.0, ""))


def _similarity_keys(text: str) -> Iterator[int]:
    """What near texts have in common: their words, or all of them but one."""
    bag = sorted(text.split())
    if bag:
        yield hash(tuple(bag))
    if len(bag) <= MAX_WORDS:
        yield from (hash((*bag[:index], *bag[index + 1 :])) for index in range(len(bag)))


@dataclass(frozen=True, slots=True)
class GuidelineResult:
    """One check of one text."""

    check: GuidelineCheck
    value: float
    message: str  # is wrong with it, if anything is


def check_text(
    item_id: str, old: str, new: str, choices: Sequence[str], known_texts: TextIndex
) -> tuple[GuidelineResult, ...]:
    """All checks of a new text; `id` is that of the item it makes, which is among the others."""
    choice_words = shared_with_choices(old, new, choices)
    informal = informal_marks(old, new)
    similarity, owner = known_texts.find_nearest(new, item_id)
    if text_similarity(old, new) >= similarity:
        similarity, owner = text_similarity(old, new), ""
    phrase = "is the same as" if similarity == 1 else "is nearly the same as"
    ratio = length_ratio(old, new)
    return (
        GuidelineResult(OVERLAP, word_overlap(old, new), "has few words of the old text"),
        GuidelineResult(
            CHOICES, len(choice_words), f"has words of a choice: {', '.join(choice_words)}"
        ),
        GuidelineResult(
            LENGTH, ratio, f"is much {'longer' if ratio > 1 else 'shorter'} than the old text"
        ),
        GuidelineResult(REGISTER, len(informal), f"is loosely written: {', '.join(informal)}"),
        GuidelineResult(
            LIKENESS, similarity, f"{phrase} {f'the text of {owner}' if owner else 'the old text'}"
        ),
    )
