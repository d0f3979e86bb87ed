"""Tables of the lower case of all characters, made by Python so that the two always agree.

An entry is the code point of the lower case, times two, plus one if the character belongs to a
token. It is -1 for irregular characters, which cannot be replaced in place, as their lower case
has another size or depends on their neighbours: text around them is scanned by `unicode_fallback`.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...text.tokenizers import COMPILED_PATTERNS

IRREGULAR = -1

FoldTable = NDArray[np.int32]

_N_CODEPOINTS = 0x110000
_SURROGATES = range(0xD800, 0xE000)
_SIGMA = 0x3A3  # its lower case depends on its position in the word


@lru_cache
def fold_table(tokenizer: str) -> FoldTable:
    """Return the table of a tokenizer, for any text."""
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
    """Return the table of a tokenizer, for text that is lowered already."""
    table = np.arange(_N_CODEPOINTS, dtype=np.int32) * 2
    all_chars = np.arange(_N_CODEPOINTS, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    for match in re.finditer(COMPILED_PATTERNS[tokenizer], all_chars):
        table[match.start() : match.end()] += 1
    return table
