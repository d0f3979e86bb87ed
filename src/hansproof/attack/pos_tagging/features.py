"""Features of words for the part-of-speech tagger.

A word can be in six places: two or one before the word to be tagged, that word itself (at the start
of the text or not), or one or two after it. Each feature depends on one word and one place, so the
features of a word are computed once.
"""

from __future__ import annotations

from collections.abc import Iterator

BEFORE_2, BEFORE_1, CURRENT, FIRST, AFTER_1, AFTER_2 = PLACES = range(6)
NO_WORD = ""  # padding before the first and after the last word


def word_features(word: str) -> list[list[str]]:
    """Return the names of a word's features for each place."""
    if word == NO_WORD:
        return [[] if place in (CURRENT, FIRST) else [f"{place}"] for place in PLACES]
    lower, shape = word.lower(), _word_shape(word)
    own_features = [
        f"={word}",
        f"~{lower}",
        *_affix_features(lower),
        *(mark for mark in "-'" if mark in word),
    ]
    neighbour_features = [f"~{lower}", f"${lower[-3:]}", f"${lower[-2:]}", shape]
    by_place = [[f"{place}{name}" for name in neighbour_features] for place in PLACES]
    for place in (BEFORE_2, AFTER_2):
        by_place[place] = [f"{place}~{lower}"]
    for place in (CURRENT, FIRST):  # a capital is not informative in the first word
        by_place[place] = [*(f"{CURRENT}{name}" for name in own_features), f"{place}{shape}"]
    return by_place


def _affix_features(word: str) -> Iterator[str]:
    """Yield the prefixes and suffixes of a word."""
    yield from (f"^{word[:size]}" for size in (1, 3))
    yield from (f"${word[-size:]}" for size in (1, 2, 3, 4) if size <= len(word))


def _word_shape(word: str) -> str:
    """Classify a word by its digits, capitals and letters."""
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
