"""From items to an index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import check
from ..errors import BadInput
from ..text import Tokenizer, ngrams, tokenizer
from ..types import Benchmark, Item, Items
from .index import LONGEST, Index, Member, Shared, head_of
from .kernel import PAD, hashes_of
from .near import NEAR, SHINGLE, sketch, words_of
from .sequences import PERCENT, length, sequences, words

PAIRS = 20  # of items of two benchmarks, that are named
WORD = 1 << 14  # bytes of the longest word that is looked for


def build(
    benchmarks: Sequence[Benchmark], tokens: str = "word", n: int | None = None, near: bool = False
) -> Index:
    """The index of all items of some benchmarks; N by the rule of each, or one for all.

    `near` adds sketches, by which items are found that stand somewhere in other words.
    """
    if n is not None:
        check("n", n, 2, LONGEST)
    known = tokenizer(tokens)
    cut = Tokenizer(known.name, cache(known.split))  # a question is cut once, not for each choice
    names = [benchmark.name for benchmark in benchmarks]
    if len({*names}) < len(names):
        raise BadInput("index", f"a benchmark is named twice: {', '.join(names)}")
    if not any(items for benchmark in benchmarks for items in benchmark.splits.values()):
        raise BadInput("index", "there are no items")
    gathering = _Gathering(cut, near)
    members = tuple(gathering.add(benchmark, n) for benchmark in benchmarks)
    shared = tuple(_shared(benchmarks, members, cut))
    shortest = min([m.n for m in members] + [SHINGLE] * near)
    return Index(head_of(cut, members, shared, near), gathering.arrays(shortest))


@dataclass(slots=True)
class _Gathering:
    """N-grams by number of first appearance, and where their words stand in one long text."""

    cut: Tokenizer
    near: bool
    text: bytearray = field(default_factory=bytearray)
    starts: list[int] = field(default_factory=list)  # of words
    ends: list[int] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    firsts: list[int] = field(default_factory=list)  # words of N-grams
    lasts: list[int] = field(default_factory=list)
    postings: dict[tuple[int, int, int], None] = field(default_factory=dict)
    items: int = 0

    def add(self, benchmark: Benchmark, n: int | None) -> Member:
        """All items of a benchmark."""
        items = [item for part in benchmark.splits.values() for item in part]
        size = length(items, self.cut.split) if n is None else n
        rule = f"{PERCENT} % of sequences are shorter" if n is None else "given"
        counts = tuple(self._add(item, size) for item in items)
        ids = tuple(item.id for item in items)
        return Member(benchmark.name, benchmark.sha256(), size, rule, ids, counts)

    def _add(self, item: Item, n: int) -> int:
        """The N-grams of an item: how many different ones it has."""
        own = set()
        for sequence in sequences(item, self.cut.split):
            tokens, wheres = words(sequence)
            places = range(len(tokens) - n + 1)
            for at, number in zip(places, self._numbers(tokens, places, n), strict=True):
                where = 0
                for part in wheres[at : at + n]:
                    where |= part
                self.postings[number, self.items, where] = None
                own.add(number)
        if self.near:
            tokens = words_of(item, self.cut.split)
            for number in self._numbers(tokens, sketch(tokens), SHINGLE):
                self.postings[number, self.items, NEAR] = None
        self.items += 1
        return len(own)

    def _numbers(self, tokens: list[str], places: Sequence[int], n: int) -> list[int]:
        """The numbers of the N-grams at some places; new ones are written down."""
        grams = [" ".join(tokens[at : at + n]) for at in places]
        if all(gram in self.known for gram in grams):
            return [self.known[gram] for gram in grams]
        first = len(self.starts)
        for token in tokens:
            raw = token.encode("utf-8", "surrogatepass")
            if len(raw) > WORD:
                raise BadInput("index", f"a word of {len(raw):,} bytes: are these items?")
            self.starts.append(len(self.text))
            self.text += raw
            self.ends.append(len(self.text))
            self.text += b" "
        for at, gram in zip(places, grams, strict=True):
            if gram not in self.known:
                self.known[gram] = len(self.known)
                self.firsts.append(first + at)
                self.lasts.append(first + at + n - 1)
        return [self.known[gram] for gram in grams]

    def arrays(self, shortest: int) -> dict[str, NDArray[Any]]:
        """All of it, N-grams numbered in the order of their hashes."""
        text = np.frombuffer(bytes(self.text) + b"\0" * PAD, np.uint8)
        starts, ends = np.array(self.starts, np.int64), np.array(self.ends, np.int64)
        firsts, lasts = np.array(self.firsts, np.int64), np.array(self.lasts, np.int64)
        hashes = hashes_of(text, starts, ends, lasts, shortest)
        order = np.lexsort((starts[firsts], hashes))
        number = np.empty(order.size, np.int64)
        number[order] = np.arange(order.size)
        postings = np.array([*self.postings], np.int64).reshape(-1, 3)
        grams = number[postings[:, 0]]
        by_gram = np.lexsort((postings[:, 2], postings[:, 1], grams))
        return {
            "text": text,
            "starts": starts[firsts][order],
            "sizes": (ends[lasts] - starts[firsts])[order].astype(np.int32),
            "lengths": (lasts - firsts + 1)[order].astype(np.uint8),
            "hashes": hashes[order],
            "grams": grams[by_gram].astype(np.int32),
            "items": postings[by_gram, 1].astype(np.int32),
            "parts": postings[by_gram, 2].astype(np.uint8),
        }


def _shared(
    benchmarks: Sequence[Benchmark], members: Sequence[Member], cut: Tokenizer
) -> Iterable[Shared]:
    """What two benchmarks have in common, with the shorter N of the two for both."""
    for (one, first), (other, second) in combinations(zip(benchmarks, members, strict=True), 2):
        n = min(first.n, second.n)
        mine, yours = _grams_of(one.splits, n, cut), _grams_of(other.splits, n, cut)
        common = sorted(mine.keys() & yours.keys())
        pairs = tuple(dict.fromkeys((mine[gram], yours[gram]) for gram in common))
        yield Shared(one.name, other.name, n, len(common), pairs[:PAIRS], first.n == second.n)


def _grams_of(splits: dict[str, Items], n: int, cut: Tokenizer) -> dict[str, str]:
    """N-grams, each with the first item that has it."""
    found: dict[str, str] = {}
    for items in splits.values():
        for item in items:
            for sequence in sequences(item, cut.split):
                for gram in ngrams(words(sequence)[0], n):
                    found.setdefault(gram, item.id)
    return found
