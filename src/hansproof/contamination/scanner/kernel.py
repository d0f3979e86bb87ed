"""The compiled kernel: finds the positions of N-grams in bytes.

Text is lowered and split into words, 64 bytes at a time. Each word is hashed, and a rolling hash
covers the last N words. A bitmap that fits into the processor's cache rules out nearly all of
these hashes; for the rest, N-grams are compared byte by byte.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..._infra.compilation import compile_function
from .multibyte import FULL, fold_multibyte
from .simd import WIDTH, classify_spaces, load_eight_bytes, lower_and_classify, lowest_bit

PAD = 2 * WIDTH  # bytes after a text that may be read, whatever they are

_PASS_BYTES = 1 << 12  # bytes that are split into words before these are looked up
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_1, _6, _63, _64 = np.uint64(1), np.uint64(6), np.uint64(63), np.uint64(64)

__all__ = [
    "FULL", "PAD", "Bytes", "Keys", "Longs", "NgramLookup", "fill_lookup", "hash_ngrams",
    "scan_regions",
]  # fmt: skip

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
Keys = NDArray[np.uint64]


class NgramLookup(NamedTuple):
    """The N-grams of an index. Each is found by the hash of its last `shortest` words."""

    bits: Keys  # a bitmap with two bits for each hash, both in one number
    slots: NDArray[np.uint32]  # open addressing: the first entry of a hash, plus one
    hashes: Keys  # by N-gram, sorted
    starts: Longs  # by N-gram: where its words begin in `text`, with spaces between
    sizes: NDArray[np.int32]  # in bytes
    lengths: NDArray[np.uint8]  # in words
    text: Bytes
    shortest: int  # smallest N
    longest: int  # largest N


@njit(inline="always")
def _mix(key):  # type: ignore[no-untyped-def]
    key = (key ^ (key >> np.uint64(32))) * _SPREAD
    return key ^ (key >> np.uint64(29))


@njit(inline="always")
def _rotate_left(key, n_bits):  # type: ignore[no-untyped-def]
    """Rotate a key to the left by 1 to 63 bits."""
    return (key << np.uint64(n_bits)) | (key >> (_64 - np.uint64(n_bits)))


@njit(inline="always")
def _load_bytes(text, start, size):  # type: ignore[no-untyped-def]
    """Return up to eight bytes as a number."""
    shift = np.uint64(64 - 8 * min(size, 8))
    return (load_eight_bytes(text, start) << shift) >> shift


@njit(inline="always")
def _hash_word(text, start, end):  # type: ignore[no-untyped-def]
    """Return the hash of a word, which has at least one byte."""
    key = _load_bytes(text, start, end - start)
    for offset in range(start + 8, end, 8):
        key = _mix(key ^ _load_bytes(text, offset, end - offset))
    return _mix(key)


@compile_function()
def hash_ngrams(text: Bytes, starts: Longs, ends: Longs, lasts: Longs, shortest: int) -> Keys:
    """Return the hash of the `shortest` words up to each of the words `lasts`."""
    hashes = np.zeros(lasts.size, np.uint64)
    for i in range(lasts.size):
        key = np.uint64(0)
        for word in range(lasts[i] - shortest + 1, lasts[i] + 1):
            key = _rotate_left(key, 1) ^ _hash_word(text, starts[word], ends[word])
        hashes[i] = key
    return hashes


@compile_function()
def _index_shifts(bits, slots):  # type: ignore[no-untyped-def]
    """Return by how many bits a key is shifted to be an index of the bitmap, and of the slots."""
    shifts = (_64, _64)
    size = 1
    while size < bits.size:
        size, shifts = size * 2, (shifts[0] - _1, shifts[1])
    size = 1
    while size < slots.size:
        size, shifts = size * 2, (shifts[0], shifts[1] - _1)
    return shifts


@compile_function()
def fill_lookup(hashes: Keys, bits: Keys, slots: NDArray[np.uint32]) -> None:
    """Fill the bitmap and the slots; the hashes are sorted."""
    bit_shift, slot_shift = _index_shifts(bits, slots)
    for entry in range(hashes.size):
        key = hashes[entry] * _SPREAD
        bits[key >> bit_shift] |= (_1 << (key & _63)) | (_1 << ((key >> _6) & _63))
        if entry and hashes[entry] == hashes[entry - 1]:
            continue  # the slot of the first leads to all
        slot = np.int64(key >> slot_shift)
        while slots[slot]:
            slot = (slot + 1) & (slots.size - 1)
        slots[slot] = entry + 1


@compile_function(nogil=True)
def scan_regions(raw, lowered, regions, by_word, fold_table, lookup, hits, irregular, invalid):  # type: ignore[no-untyped-def]
    """Scan regions of `raw`, given as (begin, limit, end).

    Returns the numbers of hits, of words and of irregular characters; FULL, 0, 0 if an array is
    too small. Only N-grams and words that begin before the limit of their region count. Fills:

    - `lowered`: the text in lower case,
    - `hits`: N-gram, start, end,
    - `irregular`: region and position of each irregular character; words that contain one match
      no N-gram,
    - `invalid`: by region, the number of bytes that are not UTF-8 and the position of the first.
    """
    workspace = _Workspace(
        np.zeros(2 * lookup.longest + _PASS_BYTES + WIDTH + 2, np.int64),
        np.zeros(lookup.longest + _PASS_BYTES + WIDTH, np.uint64),
        _index_shifts(lookup.bits, lookup.slots),
    )
    n_hits, n_words, n_irregular = 0, 0, 0
    for region in range(regions.shape[0]):
        n_hits, region_words, n_irregular = _scan_region(
            raw, lowered, regions, region, by_word, fold_table, lookup, workspace, hits, n_hits,
            irregular, n_irregular, invalid,
        )  # fmt: skip
        if n_hits == FULL or n_irregular == FULL:
            return FULL, 0, 0
        n_words += region_words
    return n_hits, n_words, n_irregular


class _Workspace(NamedTuple):
    """The words of a pass, after the last words of the pass before."""

    edges: Longs  # where words begin and end, alternately
    keys: Keys  # hashes of words
    shifts: tuple[np.uint64, np.uint64]


@compile_function(nogil=True)
def _scan_region(  # type: ignore[no-untyped-def]
    raw, lowered, regions, region, by_word, fold_table, lookup, workspace, hits, n_hits, irregular,
    n_irregular, invalid,
):  # fmt: skip
    """Scan a region, pass by pass; return the numbers of hits, words and irregular characters."""
    begin, limit, end = regions[region]
    front = lookup.longest
    edges, keys = workspace.edges, workspace.keys
    keys[:front] = 0
    rolling_hash, words_before, n_words = np.uint64(0), 0, 0
    i, n_edges, carry, skip, inside = begin, 2 * front, np.uint64(0), 0, False
    while i < end:
        i, n_edges, carry, skip, inside, n_irregular = _split_pass(
            raw, lowered, i, regions, region, by_word, fold_table, edges, n_edges, carry, skip,
            inside, irregular, n_irregular, invalid,
        )  # fmt: skip
        if n_irregular == FULL:
            return n_hits, n_words, n_irregular
        pass_words = n_edges // 2 - front
        rolling_hash, n_hits = _look_up_pass(
            lowered, limit, lookup, workspace, rolling_hash, words_before, pass_words, hits, n_hits
        )
        if n_hits == FULL:
            return n_hits, n_words, n_irregular
        words_before += pass_words
        n_words += (
            pass_words if i <= limit else _count_words_before(edges, front, pass_words, limit)
        )
        for word in range(front):
            keys[word] = keys[pass_words + word]
        for edge in range(2 * front + (n_edges & 1)):
            edges[edge] = edges[2 * pass_words + edge]
        n_edges = 2 * front + (n_edges & 1)
    return n_hits, n_words, n_irregular


@compile_function(nogil=True)
def _split_pass(  # type: ignore[no-untyped-def]
    raw, lowered, i, regions, region, by_word, fold_table, edges, n_edges, carry, skip, inside,
    irregular, n_irregular, invalid,
):  # fmt: skip
    """Lower the next bytes, and split them into words: write their edges.

    `carry` is 1 if the last byte belongs to a word; `skip` bytes of the next block belong to a
    character that began before, which is `inside` a word or not.
    """
    end = regions[region, 2]
    stop = min(i + _PASS_BYTES, end)
    while i < stop:
        if by_word:
            mask, multibyte = lower_and_classify(raw, i, lowered)
        else:
            mask, multibyte = classify_spaces(raw, i)
            mask = ~mask
        in_region = ~np.uint64(0)
        if end - i < WIDTH:
            in_region = (_1 << np.uint64(end - i)) - _1
        if multibyte | np.uint64(skip):
            mask, skip, inside, n_irregular = fold_multibyte(
                raw, lowered, i, regions, region, by_word, multibyte & in_region, mask, skip,
                inside, fold_table, irregular, n_irregular, invalid,
            )  # fmt: skip
            if n_irregular == FULL:
                break
        mask &= in_region
        boundaries = mask ^ ((mask << _1) | carry)
        carry = mask >> _63
        while boundaries:
            edges[n_edges] = i + lowest_bit(boundaries)
            n_edges += 1
            boundaries &= boundaries - _1
        i += WIDTH
    if i >= end and carry:
        edges[n_edges] = end
        n_edges += 1
    return i, n_edges, carry, skip, inside, n_irregular


@compile_function(nogil=True)
def _look_up_pass(  # type: ignore[no-untyped-def]
    lowered, limit, lookup, workspace, rolling_hash, words_before, pass_words, hits, n_hits
):
    """Hash the words of a pass, and look up the N-grams that end with each of them."""
    edges, keys, bit_shift = workspace.edges, workspace.keys, workspace.shifts[0]
    front, shortest = lookup.longest, lookup.shortest
    for word in range(front, front + pass_words):
        keys[word] = _hash_word(lowered, edges[2 * word], edges[2 * word + 1])
    for word in range(front, front + pass_words):
        dropped = _rotate_left(keys[word - shortest], shortest)
        rolling_hash = _rotate_left(rolling_hash, 1) ^ keys[word] ^ dropped
        key = rolling_hash * _SPREAD
        bits = lookup.bits[key >> bit_shift]
        if (bits >> (key & _63)) & (bits >> ((key >> _6) & _63)) & _1:
            n_seen = words_before + word - front + 1
            if n_seen >= shortest:
                n_hits = _record_hits(
                    lowered, limit, lookup, workspace, rolling_hash, word, n_seen, hits, n_hits
                )
                if n_hits == FULL:
                    break
    return rolling_hash, n_hits


@compile_function(nogil=True)
def _record_hits(lowered, limit, lookup, workspace, rolling_hash, word, n_seen, hits, n_hits):  # type: ignore[no-untyped-def]
    """Compare the N-grams of a hash with the text that ends with a word; write those that match."""
    edges = workspace.edges
    slot = np.int64((rolling_hash * _SPREAD) >> workspace.shifts[1])
    while lookup.slots[slot]:
        entry = np.int64(lookup.slots[slot]) - 1
        if lookup.hashes[entry] == rolling_hash:
            while entry < lookup.hashes.size and lookup.hashes[entry] == rolling_hash:
                first_word = word - np.int64(lookup.lengths[entry]) + 1
                if (
                    n_seen >= lookup.lengths[entry]
                    and edges[2 * first_word] < limit
                    and _matches_entry(lowered, lookup, entry, edges, first_word, word)
                ):
                    if n_hits == hits.shape[0]:
                        return FULL
                    hits[n_hits, 0] = entry
                    hits[n_hits, 1], hits[n_hits, 2] = edges[2 * first_word], edges[2 * word + 1]
                    n_hits += 1
                entry += 1
            break
        slot = (slot + 1) & (lookup.slots.size - 1)
    return n_hits


@compile_function(nogil=True)
def _count_words_before(edges, front, pass_words, limit):  # type: ignore[no-untyped-def]
    """Count the words of a pass that begin before a limit."""
    count = 0
    for word in range(front, front + pass_words):
        count += edges[2 * word] < limit
    return count


@compile_function(nogil=True)
def _matches_entry(lowered, lookup, entry, edges, first_word, last_word):  # type: ignore[no-untyped-def]
    """Whether words are those of an N-gram, compared byte by byte."""
    position = lookup.starts[entry]
    entry_end = position + lookup.sizes[entry]
    for word in range(first_word, last_word + 1):
        start, end = edges[2 * word], edges[2 * word + 1]
        if position + end - start > entry_end:
            return False
        for i in range(start, end):
            if lookup.text[position] != lowered[i]:
                return False
            position += 1
        if word < last_word:
            if position >= entry_end or lookup.text[position] != 32:
                return False
            position += 1
    return position == entry_end
