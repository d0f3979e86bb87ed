"""Characters of several bytes, where the scanner meets one: decoded, checked, put right."""

from __future__ import annotations

import numpy as np
from numba import njit

from .simd import WIDTH, lowest

FULL = -1  # hits, or rare characters, for which there was no room

_1 = np.uint64(1)


@njit(cache=True, nogil=True)
def widened(  # type: ignore[no-untyped-def]
    raw, low, i, regions, region, by_word, wide, mask, skip, inside, folding, odds, odd, broken
):
    """The mask with characters of several bytes put right, and what reaches beyond the block."""
    mask &= ~wide
    reach = (_1 << np.uint64(skip)) - _1
    if inside:
        mask |= reach
        if by_word:  # its first bytes stand in the block before, where they were put right
            _again(raw, low, i, skip, folding)
    wide &= ~reach
    skip, inside = 0, False
    limit, end = regions[region, 1], regions[region, 2]
    while wide:
        at = lowest(wide)
        size, point = _point(raw, i + at, end)
        if size == 0:  # U+FFFD stands for it, which is no letter, but is not blank either
            size, entry = 1, -1 if not by_word else 0
            if i + at < limit:
                broken[region, 0] += 1
                if broken[region, 1] < 0:
                    broken[region, 1] = i + at
        else:
            entry = folding[point]
            if entry >= 0 and entry >> 1 != point:
                _put(low, i + at, entry >> 1, size)
        if entry < 0:
            if odd == odds.shape[0]:
                return mask, skip, inside, FULL
            odds[odd, 0], odds[odd, 1] = region, i + at
            odd += 1
        own = ((_1 << np.uint64(size)) - _1) << np.uint64(at)
        if entry & 1:  # -1 too: an odd character belongs to its word
            mask |= own
        wide &= ~own
        if at + size > WIDTH:
            skip, inside = at + size - WIDTH, entry & 1 == 1
    return mask, skip, inside, odd


@njit(cache=True, nogil=True)
def _again(raw, low, i, skip, folding):  # type: ignore[no-untyped-def]
    """Put a letter right that reaches into a block, which was copied since."""
    at = i - 1
    while raw[at] & 0xC0 == 0x80:
        at -= 1
    size, point = _point(raw, at, i + skip)
    if size and folding[point] >= 0:
        _put(low, at, folding[point] >> 1, size)


@njit(cache=True, nogil=True)
def _point(low, at, end):  # type: ignore[no-untyped-def]
    """Size and number of a character of several bytes; the size is 0 if it is broken."""
    lead = np.int64(low[at])
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if lead < 0xC2 or lead > 0xF4 or at + size > end:
        return 0, 0
    point = lead & (0x7F >> size)
    for place in range(at + 1, at + size):
        if low[place] & 0xC0 != 0x80:
            return 0, 0
        point = point << 6 | np.int64(low[place]) & 0x3F
    short = (size == 3 and point < 0x800) or (size == 4 and point < 0x10000)
    if short or point > 0x10FFFF or 0xD800 <= point < 0xE000:
        return 0, 0
    return size, point


@njit(cache=True, nogil=True)
def _put(low, at, point, size):  # type: ignore[no-untyped-def]
    """Write a character of as many bytes."""
    for place in range(at + size - 1, at, -1):
        low[place] = 0x80 | point & 0x3F
        point >>= 6
    low[at] = ((0xF00 >> size) & 0xFF) | point
