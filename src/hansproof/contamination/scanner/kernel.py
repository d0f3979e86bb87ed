"""The scanner itself: bytes in, places of known N-grams out.

Sixty-four bytes at a time are put into lower case and parted into words; every word becomes a
hash, and the last N of them another, which rolls along. A bitmap that fits into a processor's
cache says of nearly all of these that they are not known. Of the others every byte is compared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .multibyte import FULL, fold_multibyte
from .simd import WIDTH, classify_spaces, load_eight_bytes, lower_and_classify, lowest_bit

PAD = 2 * WIDTH  # bytes behind a text that may be read, whatever they are

_PASS_BYTES = 1 << 12  # bytes parted into words before these are looked at
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_1, _6, _63, _64 = np.uint64(1), np.uint64(6), np.uint64(63), np.uint64(64)

__all__ = [
    "FULL",
    "PAD",
    "Bytes",
    "NgramLookup",
    "Keys",
    "Longs",
    "fill_lookup",
    "hash_ngrams",
    "scan_regions",
]

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
Keys = NDArray[np.uint64]


class NgramLookup(NamedTuple):
    """N-grams to look for. They are found by the hash of their last words, as many as all have."""

    bits: Keys  # two bits for each hash, both in one number
    slots: NDArray[np.uint32]  # open addressing: the first entry of a hash, plus one
    hashes: Keys  # of entries, in order
    starts: Longs  # where the entry's words stand in `text`, a blank between
    sizes: NDArray[np.int32]  # bytes
    lengths: NDArray[np.uint8]  # words
    text: Bytes
    shortest: int
    longest: int


@njit(inline="always")
def _mix(key):  # type: ignore[no-untyped-def]
    key = (key ^ (key >> np.uint64(32))) * _SPREAD
    return key ^ (key >> np.uint64(29))


@njit(inline="always")
def _rotate_left(key, n_bits):  # type: ignore[no-untyped-def]
    """Rotated to the left, by 1 to 63 bits."""
    return (key << np.uint64(n_bits)) | (key >> (_64 - np.uint64(n_bits)))


@njit(inline="always")
def _load_bytes(text, start, size):  # type: ignore[no-untyped-def]
    """Up to eight bytes from here on."""
    shift = np.uint64(64 - 8 * min(size, 8))
    return (load_eight_bytes(text, start) << shift) >> shift


@njit(inline="always")
def _hash_word(text, start, end):  # type: ignore[no-untyped-def]
    """The hash of a word, which has at least one byte."""
    key = _load_bytes(text, start, end - start)
    for offset in range(start + 8, end, 8):
        key = _mix(key ^ _load_bytes(text, offset, end - offset))
    return _mix(key)


@njit(cache=True)
def hash_ngrams(text: Bytes, starts: Longs, ends: Longs, lasts: Longs, shortest: int) -> Keys:
    """The hashes of the words up to some last ones; words are given by where they stand."""
    hashes = np.zeros(lasts.size, np.uint64)
    for i in range(lasts.size):
        key = np.uint64(0)
        for word in range(lasts[i] - shortest + 1, lasts[i] + 1):
            key = _rotate_left(key, 1) ^ _hash_word(text, starts[word], ends[word])
        hashes[i] = key
    return hashes


@njit(cache=True)
def _index_shifts(bits, slots):  # type: ignore[no-untyped-def]
    """By how much a spread key is shifted to be a place among bits and among slots."""
    shifts = (_64, _64)
    size = 1
    while size < bits.size:
        size, shifts = size * 2, (shifts[0] - _1, shifts[1])
    size = 1
    while size < slots.size:
        size, shifts = size * 2, (shifts[0], shifts[1] - _1)
    return shifts


@njit(cache=True)
def fill_lookup(hashes: Keys, bits: Keys, slots: NDArray[np.uint32]) -> None:
    """Fill the bitmap and the slots; hashes are in order."""
    bit_shift, slot_shift = _index_shifts(bits, slots)
    for entry in range(hashes.size):
        key = hashes[entry] * _SPREAD
        bits[key >> bit_shift] |= (_1 << (key & _63)) | (_1 << ((key >> _6) & _63))
        if entry and hashes[entry] == hashes[entry - 1]:
            continue  # found from the first of them
        slot = np.int64(key >> slot_shift)
        while slots[slot]:
            slot = (slot + 1) & (slots.size - 1)
        slots[slot] = entry + 1


@njit(cache=True, nogil=True)
def scan_regions(raw, lowered, regions, by_word, fold_table, lookup, hits, irregular, invalid):  # type: ignore[no-untyped-def]
    """Hits (N-gram, start, end) of regions (begin, limit, end): how many; and how many words.

    N-grams and words count that begin before the limit of their region. A word with a character
    that cannot be replaced where it stands is like none that is known; where such a character
    stands is put down in `odds` (region, place), and their number comes third. `broken` gets of
    each region how many bytes are no UTF-8, and the first of them. FULL: no room for all this.
    """
    workspace = _Workspace(
        np.zeros(2 * lookup.longest + _PASS_BYTES + WIDTH + 2, np.int64),
        np.zeros(lookup.longest + _PASS_BYTES + WIDTH, np.uint64),
        _index_shifts(lookup.bits, lookup.slots),
    )
    n_hits, n_words, n_irregular = 0, 0, 0
    for region in range(regions.shape[0]):
        n_hits, region_words, n_irregular = _scan_region(
            raw,
            lowered,
            regions,
            region,
            by_word,
            fold_table,
            lookup,
            workspace,
            hits,
            n_hits,
            irregular,
            n_irregular,
            invalid,
        )
        if n_hits == FULL or n_irregular == FULL:
            return FULL, 0, 0
        n_words += region_words
    return n_hits, n_words, n_irregular


class _Workspace(NamedTuple):
    """Room for the words of a pass; the last ones of the pass before stand in front."""

    edges: Longs  # where words begin and end, by turns
    keys: Keys
    places: tuple[np.uint64, np.uint64]


@njit(cache=True, nogil=True)
def _scan_region(  # type: ignore[no-untyped-def]
    raw,
    lowered,
    regions,
    region,
    by_word,
    fold_table,
    lookup,
    workspace,
    hits,
    n_hits,
    irregular,
    n_irregular,
    invalid,
):
    """Hits and words of one region, and rare characters."""
    begin, limit, end = regions[region]
    front, shortest = lookup.longest, lookup.shortest
    edges, keys, bit_shift = workspace.edges, workspace.keys, workspace.places[0]
    keys[:front] = 0
    rolling_hash, words_before, n_words = np.uint64(0), 0, 0
    n_edges, carry, skip, inside = 2 * front, np.uint64(0), 0, False
    i = begin
    while i < end:
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
                    raw, lowered, i, regions, region, by_word, multibyte & in_region, mask, skip, inside, fold_table,
                    irregular, n_irregular, invalid,
                )  # fmt: skip
                if n_irregular == FULL:
                    return n_hits, n_words, n_irregular
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
        pass_words = n_edges // 2 - front
        for word in range(front, front + pass_words):
            keys[word] = _hash_word(lowered, edges[2 * word], edges[2 * word + 1])
        for word in range(front, front + pass_words):
            rolling_hash = (
                _rotate_left(rolling_hash, 1)
                ^ keys[word]
                ^ _rotate_left(keys[word - shortest], shortest)
            )
            key = rolling_hash * _SPREAD
            bits = lookup.bits[key >> bit_shift]
            if (bits >> (key & _63)) & (bits >> ((key >> _6) & _63)) & _1:
                n_seen = words_before + word - front + 1
                if n_seen >= shortest:
                    n_hits = _record_hits(
                        lowered, limit, lookup, workspace, rolling_hash, word, n_seen, hits, n_hits
                    )
                    if n_hits == FULL:
                        return n_hits, n_words, n_irregular
        words_before += pass_words
        n_words += (
            pass_words if i <= limit else _count_words_before(edges, front, pass_words, limit)
        )
        for word in range(front):
            keys[word] = keys[pass_words + word]
        for word in range(2 * front + (n_edges & 1)):
            edges[word] = edges[2 * pass_words + word]
        n_edges = 2 * front + (n_edges & 1)
    return n_hits, n_words, n_irregular


@njit(cache=True, nogil=True)
def _record_hits(lowered, limit, lookup, workspace, rolling_hash, word, n_seen, hits, n_hits):  # type: ignore[no-untyped-def]
    """Put down the N-grams that end with a word, all bytes compared."""
    edges = workspace.edges
    slot = np.int64((rolling_hash * _SPREAD) >> workspace.places[1])
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


@njit(cache=True, nogil=True)
def _count_words_before(edges, front, pass_words, limit):  # type: ignore[no-untyped-def]
    """How many words begin before a limit."""
    count = 0
    for word in range(front, front + pass_words):
        count += edges[2 * word] < limit
    return count


@njit(cache=True, nogil=True)
def _matches_entry(lowered, lookup, entry, edges, first_word, last_word):  # type: ignore[no-untyped-def]
    """Whether words are those of an N-gram, byte by byte."""
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
