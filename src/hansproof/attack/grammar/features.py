"""What of a word, and of those beside it, says which part of speech it is.

A word is looked at from six places: it may stand two or one before the word in question, be that
word itself, at the beginning of the text or not, or stand one or two after it. Every feature is of
one word from one place, so what a word says can be worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator

BEFORE_2, BEFORE_1, HERE, FIRST, AFTER_1, AFTER_2 = PLACES = range(6)
NOTHING = ""  # stands where there is no word: before the first and after the last


def features(word: str) -> list[list[str]]:
    """By place, the names of a word's features."""
    if word == NOTHING:
        return [[] if place in (HERE, FIRST) else [f"{place}"] for place in PLACES]
    lower, shape = word.lower(), _shape(word)
    itself = [f"={word}", f"~{lower}", *_inside(lower), *(mark for mark in "-'" if mark in word)]
    beside = [f"~{lower}", f"${lower[-3:]}", f"${lower[-2:]}", shape]
    found = [[f"{place}{name}" for name in beside] for place in PLACES]
    for place in (BEFORE_2, AFTER_2):
        found[place] = [f"{place}~{lower}"]
    for place in (HERE, FIRST):  # a capital says nothing in the first word
        found[place] = [*(f"{HERE}{name}" for name in itself), f"{place}{shape}"]
    return found


def _inside(word: str) -> Iterator[str]:
    """How it begins and ends."""
    yield from (f"^{word[:size]}" for size in (1, 3))
    yield from (f"${word[-size:]}" for size in (1, 2, 3, 4) if size <= len(word))


def _shape(word: str) -> str:
    """Digits, capitals, letters."""
    if word.isdigit():
        return "#digits"
    if any(map(str.isdigit, word)):
        return "#with digits"
    if word.islower():
        return "#lower" if word.isalpha() else "#lower and marks"
    if word.isupper():
        return "#upper"
    if word[:1].isupper():
        return "#capital"
    return "#mixed" if any(map(str.isalpha, word)) else "#marks"
