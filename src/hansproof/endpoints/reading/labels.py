"""Tells the labels of choices (`B`, `(b)`) from other letters: articles, pronouns, names, units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase, ascii_uppercase

from .text_matches import match_start, normalise

LATIN = "A-Za-z0-9_À-ɏ'’"  # a label stands between other characters
# what may follow a label after a space; any other word makes it a part of a phrase: `B cells`
_FOLLOWS = re.compile(
    r" (?:because|since|as|is|are|was|and|or|for|due|but|which|that|not|with|in|by|given|rather|"
    r"over|would|must|should|can|could|has|fits|makes|describes|provides|represents|explains|seems|"
    r"appears|matches|states|satisfies|works|wählen|nehmen|är|er|und|oder|weil|da|denn|ist|"
    r"trifft|stimmt|passt|sein|"
    r"et|ou|car|est|parce|puisque|convient|correspond|y|o|e|es|porque|pois|è|é|perché|poiché|"
    r"и|или|потому|так|поскольку|является|верен|верна|jest|bo|ponieważ|vì|là|đúng|çünkü|değil|"
    r"है|नहीं|क्योंकि)(?![^\W_])",
    re.IGNORECASE,
)
_WORD = re.compile(r" [^\W\d_]")
_PART_OF_NAME = re.compile(r"[+#°²]|\s?=|-[^\W\d_]")  # C++, A+, A = 2, D-dimer


def label_pattern(letters: str) -> str:
    """Return a pattern of a label that stands by itself; small letters only in brackets."""
    small = letters.lower()
    return (
        rf"(?:\(([{letters}{small}])\)|\[([{letters}])\]|"
        rf"(?<![{LATIN}])([{letters}])(?![{LATIN}]|\.[{LATIN}]))"
    )


def label_index(match: re.Match[str], letters: str) -> int:
    """Return the index of the label that the pattern matched."""
    return letters.index(next(group for group in match.groups() if group).upper())


def is_label(
    text: str, match: re.Match[str], position: int, index: int, choices: Sequence[str]
) -> bool:
    """Whether a letter at a position is a label, and does not begin a word, name or phrase."""
    if text[position] in "([":
        return True
    begun = match_start(text[position:], choices)
    if begun is not None and len(normalise(choices[begun])) > 1:
        return False  # the text of a choice: `C. difficile`, `B cells`
    following = text[match.end() :]
    if match_start(following.lstrip(" ="), choices) == index:
        return True
    if _PART_OF_NAME.match(following):
        return False
    if not _WORD.match(following):
        return True
    return text[position] != "I" and bool(_FOLLOWS.match(following))  # `I` may be the pronoun


def contain_labels(choices: Sequence[str]) -> bool:
    """Whether texts of choices contain letters that look like labels: `Vitamin C`, `only A`."""
    letters = ascii_uppercase[: len(choices)]
    label = re.compile(rf"(?<![{LATIN}])[{letters}](?![{LATIN}])(?! [a-z])")
    return any(label.search(choice) for choice in choices)


def is_text_of_other(index: int, choices: Sequence[str]) -> bool:
    """Whether the text of another choice is the label of this one, as where notes are chosen."""
    letter = ascii_lowercase[index]
    return any(normalise(choice) == letter for i, choice in enumerate(choices) if i != index)
