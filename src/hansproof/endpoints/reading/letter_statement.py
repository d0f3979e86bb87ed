"""A statement of an answer: the letters that it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .text_matches import match_start


class LetterStatement(NamedTuple):
    """A letter that a text states as the answer, or several."""

    start: int
    end: int
    indices: frozenset[int]
    has_text: bool = False  # the text of a choice follows


def make_statement(
    text: str, start: int, end: int, indices: set[int], choices: Sequence[str]
) -> LetterStatement:
    """Return a statement of letters; if the text of another choice follows, the two contradict."""
    end_of_line = text[end:].split("\n")[0]
    line = re.sub(r"^[\s.):\]\-–—,(]+", "", end_of_line)
    following = match_start(line, choices)
    if following is None:
        return LetterStatement(start, end, frozenset(indices))
    if following in indices:  # `C. No, because`: this No takes nothing back
        end += len(end_of_line) - len(line) + len(choices[following].strip())
    return LetterStatement(start, end, frozenset({*indices, following}), has_text=True)
