"""The words of a text and the strings between them, so that a single word can be replaced.

A word is a run of letters, digits and `'-_*@` that neither begins nor ends with one of these five,
as TextAttack has it. Everything else is preserved byte for byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

INNER_MARKS = "'-_*@"  # allowed inside a word, but not at its ends
_WORD = re.compile(rf"(?:\w|[{re.escape(INNER_MARKS)}])+")


@dataclass(frozen=True)
class TextWords:
    """The words of a text, and the gaps before, between and after them."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]

    @classmethod
    def from_text(cls, text: str) -> TextWords:
        """Split a text into words."""
        words, gaps, end = [], [], 0
        for match in _WORD.finditer(text):
            word = match[0].lstrip(INNER_MARKS)
            start = match.end() - len(word)
            word = word.rstrip(INNER_MARKS)
            if word:
                gaps.append(text[end:start])
                words.append(word)
                end = start + len(word)
        return cls(tuple(words), (*gaps, text[end:]))

    @cached_property
    def text(self) -> str:
        """The text as it was written."""
        pairs = zip(self.words, self.gaps[1:], strict=True)
        return self.gaps[0] + "".join(word + gap for word, gap in pairs)

    def word_spans(self) -> list[tuple[int, int]]:
        """Return the (start, end) of each word in characters."""
        spans, end = [], 0
        for gap, word in zip(self.gaps, self.words, strict=False):
            start = end + len(gap)
            end = start + len(word)
            spans.append((start, end))
        return spans

    def replace_word(self, index: int, word: str) -> TextWords:
        """Return the text with another word at one index."""
        return TextWords((*self.words[:index], word, *self.words[index + 1 :]), self.gaps)

    def remove_word(self, index: int) -> TextWords:
        """Return the text without a word, and without the space that would be doubled."""
        before, after = self.gaps[index], self.gaps[index + 1]
        if index == 0:
            after = after.removeprefix(" ")
        else:
            before = before.removesuffix(" ")
        gaps = (*self.gaps[:index], before + after, *self.gaps[index + 2 :])
        return replace(self, words=self.words[:index] + self.words[index + 1 :], gaps=gaps)


@lru_cache(maxsize=2**17)  # the same candidates recur often
def is_word(text: str) -> bool:
    """Whether a text is exactly one word."""
    return TextWords.from_text(text) == TextWords((text,), ("", ""))


def match_case(word: str, example: str) -> str:
    """Return a word in the case of `example`: lower, UPPER or Capitalised; else unchanged."""
    if example.islower():
        return word.lower()
    if example.isupper() and len(example) > 1:
        return word.upper()
    if example[:1].isupper() and (len(example) == 1 or example[1:].islower()):
        return word.capitalize()
    return word
