"""The words of a text and what stands between them, so that one word can be changed alone.

A word is a run of letters, digits and `'-_*@` that neither begins nor ends with one of these five,
as TextAttack has it. Everything else stays as it is, byte for byte.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

INSIDE = "'-_*@"  # may stand in a word, but not at its ends
_WORD = re.compile(rf"(?:\w|[{re.escape(INSIDE)}])+")


@dataclass(frozen=True)
class Text:
    """Words, and one gap more than there are words."""

    words: tuple[str, ...]
    gaps: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Text:
        """The text in words."""
        words, gaps, end = [], [], 0
        for found in _WORD.finditer(text):
            word = found[0].lstrip(INSIDE)
            start = found.end() - len(word)
            word = word.rstrip(INSIDE)
            if word:
                gaps.append(text[end:start])
                words.append(word)
                end = start + len(word)
        return cls(tuple(words), (*gaps, text[end:]))

    @cached_property
    def text(self) -> str:
        """As it was written."""
        pairs = zip(self.words, self.gaps[1:], strict=True)
        return self.gaps[0] + "".join(word + gap for word, gap in pairs)

    def spans(self) -> list[tuple[int, int]]:
        """Where the words stand, in characters."""
        found, end = [], 0
        for gap, word in zip(self.gaps, self.words, strict=False):
            start = end + len(gap)
            end = start + len(word)
            found.append((start, end))
        return found

    def with_word(self, at: int, word: str) -> Text:
        """The same with another word in one place."""
        return Text((*self.words[:at], word, *self.words[at + 1 :]), self.gaps)

    def without(self, at: int) -> Text:
        """The same without a word, and without the blank that would stand there twice."""
        before, after = self.gaps[at], self.gaps[at + 1]
        if at == 0:
            after = after.removeprefix(" ")
        else:
            before = before.removesuffix(" ")
        gaps = (*self.gaps[:at], before + after, *self.gaps[at + 2 :])
        return replace(self, words=self.words[:at] + self.words[at + 1 :], gaps=gaps)


@lru_cache(maxsize=2**17)  # the same candidates come again and again
def is_word(text: str) -> bool:
    """Whether a text is one word and nothing else."""
    return Text.of(text) == Text((text,), ("", ""))


def cased(word: str, like: str) -> str:
    """A word in the case of another: lower, UPPER or Capitalised; else as it is."""
    if like.islower():
        return word.lower()
    if like.isupper() and len(like) > 1:
        return word.upper()
    if like[:1].isupper() and (len(like) == 1 or like[1:].islower()):
        return word.capitalize()
    return word
