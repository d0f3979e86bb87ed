"""Builds an index from the items of benchmarks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._infra.validation import check_range
from ..errors import BadInput
from ..text.ngrams import extract_ngrams
from ..text.tokenizers import Tokenizer, get_tokenizer
from ..types import Benchmark, Item, Items
from .index import MAX_NGRAM, BenchmarkOverlap, IndexedBenchmark, NgramIndex, make_header
from .scanner.kernel import PAD, hash_ngrams
from .sequences import PERCENTILE, choose_n, item_sequences, sequence_words
from .shingles import SHINGLE_PART, SHINGLE_WORDS, item_words, sketch_starts

MAX_PAIRS = 20  # pairs of items that an overlap lists
MAX_WORD = 1 << 14  # bytes of the longest word that an index may contain


def build_index(
    benchmarks: Sequence[Benchmark],
    tokenizer_name: str = "word",
    n: int | None = None,
    sketches: bool = False,
) -> NgramIndex:
    """Build the index of all items of some benchmarks.

    Without `n`, each benchmark has its own N (see `sequences`). With `sketches`, the index also
    contains shingles, by which near-duplicates of items are found.
    """
    if n is not None:
        check_range("n", n, 2, MAX_NGRAM)
    base_tokenizer = get_tokenizer(tokenizer_name)
    # cached: a question is split once, not once for each choice
    splitter = Tokenizer(base_tokenizer.name, cache(base_tokenizer.split))
    names = [benchmark.name for benchmark in benchmarks]
    if len({*names}) < len(names):
        raise BadInput("index", f"a benchmark is named twice: {', '.join(names)}")
    if not any(items for benchmark in benchmarks for items in benchmark.splits.values()):
        raise BadInput("index", "there are no items")
    builder = IndexBuilder(splitter, sketches)
    members = tuple(builder.add_benchmark(benchmark, n) for benchmark in benchmarks)
    overlaps = tuple(_find_overlaps(benchmarks, members, splitter))
    shortest = min([m.n for m in members] + [SHINGLE_WORDS] * sketches)
    return NgramIndex(
        make_header(splitter, members, overlaps, sketches), builder.build_arrays(shortest)
    )


@dataclass(slots=True)
class IndexBuilder:
    """Numbers N-grams in the order of their first occurrence; collects their words in one text."""

    splitter: Tokenizer
    sketches: bool
    text: bytearray = field(default_factory=bytearray)
    word_starts: list[int] = field(default_factory=list)  # bytes of `text`
    word_ends: list[int] = field(default_factory=list)
    ngram_numbers: dict[str, int] = field(default_factory=dict)
    first_words: list[int] = field(default_factory=list)  # by N-gram
    last_words: list[int] = field(default_factory=list)
    # N-gram, item, parts of the item; a dict, as an ordered set
    postings: dict[tuple[int, int, int], None] = field(default_factory=dict)
    n_items: int = 0

    def add_benchmark(self, benchmark: Benchmark, n: int | None) -> IndexedBenchmark:
        """Add all items of a benchmark."""
        items = [item for split in benchmark.splits.values() for item in split]
        ngram_size = choose_n(items, self.splitter.split) if n is None else n
        rule = f"{PERCENTILE}% of sequences are shorter" if n is None else "given"
        counts = tuple(self._add_item(item, ngram_size) for item in items)
        ids = tuple(item.id for item in items)
        return IndexedBenchmark(benchmark.name, benchmark.sha256(), ngram_size, rule, ids, counts)

    def _add_item(self, item: Item, n: int) -> int:
        """Add the N-grams of an item; return how many different ones it has."""
        item_grams = set()
        for sequence in item_sequences(item, self.splitter.split):
            tokens, word_parts = sequence_words(sequence)
            starts = range(len(tokens) - n + 1)
            for start, number in zip(starts, self._number_grams(tokens, starts, n), strict=True):
                part_mask = 0
                for word_part in word_parts[start : start + n]:
                    part_mask |= word_part
                self.postings[number, self.n_items, part_mask] = None
                item_grams.add(number)
        if self.sketches:
            tokens = item_words(item, self.splitter.split)
            for number in self._number_grams(tokens, sketch_starts(tokens), SHINGLE_WORDS):
                self.postings[number, self.n_items, SHINGLE_PART] = None
        self.n_items += 1
        return len(item_grams)

    def _number_grams(self, tokens: list[str], starts: Sequence[int], n: int) -> list[int]:
        """Return the numbers of the N-grams that begin at some words; add new ones."""
        grams = [" ".join(tokens[start : start + n]) for start in starts]
        if all(gram in self.ngram_numbers for gram in grams):
            return [self.ngram_numbers[gram] for gram in grams]
        first_word = len(self.word_starts)
        for token in tokens:
            raw = token.encode("utf-8", "surrogatepass")
            if len(raw) > MAX_WORD:
                raise BadInput(
                    "index",
                    f"an item contains a word of {len(raw):,} bytes: check that the file contains "
                    "items",
                )
            self.word_starts.append(len(self.text))
            self.text += raw
            self.word_ends.append(len(self.text))
            self.text += b" "
        for start, gram in zip(starts, grams, strict=True):
            if gram not in self.ngram_numbers:
                self.ngram_numbers[gram] = len(self.ngram_numbers)
                self.first_words.append(first_word + start)
                self.last_words.append(first_word + start + n - 1)
        return [self.ngram_numbers[gram] for gram in grams]

    def build_arrays(self, shortest: int) -> dict[str, NDArray[Any]]:
        """Return the arrays of the index, with N-grams renumbered in the order of their hashes."""
        text = np.frombuffer(bytes(self.text) + b"\0" * PAD, np.uint8)
        starts, ends = np.array(self.word_starts, np.int64), np.array(self.word_ends, np.int64)
        firsts, lasts = np.array(self.first_words, np.int64), np.array(self.last_words, np.int64)
        hashes = hash_ngrams(text, starts, ends, lasts, shortest)
        order = np.lexsort((starts[firsts], hashes))
        new_numbers = np.empty(order.size, np.int64)
        new_numbers[order] = np.arange(order.size)
        postings = np.array([*self.postings], np.int64).reshape(-1, 3)
        grams = new_numbers[postings[:, 0]]
        posting_order = np.lexsort((postings[:, 2], postings[:, 1], grams))
        return {
            "text": text,
            "starts": starts[firsts][order],
            "sizes": (ends[lasts] - starts[firsts])[order].astype(np.int32),
            "lengths": (lasts - firsts + 1)[order].astype(np.uint8),
            "hashes": hashes[order],
            "grams": grams[posting_order].astype(np.int32),
            "items": postings[posting_order, 1].astype(np.int32),
            "parts": postings[posting_order, 2].astype(np.uint8),
        }


def _find_overlaps(
    benchmarks: Sequence[Benchmark], members: Sequence[IndexedBenchmark], splitter: Tokenizer
) -> Iterable[BenchmarkOverlap]:
    """Compare benchmarks in pairs, with the shorter N of the two."""
    for first, second in combinations(zip(benchmarks, members, strict=True), 2):
        (first_benchmark, first_member), (second_benchmark, second_member) = first, second
        n = min(first_member.n, second_member.n)
        first_grams = _collect_grams(first_benchmark.splits, n, splitter)
        second_grams = _collect_grams(second_benchmark.splits, n, splitter)
        common = sorted(first_grams.keys() & second_grams.keys())
        pairs = tuple(dict.fromkeys((first_grams[gram], second_grams[gram]) for gram in common))
        yield BenchmarkOverlap(
            first_benchmark.name,
            second_benchmark.name,
            n,
            len(common),
            pairs[:MAX_PAIRS],
            first_member.n == second_member.n,
        )


def _collect_grams(splits: dict[str, Items], n: int, splitter: Tokenizer) -> dict[str, str]:
    """Return all N-grams, each with the id of the first item that contains it."""
    first_items: dict[str, str] = {}
    for items in splits.values():
        for item in items:
            for sequence in item_sequences(item, splitter.split):
                for gram in extract_ngrams(sequence_words(sequence)[0], n):
                    first_items.setdefault(gram, item.id)
    return first_items
