"""Counts words, and which came before which, in a text of any length.

Two words are a pair if they stand at most a window apart in one document; documents end at blank
lines. Or, with connectives, if they stand on the two sides of one in a sentence: then the cause is
the first of a pair, wherever it stood. Memory is that of the table and of a batch of text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...errors import BadInput
from .connectives import CAUSE_FIRST, EFFECT_FIRST
from .function_words import FUNCTION_WORDS
from .pairs import Pairs
from .table import Ints, Keys, Table
from .tokens import BATCH, NONE, Reader, Stretch

_DOCUMENT = re.compile(r"\n\s*\n\s*")
_SENTENCE = re.compile(r"\n\s*\n\s*|(?<=[.!?])[\"')\]]*\s+")
_SIDE = np.uint64(32)  # bits for each of a pair
_OFTEN, _LIFT = 10, 10.0  # a phrase is seen so often, and so many times as often as by chance
_AROUND = 16  # words around a connective that may hold a longer one; and a phrase's second word

Units = list[tuple[Ints, int]]  # by place what starts there, NONE if nothing; places beyond that
Rule = Callable[[Stretch, Units], Iterator[Keys]]  # the pairs of a stretch


@dataclass(frozen=True, slots=True)
class Counting:
    """What is counted."""

    window: int = 5
    phrases: bool = False
    connectives: bool = False
    least: int = 2  # words that are rarer are left out in the end
    least_pairs: int = 1

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        for name in ("window", "least", "least_pairs"):
            if getattr(self, name) < 1:
                flag = name.replace("_", "-")
                raise BadInput(f"--{flag}", f"is {getattr(self, name)}, must be at least 1")


def count(read: Callable[[], Iterable[str]], plan: Counting, batch: int = BATCH) -> Table:
    """The table of a text, given as what gives its pieces, from the start at each call.

    A piece must begin where a word does, as those of `corpus.pieces`.
    """
    reader = Reader({}, _SENTENCE if plan.connectives else _DOCUMENT, batch)
    phrases = np.empty(0, np.uint64)
    if plan.phrases:
        adjacent = _tallied(reader, read(), _near(1), phrases, _AROUND)
        phrases = _phrases(adjacent, list(reader.known))
    rule = _across(plan.window, reader.known) if plan.connectives else _near(plan.window)
    tally = _tallied(reader, read(), rule, phrases, plan.window + _AROUND)
    return _table(tally, _names(list(reader.known), phrases), plan)


@dataclass(slots=True)
class _Tally:
    """Counts so far: of units by number, and of pairs by key."""

    units: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    pairs: Pairs = field(default_factory=Pairs)

    def add_units(self, units: Ints) -> None:
        found = np.bincount(units[units != NONE], minlength=len(self.units))
        found[: len(self.units)] += self.units
        self.units = found


def _tallied(
    reader: Reader, pieces: Iterable[str], rule: Rule, phrases: Keys, margin: int
) -> _Tally:
    tally = _Tally()
    for stretch in reader.stretches(pieces, margin):
        units = [(stretch.words, 0)]
        if len(phrases):  # by now all words are known: phrases are numbered after them
            units.append((_found(stretch, phrases, len(reader.known)), 1))
        for ids, _ in units:
            tally.add_units(ids[stretch.low : stretch.high])
        for keys in rule(stretch, units):
            tally.pairs.add(keys)
    return tally


def _keys(first: Ints, second: Ints) -> Keys:
    return np.asarray(first.astype(np.uint64) << _SIDE | second.astype(np.uint64))


def _parted(keys: Keys) -> tuple[Ints, Ints]:
    return (keys >> _SIDE).astype(np.int64), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def _near(window: int) -> Rule:
    """Pairs of units at most a window apart: from the end of one to the start of the other."""

    def pairs(stretch: Stretch, units: Units) -> Iterator[Keys]:
        low, high, parts = stretch.low, stretch.high, stretch.parts
        for first, beyond in units:
            for second, _ in units:
                for step in range(beyond + 1, beyond + window + 1):
                    a, b = first[low:high], second[low + step : high + step]
                    there = parts[low:high] == parts[low + step : high + step]
                    there &= (a != NONE) & (b != NONE)
                    yield _keys(a[there], b[there])

    return pairs


def _across(window: int, known: dict[str, int]) -> Rule:
    """Pairs of units on the two sides of a connective, cause first."""
    signs = [(words.split(), True) for words in CAUSE_FIRST]
    signs += [(words.split(), False) for words in EFFECT_FIRST]
    signs.sort(key=lambda sign: -len(sign[0]))  # `because of` is not `because`
    numbered = [
        ([known.setdefault(word, len(known)) for word in words], cause_first)
        for words, cause_first in signs
    ]

    def pairs(stretch: Stretch, units: Units) -> Iterator[Keys]:
        taken = np.zeros(len(stretch.words), np.bool_)
        for words, cause_first in numbered:
            places = _places(stretch, words, taken)
            places = places[(places >= stretch.low) & (places < stretch.high)]
            before = _side(stretch, units, places, -window, window)
            after = _side(stretch, units, places, len(words), window)
            cause, effect = (before, after) if cause_first else (after, before)
            shape = (*cause.shape, effect.shape[1])
            a = np.broadcast_to(cause[:, :, None], shape)
            b = np.broadcast_to(effect[:, None, :], shape)
            there = (a != NONE) & (b != NONE)
            yield _keys(a[there], b[there])

    return pairs


def _places(stretch: Stretch, words: list[int], taken: NDArray[np.bool_]) -> Ints:
    """Where a connective stands, in one sentence and not within a longer one; marks it taken."""
    size = len(stretch.words) - len(words) + 1
    hit = ~taken[:size]
    for step, word in enumerate(words):
        hit &= stretch.words[step : step + size] == word
        hit &= stretch.parts[step : step + size] == stretch.parts[:size]
    places = np.flatnonzero(hit)
    for step in range(len(words)):
        taken[places + step] = True
    return places


def _side(stretch: Stretch, units: Units, places: Ints, offset: int, size: int) -> Ints:
    """The units of the same sentence from an offset on: a row for each place, NONE for none."""
    own = stretch.parts[places][:, None]
    sides = []
    for ids, beyond in units:
        at = places[:, None] + offset + np.arange(size - beyond)
        there = at >= 0
        at = np.maximum(at, 0)
        sides.append(np.where(there & (stretch.parts[at] == own), ids[at], NONE))
    return np.concatenate(sides, axis=1)


def _found(stretch: Stretch, phrases: Keys, first: int) -> Ints:
    """The phrase that starts at each place, numbered from a first number on."""
    keys = _keys(stretch.words[:-1], stretch.words[1:])
    at = np.minimum(np.searchsorted(phrases, keys), len(phrases) - 1)
    there = (phrases[at] == keys) & (stretch.parts[:-1] == stretch.parts[1:])
    return np.append(np.where(there, at + first, NONE), NONE)


def _phrases(adjacent: _Tally, words: list[str]) -> Keys:
    """Pairs of neighbours that are frequent, and more so than by chance; in order.

    They begin with a content word: `fell asleep`, `turned on`, but not `the house`.
    """
    keys, counts = adjacent.pairs.all()
    first, second = _parted(keys)
    lift = counts * float(adjacent.units.sum()) / adjacent.units[first] / adjacent.units[second]
    opens = np.array([word not in FUNCTION_WORDS for word in words], np.bool_)
    return np.sort(keys[(counts >= _OFTEN) & (lift >= _LIFT) & opens[first]])


def _names(words: list[str], phrases: Keys) -> list[str]:
    first, second = _parted(phrases)
    return words + [f"{words[a]} {words[b]}" for a, b in zip(first, second, strict=True)]


def _table(tally: _Tally, names: list[str], plan: Counting) -> Table:
    """What is not too rare, words and pairs numbered in order."""
    counts = np.append(tally.units, np.zeros(len(names) - len(tally.units), np.int64))
    kept = sorted(np.flatnonzero(counts >= plan.least).tolist(), key=names.__getitem__)
    number = np.full(len(names), NONE)
    number[kept] = np.arange(len(kept))
    keys, pairs = tally.pairs.all()
    first, second = (number[side] for side in _parted(keys))
    there = (first != NONE) & (second != NONE) & (pairs >= plan.least_pairs)
    keys = first[there].astype(np.uint64) * np.uint64(len(kept)) + second[there].astype(np.uint64)
    order = np.argsort(keys)
    return Table(
        tuple(names[at] for at in kept), counts[kept], keys[order], pairs[there][order],
        int(counts.sum()), int(pairs.sum()), plan.window, plan.phrases, plan.connectives, "word",
    )  # fmt: skip
