"""Counts words and ordered pairs of words in a text of any length.

Two words are a pair if they are at most a window apart in one document; documents end at blank
lines. With connectives, a pair are words on the two sides of a connective in a sentence, and the
cause is the first of the pair, on whichever side it was. Memory holds the table and one batch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...errors import BadInput
from ...text.function_words import FUNCTION_WORDS
from .connectives import CAUSE_FIRST, EFFECT_FIRST
from .pair_counts import PairCounts
from .table import CountTable, Ints, Keys
from .word_reader import BATCH, NO_WORD, WordChunk, WordReader

_DOCUMENT = re.compile(r"\n\s*\n\s*")
_SENTENCE = re.compile(r"\n\s*\n\s*|(?<=[.!?])[\"')\]]*\s+")
_KEY_BITS = np.uint64(32)  # of each unit in the key of a pair
_MIN_PHRASE_COUNT = 10
_MIN_LIFT = 10.0  # of a phrase: observed over expected count
_MARGIN = 16  # words around a chunk: longest connective, second word of a phrase

# each kind of unit: by position, the unit that starts there or NO_WORD; words after the first
Units = list[tuple[Ints, int]]
Rule = Callable[[WordChunk, Units], Iterator[Keys]]  # yields the pairs of a chunk


@dataclass(frozen=True, slots=True)
class CountOptions:
    """What is counted."""

    window: int = 5
    phrases: bool = False
    connectives: bool = False
    least: int = 2  # rarer words are dropped in the end
    least_pairs: int = 1

    def __post_init__(self) -> None:
        """Check the values."""
        for name in ("window", "least", "least_pairs"):
            if getattr(self, name) < 1:
                flag = name.replace("_", "-")
                raise BadInput(f"--{flag}", f"is {getattr(self, name)}, must be at least 1")


def count_corpus(
    read_pieces: Callable[[], Iterable[str]], options: CountOptions, batch: int = BATCH
) -> CountTable:
    """Return the table of a text; each call of `read_pieces` returns its pieces from the start.

    A piece must begin at a word boundary, as those of `corpus.text_stream` do.
    """
    reader = WordReader({}, _SENTENCE if options.connectives else _DOCUMENT, batch)
    phrases = np.empty(0, np.uint64)
    if options.phrases:
        neighbour_counts = _count_pieces(reader, read_pieces(), _window_rule(1), phrases, _MARGIN)
        phrases = _select_phrases(neighbour_counts, list(reader.vocabulary))
    rule = (
        _connective_rule(options.window, reader.vocabulary)
        if options.connectives
        else _window_rule(options.window)
    )
    unit_counts = _count_pieces(reader, read_pieces(), rule, phrases, options.window + _MARGIN)
    return _build_table(unit_counts, _unit_names(list(reader.vocabulary), phrases), options)


@dataclass(slots=True)
class _UnitCounts:
    """Counts so far: of units by number, and of pairs by key."""

    units: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    pairs: PairCounts = field(default_factory=PairCounts)

    def add_units(self, units: Ints) -> None:
        counts = np.bincount(units[units != NO_WORD], minlength=len(self.units))
        counts[: len(self.units)] += self.units
        self.units = counts


def _count_pieces(
    reader: WordReader, pieces: Iterable[str], rule: Rule, phrases: Keys, margin: int
) -> _UnitCounts:
    unit_counts = _UnitCounts()
    for chunk in reader.read_chunks(pieces, margin):
        units = [(chunk.words, 0)]
        if len(phrases):  # the vocabulary is complete: phrases are numbered after it
            units.append((_match_phrases(chunk, phrases, len(reader.vocabulary)), 1))
        for ids, _ in units:
            unit_counts.add_units(ids[chunk.low : chunk.high])
        for keys in rule(chunk, units):
            unit_counts.pairs.add(keys)
    return unit_counts


def _pair_keys(first: Ints, second: Ints) -> Keys:
    return np.asarray(first.astype(np.uint64) << _KEY_BITS | second.astype(np.uint64))


def _split_keys(keys: Keys) -> tuple[Ints, Ints]:
    return (keys >> _KEY_BITS).astype(np.int64), (keys & np.uint64(0xFFFFFFFF)).astype(np.int64)


def _window_rule(window: int) -> Rule:
    """Return a rule for pairs at most a window apart, from the end of one to the next start."""

    def window_pairs(chunk: WordChunk, units: Units) -> Iterator[Keys]:
        low, high, part_ids = chunk.low, chunk.high, chunk.part_ids
        for first, extra_words in units:
            for second, _ in units:
                for step in range(extra_words + 1, extra_words + window + 1):
                    a, b = first[low:high], second[low + step : high + step]
                    is_pair = part_ids[low:high] == part_ids[low + step : high + step]
                    is_pair &= (a != NO_WORD) & (b != NO_WORD)
                    yield _pair_keys(a[is_pair], b[is_pair])

    return window_pairs


def _connective_rule(window: int, vocabulary: dict[str, int]) -> Rule:
    """Return a rule for pairs on the two sides of a connective, cause first."""
    connectives = [(words.split(), True) for words in CAUSE_FIRST]
    connectives += [(words.split(), False) for words in EFFECT_FIRST]
    connectives.sort(key=lambda connective: -len(connective[0]))  # `because of` is not `because`
    numbered_connectives = [
        ([vocabulary.setdefault(word, len(vocabulary)) for word in words], cause_first)
        for words, cause_first in connectives
    ]

    def connective_pairs(chunk: WordChunk, units: Units) -> Iterator[Keys]:
        is_taken = np.zeros(len(chunk.words), np.bool_)
        for words, cause_first in numbered_connectives:
            positions = _find_connective(chunk, words, is_taken)
            positions = positions[(positions >= chunk.low) & (positions < chunk.high)]
            before = _units_on_side(chunk, units, positions, -window, window)
            after = _units_on_side(chunk, units, positions, len(words), window)
            cause, effect = (before, after) if cause_first else (after, before)
            shape = (*cause.shape, effect.shape[1])
            a = np.broadcast_to(cause[:, :, None], shape)
            b = np.broadcast_to(effect[:, None, :], shape)
            is_pair = (a != NO_WORD) & (b != NO_WORD)
            yield _pair_keys(a[is_pair], b[is_pair])

    return connective_pairs


def _find_connective(chunk: WordChunk, words: list[int], is_taken: NDArray[np.bool_]) -> Ints:
    """Return the positions of a connective outside longer ones, and mark its words as taken."""
    size = len(chunk.words) - len(words) + 1
    matches = ~is_taken[:size]
    for step, word in enumerate(words):
        matches &= chunk.words[step : step + size] == word
        matches &= chunk.part_ids[step : step + size] == chunk.part_ids[:size]
    positions = np.flatnonzero(matches)
    for step in range(len(words)):
        is_taken[positions + step] = True
    return positions


def _units_on_side(chunk: WordChunk, units: Units, positions: Ints, offset: int, size: int) -> Ints:
    """Return the units of the same sentence from an offset on, a row per position; else NO_WORD."""
    sentence_ids = chunk.part_ids[positions][:, None]
    sides = []
    for ids, extra_words in units:
        unit_positions = positions[:, None] + offset + np.arange(size - extra_words)
        is_valid = unit_positions >= 0
        unit_positions = np.maximum(unit_positions, 0)
        sides.append(
            np.where(
                is_valid & (chunk.part_ids[unit_positions] == sentence_ids),
                ids[unit_positions],
                NO_WORD,
            )
        )
    return np.concatenate(sides, axis=1)


def _match_phrases(chunk: WordChunk, phrases: Keys, first_number: int) -> Ints:
    """Return the number of the phrase that starts at each position, counted from `first_number`."""
    keys = _pair_keys(chunk.words[:-1], chunk.words[1:])
    indices = np.minimum(np.searchsorted(phrases, keys), len(phrases) - 1)
    is_phrase = (phrases[indices] == keys) & (chunk.part_ids[:-1] == chunk.part_ids[1:])
    return np.append(np.where(is_phrase, indices + first_number, NO_WORD), NO_WORD)


def _select_phrases(neighbour_counts: _UnitCounts, words: list[str]) -> Keys:
    """Return the keys of neighbours that are frequent, and more so than by chance, sorted.

    Phrases begin with a content word: `fell asleep`, `turned on`, but not `the house`.
    """
    keys, counts = neighbour_counts.pairs.stored_counts()
    first, second = _split_keys(keys)
    lift = (
        counts
        * float(neighbour_counts.units.sum())
        / neighbour_counts.units[first]
        / neighbour_counts.units[second]
    )
    can_start = np.array([word not in FUNCTION_WORDS for word in words], np.bool_)
    return np.sort(keys[(counts >= _MIN_PHRASE_COUNT) & (lift >= _MIN_LIFT) & can_start[first]])


def _unit_names(words: list[str], phrases: Keys) -> list[str]:
    first, second = _split_keys(phrases)
    return words + [f"{words[a]} {words[b]}" for a, b in zip(first, second, strict=True)]


def _build_table(unit_counts: _UnitCounts, names: list[str], options: CountOptions) -> CountTable:
    """Return the table of all units and pairs that are frequent enough, sorted."""
    counts = np.append(unit_counts.units, np.zeros(len(names) - len(unit_counts.units), np.int64))
    frequent = sorted(np.flatnonzero(counts >= options.least).tolist(), key=names.__getitem__)
    number = np.full(len(names), NO_WORD)
    number[frequent] = np.arange(len(frequent))
    keys, pairs = unit_counts.pairs.stored_counts()
    first, second = (number[side] for side in _split_keys(keys))
    is_frequent = (first != NO_WORD) & (second != NO_WORD) & (pairs >= options.least_pairs)
    first, second = (side[is_frequent].astype(np.uint64) for side in (first, second))
    keys = first * np.uint64(len(frequent)) + second
    order = np.argsort(keys)
    return CountTable(
        tuple(names[index] for index in frequent), counts[frequent],
        keys[order], pairs[is_frequent][order], int(counts.sum()), int(pairs.sum()),
        options.window, options.phrases, options.connectives, "word",
    )  # fmt: skip
