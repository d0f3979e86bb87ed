"""Decodes, checks and lowers characters of several bytes."""

from __future__ import annotations

import numpy as np

from ..._infra.compilation import compile_function
from .simd import WIDTH, lowest_bit

FULL = -1  # returned when an array for hits or irregular characters is full

_1 = np.uint64(1)


@compile_function(nogil=True)
def fold_multibyte(  # type: ignore[no-untyped-def]
    raw, lowered, i, regions, region, by_word, multibyte, mask, skip, inside, fold_table, irregular,
    n_irregular, invalid,
):  # fmt: skip
    """Lower the multibyte characters of a block, and set their bits in the mask of words."""
    mask &= ~multibyte
    carried_mask = (_1 << np.uint64(skip)) - _1
    if inside:
        mask |= carried_mask
        if by_word:  # its first bytes were lowered with the previous block
            _refold_carried(raw, lowered, i, skip, fold_table)
    multibyte &= ~carried_mask
    skip, inside = 0, False
    limit, end = regions[region, 1], regions[region, 2]
    while multibyte:
        offset = lowest_bit(multibyte)
        size, codepoint = _decode_codepoint(raw, i + offset, end)
        if size == 0:  # read as U+FFFD, which is neither a letter nor a space
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
        if entry & 1:  # also true of -1: irregular characters belong to words
            mask |= char_mask
        multibyte &= ~char_mask
        if offset + size > WIDTH:
            skip, inside = offset + size - WIDTH, entry & 1 == 1
    return mask, skip, inside, n_irregular


@compile_function(nogil=True)
def _refold_carried(raw, lowered, i, skip, fold_table):  # type: ignore[no-untyped-def]
    """Lower again a letter whose last bytes the copy of this block has overwritten."""
    position = i - 1
    while raw[position] & 0xC0 == 0x80:
        position -= 1
    size, codepoint = _decode_codepoint(raw, position, i + skip)
    if size and fold_table[codepoint] >= 0:
        _write_codepoint(lowered, position, fold_table[codepoint] >> 1, size)


@compile_function(nogil=True)
def _decode_codepoint(lowered, position, end):  # type: ignore[no-untyped-def]
    """Return size and code point of a character of several bytes; size 0 if it is invalid."""
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


@compile_function(nogil=True)
def _write_codepoint(lowered, position, codepoint, size):  # type: ignore[no-untyped-def]
    """Write a character of `size` bytes."""
    for i in range(position + size - 1, position, -1):
        lowered[i] = 0x80 | codepoint & 0x3F
        codepoint >>= 6
    lowered[position] = ((0xF00 >> size) & 0xFF) | codepoint
