"""Spaces between the tokens of `chars` and `pairs`, put into many texts at once.

The same tokens as those of the patterns in `scripts`, found with arrays instead of matches.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from . import scripts

SEPARATOR = "\0"  # between texts: stays where it is
_OTHER, _WORD, _UNSPACED, _MARK, _STACKER, _JOINER, _SEPARATOR = range(7)  # kinds of characters

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


def space_tokens(text: str, pairs: bool) -> str:
    """Return the tokens of a text, which is folded already, with a space after each."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds = _character_kinds()[points]
    starts, ends = _find_tokens(kinds)
    if pairs:
        starts, ends = _pair_graphemes(kinds, starts, ends)
    sizes = ends - starts + 1  # with the space
    firsts = np.cumsum(sizes) - sizes
    indices = np.arange(sizes.sum()) + np.repeat(starts - firsts, sizes)
    spaced: NDArray[np.uint32] = points[np.minimum(indices, points.size - 1)]
    spaced[firsts + sizes - 1] = ord(" ")
    raw: bytes = spaced.tobytes()
    return raw.decode("utf-32-le", "surrogatepass")


def _find_tokens(kinds: NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """Return where tokens and separators start and end."""
    is_mark = (kinds == _MARK) | (kinds == _STACKER)
    is_base = (kinds == _WORD) | (kinds == _UNSPACED)
    precedes_mark = _shift_left(is_mark)
    is_inner = (kinds == _JOINER) & _shift_right(is_base | is_mark)
    is_inner &= precedes_mark | _shift_left(kinds == _WORD)
    # marks and joiners belong to the last character that is neither
    is_attached = is_mark | is_inner
    heads = np.maximum.accumulate(np.where(is_attached, 0, np.arange(kinds.size)))
    in_word, in_grapheme = kinds[heads] == _WORD, kinds[heads] == _UNSPACED
    is_token = (in_word | in_grapheme) & (
        is_base | is_mark | (is_inner & (in_word | precedes_mark))
    )
    is_stacked = _shift_right((kinds == _STACKER) & in_grapheme)
    is_start = ((kinds == _UNSPACED) & ~is_stacked) | (kinds == _SEPARATOR)
    is_start |= (kinds == _WORD) & ~_shift_right(is_token & in_word)
    borders = np.append(np.flatnonzero(is_start | ~is_token), kinds.size)
    starts = np.flatnonzero(is_start)
    return starts, borders[np.searchsorted(borders, starts, side="right")]


def _pair_graphemes(kinds: NDArray[np.uint8], starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Join each grapheme with the next, where nothing lies between them."""
    is_grapheme = kinds[starts] == _UNSPACED
    is_followed = is_grapheme & _shift_left(is_grapheme)
    is_followed[:-1] &= ends[:-1] == starts[1:]
    is_last = ~is_followed & _shift_right(is_followed)  # of a run: the second of a pair
    paired_ends = np.where(is_followed, np.append(ends[1:], 0), ends)
    return starts[~is_last], paired_ends[~is_last]


def _shift_right(flags: Bools) -> Bools:
    """Return for each position whether its predecessor has a flag."""
    return np.concatenate(([False], flags[:-1]))


def _shift_left(flags: Bools) -> Bools:
    """Return for each position whether its successor has a flag."""
    return np.concatenate((flags[1:], [False]))


@cache
def _character_kinds() -> NDArray[np.uint8]:
    """Return the kind of every code point."""
    characters = "".join(map(chr, range(0x110000)))
    kinds = np.zeros(len(characters), np.uint8)
    for pattern, kind in (
        (r"\w+", _WORD),
        (f"[{scripts.unspaced_class()}]+", _UNSPACED),
        (f"[{scripts.mark_class()}]+", _MARK),
        (f"[{scripts.STACKERS}]+", _STACKER),
        (f"[{scripts.JOINERS}]+", _JOINER),
    ):
        for match in re.finditer(pattern, characters):
            kinds[match.start() : match.end()] = kind
    kinds[ord(SEPARATOR)] = _SEPARATOR
    return kinds
