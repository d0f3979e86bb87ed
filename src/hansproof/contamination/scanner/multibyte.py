"""Characters of several bytes, where the scanner meets one: decoded, checked, put right."""

from __future__ import annotations

import numpy as np
from numba import njit

from .simd import WIDTH, lowest_bit

FULL = -1  # hits, or rare characters, for which there was no room

_1 = np.uint64(1)


@njit(cache=True, nogil=True)
def fold_multibyte(  # type: ignore[no-untyped-def]
    raw,
    lowered,
    i,
    regions,
    region,
    by_word,
    multibyte,
    mask,
    skip,
    inside,
    fold_table,
    irregular,
    n_irregular,
    invalid,
):
    """The mask with characters of several bytes put right, and what reaches beyond the block."""
    mask &= ~multibyte
    carried_mask = (_1 << np.uint64(skip)) - _1
    if inside:
        mask |= carried_mask
        if by_word:  # its first bytes stand in the block before, where they were put right
            _refold_carried(raw, lowered, i, skip, fold_table)
    multibyte &= ~carried_mask
    skip, inside = 0, False
    limit, end = regions[region, 1], regions[region, 2]
    while multibyte:
        offset = lowest_bit(multibyte)
        size, codepoint = _decode_codepoint(raw, i + offset, end)
        if size == 0:  # U+FFFD stands for it, which is no letter, but is not blank either
            size, entry = 1, -1 if not by_word else 0
            if i + offset < limit:
                invalid[region, 0] += 1
                if invalid[region, 1] < 0:
                    invalid[region, 1] = i + offset
        else:
            entry = fold_table[codepoint]
            if entry >= 0 and entry >> 1 != codepoint:
                _write_codepoint(lowered, i + offset, entry >> 1, size)
        if entry < 0:
            if n_irregular == irregular.shape[0]:
                return mask, skip, inside, FULL
            irregular[n_irregular, 0], irregular[n_irregular, 1] = region, i + offset
            n_irregular += 1
        char_mask = ((_1 << np.uint64(size)) - _1) << np.uint64(offset)
        if entry & 1:  # -1 too: an odd character belongs to its word
            mask |= char_mask
        multibyte &= ~char_mask
        if offset + size > WIDTH:
            skip, inside = offset + size - WIDTH, entry & 1 == 1
    return mask, skip, inside, n_irregular


@njit(cache=True, nogil=True)
def _refold_carried(raw, lowered, i, skip, fold_table):  # type: ignore[no-untyped-def]
    """Put a letter right that reaches into a block, which was copied since."""
    position = i - 1
    while raw[position] & 0xC0 == 0x80:
        position -= 1
    size, codepoint = _decode_codepoint(raw, position, i + skip)
    if size and fold_table[codepoint] >= 0:
        _write_codepoint(lowered, position, fold_table[codepoint] >> 1, size)


@njit(cache=True, nogil=True)
def _decode_codepoint(lowered, position, end):  # type: ignore[no-untyped-def]
    """Size and number of a character of several bytes; the size is 0 if it is broken."""
    lead = np.int64(lowered[position])
    size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if lead < 0xC2 or lead > 0xF4 or position + size > end:
        return 0, 0
    codepoint = lead & (0x7F >> size)
    for i in range(position + 1, position + size):
        if lowered[i] & 0xC0 != 0x80:
            return 0, 0
        codepoint = codepoint << 6 | np.int64(lowered[i]) & 0x3F
    is_overlong = (size == 3 and codepoint < 0x800) or (size == 4 and codepoint < 0x10000)
    if is_overlong or codepoint > 0x10FFFF or 0xD800 <= codepoint < 0xE000:
        return 0, 0
    return size, codepoint


@njit(cache=True, nogil=True)
def _write_codepoint(lowered, position, codepoint, size):  # type: ignore[no-untyped-def]
    """Write a character of as many bytes."""
    for i in range(position + size - 1, position, -1):
        lowered[i] = 0x80 | codepoint & 0x3F
        codepoint >>= 6
    lowered[position] = ((0xF00 >> size) & 0xFF) | codepoint
