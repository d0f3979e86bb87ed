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

from .simd import WIDTH, blanks, eight, letters, lowest
from .wide import FULL, widened

PAD = 2 * WIDTH  # bytes behind a text that may be read, whatever they are

_PASS = 1 << 12  # bytes parted into words before these are looked at
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_1, _6, _63, _64 = np.uint64(1), np.uint64(6), np.uint64(63), np.uint64(64)

__all__ = ["FULL", "PAD", "Bytes", "Grams", "Keys", "Longs", "filed", "hashes_of", "scan"]

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
Keys = NDArray[np.uint64]


class Grams(NamedTuple):
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
def _turned(key, by):  # type: ignore[no-untyped-def]
    """Rotated to the left, by 1 to 63 bits."""
    return (key << np.uint64(by)) | (key >> (_64 - np.uint64(by)))


@njit(inline="always")
def _some(text, at, size):  # type: ignore[no-untyped-def]
    """Up to eight bytes from here on."""
    beyond = np.uint64(64 - 8 * min(size, 8))
    return (eight(text, at) << beyond) >> beyond


@njit(inline="always")
def _word(text, start, end):  # type: ignore[no-untyped-def]
    """The hash of a word, which has at least one byte."""
    key = _some(text, start, end - start)
    for more in range(start + 8, end, 8):
        key = _mix(key ^ _some(text, more, end - more))
    return _mix(key)


@njit(cache=True)
def hashes_of(text: Bytes, starts: Longs, ends: Longs, lasts: Longs, shortest: int) -> Keys:
    """The hashes of the words up to some last ones; words are given by where they stand."""
    found = np.zeros(lasts.size, np.uint64)
    for x in range(lasts.size):
        key = np.uint64(0)
        for word in range(lasts[x] - shortest + 1, lasts[x] + 1):
            key = _turned(key, 1) ^ _word(text, starts[word], ends[word])
        found[x] = key
    return found


@njit(cache=True)
def _places(bits, slots):  # type: ignore[no-untyped-def]
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
def filed(hashes: Keys, bits: Keys, slots: NDArray[np.uint32]) -> None:
    """Fill the bitmap and the slots; hashes are in order."""
    to_bit, to_slot = _places(bits, slots)
    for entry in range(hashes.size):
        key = hashes[entry] * _SPREAD
        bits[key >> to_bit] |= (_1 << (key & _63)) | (_1 << ((key >> _6) & _63))
        if entry and hashes[entry] == hashes[entry - 1]:
            continue  # found from the first of them
        at = np.int64(key >> to_slot)
        while slots[at]:
            at = (at + 1) & (slots.size - 1)
        slots[at] = entry + 1


@njit(cache=True, nogil=True)
def scan(raw, low, regions, by_word, folding, grams, hits, odds, broken):  # type: ignore[no-untyped-def]
    """Hits (N-gram, start, end) of regions (begin, limit, end): how many; and how many words.

    N-grams and words count that begin before the limit of their region. A word with a character
    that cannot be replaced where it stands is like none that is known; where such a character
    stands is put down in `odds` (region, place), and their number comes third. `broken` gets of
    each region how many bytes are no UTF-8, and the first of them. FULL: no room for all this.
    """
    work = _Work(
        np.zeros(2 * grams.longest + _PASS + WIDTH + 2, np.int64),
        np.zeros(grams.longest + _PASS + WIDTH, np.uint64),
        _places(grams.bits, grams.slots),
    )
    total, words, odd = 0, 0, 0
    for region in range(regions.shape[0]):
        total, more, odd = _region(
            raw, low, regions, region, by_word, folding, grams, work, hits, total, odds, odd, broken
        )
        if total == FULL or odd == FULL:
            return FULL, 0, 0
        words += more
    return total, words, odd


class _Work(NamedTuple):
    """Room for the words of a pass; the last ones of the pass before stand in front."""

    edges: Longs  # where words begin and end, by turns
    keys: Keys
    places: tuple[np.uint64, np.uint64]


@njit(cache=True, nogil=True)
def _region(  # type: ignore[no-untyped-def]
    raw, low, regions, region, by_word, folding, grams, work, hits, total, odds, odd, broken
):
    """Hits and words of one region, and rare characters."""
    begin, limit, end = regions[region]
    front, shortest = grams.longest, grams.shortest
    edges, keys, to_bit = work.edges, work.keys, work.places[0]
    keys[:front] = 0
    rolled, before, words = np.uint64(0), 0, 0
    n, carry, skip, inside = 2 * front, np.uint64(0), 0, False
    i = begin
    while i < end:
        stop = min(i + _PASS, end)
        while i < stop:
            if by_word:
                mask, wide = letters(raw, i, low)
            else:
                mask, wide = blanks(raw, i)
                mask = ~mask
            own = ~np.uint64(0)
            if end - i < WIDTH:
                own = (_1 << np.uint64(end - i)) - _1
            if wide | np.uint64(skip):
                mask, skip, inside, odd = widened(
                    raw, low, i, regions, region, by_word, wide & own, mask, skip, inside, folding,
                    odds, odd, broken,
                )  # fmt: skip
                if odd == FULL:
                    return total, words, odd
            mask &= own
            turns = mask ^ ((mask << _1) | carry)
            carry = mask >> _63
            while turns:
                edges[n] = i + lowest(turns)
                n += 1
                turns &= turns - _1
            i += WIDTH
        if i >= end and carry:
            edges[n] = end
            n += 1
        found = n // 2 - front
        for x in range(front, front + found):
            keys[x] = _word(low, edges[2 * x], edges[2 * x + 1])
        for x in range(front, front + found):
            rolled = _turned(rolled, 1) ^ keys[x] ^ _turned(keys[x - shortest], shortest)
            key = rolled * _SPREAD
            held = grams.bits[key >> to_bit]
            if (held >> (key & _63)) & (held >> ((key >> _6) & _63)) & _1:
                seen = before + x - front + 1
                if seen >= shortest:
                    total = _checked(low, limit, grams, work, rolled, x, seen, hits, total)
                    if total == FULL:
                        return total, words, odd
        before += found
        words += found if i <= limit else _before(edges, front, found, limit)
        for x in range(front):
            keys[x] = keys[found + x]
        for x in range(2 * front + (n & 1)):
            edges[x] = edges[2 * found + x]
        n = 2 * front + (n & 1)
    return total, words, odd


@njit(cache=True, nogil=True)
def _checked(low, limit, grams, work, rolled, x, seen, hits, total):  # type: ignore[no-untyped-def]
    """Put down the N-grams that end with a word, all bytes compared."""
    edges = work.edges
    at = np.int64((rolled * _SPREAD) >> work.places[1])
    while grams.slots[at]:
        entry = np.int64(grams.slots[at]) - 1
        if grams.hashes[entry] == rolled:
            while entry < grams.hashes.size and grams.hashes[entry] == rolled:
                first = x - np.int64(grams.lengths[entry]) + 1
                if (
                    seen >= grams.lengths[entry]
                    and edges[2 * first] < limit
                    and _same(low, grams, entry, edges, first, x)
                ):
                    if total == hits.shape[0]:
                        return FULL
                    hits[total, 0] = entry
                    hits[total, 1], hits[total, 2] = edges[2 * first], edges[2 * x + 1]
                    total += 1
                entry += 1
            break
        at = (at + 1) & (grams.slots.size - 1)
    return total


@njit(cache=True, nogil=True)
def _before(edges, front, found, limit):  # type: ignore[no-untyped-def]
    """How many words begin before a limit."""
    count = 0
    for x in range(front, front + found):
        count += edges[2 * x] < limit
    return count


@njit(cache=True, nogil=True)
def _same(low, grams, entry, edges, first, last):  # type: ignore[no-untyped-def]
    """Whether words are those of an N-gram, byte by byte."""
    at = grams.starts[entry]
    over = at + grams.sizes[entry]
    for word in range(first, last + 1):
        start, end = edges[2 * word], edges[2 * word + 1]
        if at + end - start > over:
            return False
        for place in range(start, end):
            if grams.text[at] != low[place]:
                return False
            at += 1
        if word < last:
            if at >= over or grams.text[at] != 32:
                return False
            at += 1
    return at == over
