"""The guidelines of Kavumba et al. 2019 for writers, and automatic checks of them.

Limits are set so that at most about one in twenty of the 500 published mirrored premises of
Balanced COPA is flagged: a flagged text should be read again, it need not be wrong. Words are those
of the `word` tokenizer; function words and marks of informal writing are English.
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
    "2. Use few words of the choices; words that the old text shares with a choice may stay.",
    "3. Keep the length and the style of the old text.",
    "4. No word of the new text should by itself point to the choice that becomes right.",
    "5. No slang.",
)


@dataclass(frozen=True, slots=True)
class GuidelineCheck:
    """A measure of a new text, and the range it should be in."""

    name: str
    description: str
    low: float = -math.inf
    high: float = math.inf

    def flags_value(self, value: float) -> bool:
        """Whether a value is out of range."""
        return not self.low <= value <= self.high

    @property
    def limit_text(self) -> str:
        """Return the range in words."""
        if self.high == math.inf:
            return f"at least {self.low:g}"
        if self.low == -math.inf:
            return f"at most {self.high:g}"
        return f"{self.low:g} to {self.high:g}"


# comments say how many of the 500 published premises a check flags, and which percentile the
# limit is:
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
    "register", "marks of informal writing that the old text does not have", high=0
)
# 8, two of them the same as another; 0.9 is the 98th percentile
LIKENESS = GuidelineCheck("likeness", "letter trigrams shared with the most similar text", high=0.9)
CHECKS = (OVERLAP, CHOICES, LENGTH, REGISTER, LIKENESS)

MAX_WORDS = 64  # for longer texts only texts with exactly the same words are compared


def split_words(text: str) -> list[str]:
    """Split a text into the words that the checks count."""
    return get_tokenizer("word").split(text)


def word_overlap(old: str, new: str) -> float:
    """Return the share of words that two texts have in common (Dice, with multiplicity)."""
    old_words, new_words = Counter(split_words(old)), Counter(split_words(new))
    return _dice_coefficient(old_words, new_words)


def shared_with_choices(old: str, new: str, choices: Iterable[str]) -> list[str]:
    """Return the content words of the new text that are in a choice but not in the old text."""
    choice_words = {word for choice in choices for word in split_words(choice)} - set(
        split_words(old)
    )
    return [word for word in dict.fromkeys(content_words(split_words(new))) if word in choice_words]


def length_ratio(old: str, new: str) -> float:
    """Return the length of the new text divided by that of the old one, in words."""
    return len(split_words(new)) / max(len(split_words(old)), 1)


def text_similarity(first: str, second: str) -> float:
    """Return the share of character trigrams that two texts have in common; 1 if they are equal."""
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
    """An index of texts to find near-duplicates, up to word order and one word."""

    def __init__(self, owned_texts: Iterable[tuple[str, str]]) -> None:
        self.owners: dict[str, list[str]] = defaultdict(list)
        for owner, text in owned_texts:
            self.owners[normalise_text(text)].append(owner)
        self.texts_by_key: dict[int, list[str]] = defaultdict(list)
        for text in self.owners:
            for key in set(_similarity_keys(text)):
                self.texts_by_key[key].append(text)

    def find_nearest(self, text: str, owner: str) -> tuple[float, str]:
        """Return the highest similarity to a text of another owner, and that owner; or (0, "")."""
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
    """Yield keys that near-duplicates share: hashes of the words, and of all words but one."""
    bag = sorted(text.split())
    if bag:
        yield hash(tuple(bag))
    if len(bag) <= MAX_WORDS:
        yield from (hash((*bag[:index], *bag[index + 1 :])) for index in range(len(bag)))


@dataclass(frozen=True, slots=True)
class GuidelineResult:
    """The result of one check of one text."""

    check: GuidelineCheck
    value: float
    message: str  # the problem, in case the value is out of range


def check_text(
    item_id: str, old: str, new: str, choices: Sequence[str], known_texts: TextIndex
) -> tuple[GuidelineResult, ...]:
    """Run all checks of a new text; `item_id` is the id of its item, which is in `known_texts`."""
    choice_words = shared_with_choices(old, new, choices)
    informal = informal_marks(old, new)
    similarity, owner = known_texts.find_nearest(new, item_id)
    if text_similarity(old, new) >= similarity:
        similarity, owner = text_similarity(old, new), ""
    phrase = "is the same as" if similarity == 1 else "is nearly the same as"
    ratio = length_ratio(old, new)
    return (
        GuidelineResult(OVERLAP, word_overlap(old, new), "uses few words of the old text"),
        GuidelineResult(
            CHOICES, len(choice_words), f"uses words of a choice: {', '.join(choice_words)}"
        ),
        GuidelineResult(
            LENGTH, ratio, f"is much {'longer' if ratio > 1 else 'shorter'} than the old text"
        ),
        GuidelineResult(REGISTER, len(informal), f"is informal: {', '.join(informal)}"),
        GuidelineResult(
            LIKENESS, similarity, f"{phrase} {f'the text of {owner}' if owner else 'the old text'}"
        ),
    )
