"""What a tokenizer makes of every character: asked of Python itself, so the two cannot disagree.

An entry is the character in lower case, times two, plus one if it belongs to a token; -1 for a
character that cannot be replaced where it stands (its lower case is longer or shorter, or hangs
on its neighbours): what stands around one of these is read by Python instead.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

PATTERNS = {"word": r"\w+", "whitespace": r"\S+"}  # tokenizers that the compiled scanner knows
ODD = -1

Folding = NDArray[np.int32]

_POINTS = 0x110000
_SURROGATES = range(0xD800, 0xE000)
_SIGMA = 0x3A3  # becomes one of two letters, by where in a word it stands


@lru_cache
def folding(tokenizer: str) -> Folding:
    """The table of a tokenizer, for text as it is."""
    table = lowered(tokenizer).copy()
    if tokenizer != "word":
        return table
    for point in range(128, _POINTS):
        if point in _SURROGATES:
            continue
        char = chr(point)
        lower = char.lower()
        if lower == char:
            continue
        same_size = len(lower) == 1 and len(lower.encode()) == len(char.encode())
        keeps = same_size and point != _SIGMA
        table[point] = lowered(tokenizer)[ord(lower)] if keeps else ODD
    return table


@lru_cache
def lowered(tokenizer: str) -> Folding:
    """The table of a tokenizer, for text that is in lower case where it should be."""
    table = np.arange(_POINTS, dtype=np.int32) * 2
    every = np.arange(_POINTS, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    for match in re.finditer(PATTERNS[tokenizer], every):
        table[match.start() : match.end()] += 1
    return table
