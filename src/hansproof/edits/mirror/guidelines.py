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

from ...models.pmi.function_words import content
from ...text import normalised, tokenizer
from .register import marks

GUIDELINES = (
    "1. Use as many words of the old text as possible.",
    "2. Use few words of the choices; a word that the old text shares with a choice may stay.",
    "3. Keep the length and the style of the old text.",
    "4. No word of the new text should by itself point to the choice that becomes right.",
    "5. No slang.",
)


@dataclass(frozen=True, slots=True)
class Check:
    """One number about a new text, and the range it should be in."""

    name: str
    about: str
    low: float = -math.inf
    high: float = math.inf

    def flags(self, value: float) -> bool:
        """Whether a value is out of the range."""
        return not self.low <= value <= self.high

    @property
    def limit(self) -> str:
        """The range in words."""
        if self.high == math.inf:
            return f"at least {self.low:g}"
        if self.low == -math.inf:
            return f"at most {self.high:g}"
        return f"{self.low:g} to {self.high:g}"


# how many of the 500 published premises each flags, and where the limit lies among them:
# 22; their 5th percentile is 0.182
OVERLAP = Check("overlap", "words shared with the old text, 2 |A∩B| / (|A|+|B|)", low=0.18)
# 27; 0 up to the 94th percentile, 1 up to the 99th
CHOICES = Check("choices", "content words shared with a choice, not with the old text", high=0)
# 5 and 11; the 2.5th percentile is 0.571, the 97.5th is 2
LENGTH = Check("length", "words, as a multiple of the old text's", low=0.57, high=2.0)
# none
REGISTER = Check("register", "marks of loose writing that the old text does not have", high=0)
# 8, two of them the same as another; 0.9 is the 98th percentile
LIKENESS = Check("likeness", "letters (by threes) shared with the nearest text", high=0.9)
CHECKS = (OVERLAP, CHOICES, LENGTH, REGISTER, LIKENESS)

LONG = 64  # words: of a longer text only the same words in another order are looked for


def words(text: str) -> list[str]:
    """The words of a text as these checks count them."""
    return tokenizer("word").split(text)


def overlap(old: str, new: str) -> float:
    """The share of words that two texts have in common, each as often as it stands there."""
    one, other = Counter(words(old)), Counter(words(new))
    return _dice(one, other)


def shared_with_choices(old: str, new: str, choices: Iterable[str]) -> list[str]:
    """Content words of the new text that stand in a choice and not in the old text."""
    there = {word for choice in choices for word in words(choice)} - set(words(old))
    return [word for word in dict.fromkeys(content(words(new))) if word in there]


def length(old: str, new: str) -> float:
    """How many times as long the new text is, in words."""
    return len(words(new)) / max(len(words(old)), 1)


def likeness(one: str, other: str) -> float:
    """The share of three-letter pieces that two texts have in common; 1 for the same text."""
    return 1.0 if normalised(one) == normalised(other) else _dice(_pieces(one), _pieces(other))


def _pieces(text: str) -> Counter[str]:
    padded = f"  {normalised(text)} "
    return Counter(padded[at : at + 3] for at in range(len(padded) - 2))


def _dice(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(one.total() + other.total(), 1)


class Texts:
    """Texts by their owners, to find those near to another: up to one word and their order."""

    def __init__(self, owned: Iterable[tuple[str, str]]) -> None:
        self.owners: dict[str, list[str]] = defaultdict(list)
        for owner, text in owned:
            self.owners[normalised(text)].append(owner)
        self.near: dict[int, list[str]] = defaultdict(list)
        for text in self.owners:
            for key in set(_keys(text)):
                self.near[key].append(text)

    def nearest(self, text: str, owner: str) -> tuple[float, str]:
        """How like the nearest text of another owner is, and that owner; (0, "") without one."""
        found = {near for key in set(_keys(normalised(text))) for near in self.near.get(key, ())}
        others = (
            (likeness(text, near), next((o for o in self.owners[near] if o != owner), ""))
            for near in sorted(found)
        )
        return max(((value, other) for value, other in others if other), default=(0.0, ""))


def _keys(text: str) -> Iterator[int]:
    """What near texts have in common: their words, or all of them but one."""
    bag = sorted(text.split())
    if bag:
        yield hash(tuple(bag))
    if len(bag) <= LONG:
        yield from (hash((*bag[:at], *bag[at + 1 :])) for at in range(len(bag)))


@dataclass(frozen=True, slots=True)
class Measured:
    """One check of one text."""

    check: Check
    value: float
    what: str  # is wrong with it, if anything is


def measure(
    id: str, old: str, new: str, choices: Sequence[str], others: Texts
) -> tuple[Measured, ...]:
    """All checks of a new text; `id` is that of the item it makes, which is among the others."""
    given = shared_with_choices(old, new, choices)
    loose = marks(old, new)
    like, whose = others.nearest(new, id)
    if likeness(old, new) >= like:
        like, whose = likeness(old, new), ""
    same = "is the same as" if like == 1 else "is nearly the same as"
    ratio = length(old, new)
    return (
        Measured(OVERLAP, overlap(old, new), "has few words of the old text"),
        Measured(CHOICES, len(given), f"has words of a choice: {', '.join(given)}"),
        Measured(
            LENGTH, ratio, f"is much {'longer' if ratio > 1 else 'shorter'} than the old text"
        ),
        Measured(REGISTER, len(loose), f"is loosely written: {', '.join(loose)}"),
        Measured(LIKENESS, like, f"{same} {f'the text of {whose}' if whose else 'the old text'}"),
    )
