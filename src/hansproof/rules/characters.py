"""Counts characters in many texts at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .features import Ints, Mask

NO_BREAK_SPACES = "\u00a0\u202f\u2007"
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"


@dataclass(frozen=True, slots=True)
class JoinedTexts:
    """The characters of many texts, one after another; text t is offsets[t] .. offsets[t + 1]."""

    index: NDArray[np.int32]  # of each character, in the alphabet
    alphabet: str
    offsets: Ints

    def marks(self, is_marked: Callable[[str], bool]) -> Mask:
        """Mark the characters of a kind; each distinct character is asked about once."""
        return np.array([is_marked(char) for char in self.alphabet], np.bool_)[self.index]

    def count(self, marks: Mask) -> Ints:
        """Count the marked characters of each text."""
        return np.diff(np.searchsorted(np.flatnonzero(marks), self.offsets))

    def at_start(self, marks: Mask) -> Mask:
        """Tell for each text whether its first character is marked."""
        return self._at(marks, self.offsets[:-1])

    def at_end(self, marks: Mask) -> Mask:
        """Tell for each text whether its last character is marked."""
        return self._at(marks, self.offsets[1:] - 1)

    def follows(self, marks: Mask) -> Mask:
        """Mark the characters whose predecessor in the same text is marked."""
        shifted = np.concatenate(([False], marks[:-1]))[: marks.size]
        return np.asarray(shifted & ~self.is_text_start())

    def is_text_start(self) -> Mask:
        """Mark the first character of each text."""
        starts = np.zeros(self.index.size, np.bool_)
        starts[self.offsets[:-1][np.diff(self.offsets) > 0]] = True
        return starts

    def _at(self, marks: Mask, position: Ints) -> Mask:
        has_text = np.diff(self.offsets) > 0
        out = np.zeros(has_text.size, np.bool_)
        out[has_text] = marks[position[has_text]]
        return out


def join_texts(texts: Sequence[str]) -> JoinedTexts:
    """Join texts into one array of characters."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    number = np.zeros(0x110000, np.int32)
    number[points] = 1
    alphabet = np.flatnonzero(number)
    number[alphabet] = np.arange(alphabet.size)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    offsets = np.concatenate(([0], np.cumsum(lengths)))
    return JoinedTexts(number[points], "".join(map(chr, alphabet.tolist())), offsets)


def name_character(char: str) -> str:
    """Name a character for people: `a comma`, or the character, or its Unicode name."""
    if char in _NAMES:
        return _NAMES[char]
    if char.isprintable() and not char.isspace():
        return f"the character “{char}”"
    name = unicodedata.name(char, f"U+{ord(char):04X}").lower()
    return f"the invisible character “{name}”"


_NAMES = {
    ",": "a comma", ".": "a full stop", ";": "a semicolon", ":": "a colon", "?": "a question mark",
    "!": "an exclamation mark", "-": "a hyphen", "–": "an en dash", "—": "an em dash",
    "'": "a straight apostrophe", "’": "a curly apostrophe", '"': "a straight quotation mark",
    "(": "a parenthesis", "%": "a per cent sign",
    "\u200b": "a zero-width space", "\t": "a tab", "\n": "a line break", "/": "a slash",
}  # fmt: skip
