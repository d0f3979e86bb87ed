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

TOKEN_PATTERNS = {
    "word": r"\w+",
    "whitespace": r"\S+",
}  # tokenizers that the compiled scanner knows
IRREGULAR = -1

FoldTable = NDArray[np.int32]

_N_CODEPOINTS = 0x110000
_SURROGATES = range(0xD800, 0xE000)
_SIGMA = 0x3A3  # becomes one of two letters, by where in a word it stands


@lru_cache
def fold_table(tokenizer: str) -> FoldTable:
    """The table of a tokenizer, for text as it is."""
    table = lower_table(tokenizer).copy()
    if tokenizer != "word":
        return table
    for codepoint in range(128, _N_CODEPOINTS):
        if codepoint in _SURROGATES:
            continue
        char = chr(codepoint)
        lower = char.lower()
        if lower == char:
            continue
        same_size = len(lower) == 1 and len(lower.encode()) == len(char.encode())
        is_foldable = same_size and codepoint != _SIGMA
        table[codepoint] = lower_table(tokenizer)[ord(lower)] if is_foldable else IRREGULAR
    return table


@lru_cache
def lower_table(tokenizer: str) -> FoldTable:
    """The table of a tokenizer, for text that is in lower case where it should be."""
    table = np.arange(_N_CODEPOINTS, dtype=np.int32) * 2
    all_chars = np.arange(_N_CODEPOINTS, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    for match in re.finditer(TOKEN_PATTERNS[tokenizer], all_chars):
        table[match.start() : match.end()] += 1
    return table
