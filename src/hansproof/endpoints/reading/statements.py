"""Finds explicit statements of a letter in an answer, and settles which one counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from typing import NamedTuple

from ...types import NoAnswer
from .phrases import (
    AFFIRMATION,
    ALSO,
    DENIED_BEFORE,
    DOUBT,
    OPPOSITE,
    OTHERS_ANSWER,
    REVISION,
    STATES_ANSWER,
    STATES_LETTER,
)
from .text_matches import match_start, match_whole

NOT_WRONG = r"(?! (?:\w+ )?(?:not|never|wrong|in-?correct|impossible|false|unlikely|out)\b)"
_LATIN = "A-Za-z0-9_À-ɏ'’"  # a label stands between other characters
_AND = r"(?:and|or|und|oder|et|ou|y|e|o|or|i|и|или|&|/|和|或|及|与|,)"
_NOT = (
    r"(?:not|definitely not|nicht|pas|no|non|não|nie|не|不是|并非)[ \t]+(?:option[ \t]+)?|不是|并非"
)
_BUT = r"(?:but|rather|sondern|mais|sino|ma|mas|ale|а|но|而是)"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_ORDINAL = re.compile(
    rf"\bthe ({'|'.join(_ORDINALS)}|last) (?:option|choice|answer|one|statement|alternative)\b|"
    r"\b(?:option|choice|answer|alternative)\s*(?:number\s*|no\.?\s*|#\s*)?([1-9])\b(?!\d|[.,]\d)|"
    r"^\(?([1-9])[.)]\s",
    re.IGNORECASE,
)
_MARKS = (r"[✓✔✅☑]|\b(?:correct|true|right)\b", r"[✗✘❌✖×]|\b(?:incorrect|false|wrong)\b")


_PLAIN_WORDS = (
    "option",
    "choice",
    "answer",
    "both",
    "either",
    "only",
    "so",
    "hence",
    "thus",
    "and",
)
_AFTER_LONE = re.compile(
    r"(?!\.\.\.|…)\s*(?:$|[.,;:!?)\]\n]|(?:because|since|as|and|or|but|is|not|for|due|then)\b)",
    re.IGNORECASE,
)
_NEXT_QUESTION = re.compile(r"\n\s*(?:question\b|q\d*[.:]|\d+[.)][^\n]*\?)", re.IGNORECASE)


class LetterStatement(NamedTuple):
    """A letter that a text states as the answer, or several."""

    start: int
    end: int
    indices: frozenset[int]


def find_stated_letters(text: str, choices: Sequence[str]) -> list[LetterStatement]:
    """Return the explicit statements of a text, in their order."""
    letters = ascii_uppercase[: len(choices)]
    text = _drop_listing(_drop_next_question(text, letters), letters, choices)
    marked = _find_marked_line(text, letters)
    if marked is not None:
        return [marked, *_find_after_lead(text, letters, choices)]
    statements = [
        *_find_after_lead(text, letters, choices),
        *_find_affirmed(text, letters),
        *_find_lone(text, letters, choices),
    ]
    if not statements:
        statements = [*_find_numbered(text, choices)]
    return sorted(statements, key=lambda statement: (statement.start, statement.end))


def settle_statements(text: str, statements: Sequence[LetterStatement]) -> int | NoAnswer | None:
    """Return the choice that statements agree on; the last if the text revises earlier ones."""
    if not statements:
        return None
    last = statements[-1]
    for earlier in statements[:-1]:
        between = text[earlier.end : last.end]
        is_addition = ALSO.search(text[earlier.end : last.end + 15])
        is_revised = (
            REVISION.search(between) and not is_addition and not _is_conditional(text, last)
        )
        if earlier.indices != last.indices and not is_revised:
            return "ambiguous"
    if len(last.indices) > 1 or DOUBT.search(text, last.end):
        return "ambiguous"
    return next(iter(last.indices))


def _is_conditional(text: str, statement: LetterStatement) -> bool:
    """Whether a statement begins with `if`, or follows a line that does."""
    lines = text[: statement.start].rstrip().splitlines()[-1:] or [""]
    return bool(re.match(r"\W*(?:if|wenn|si|se)\b[^.]*$", lines[0], re.IGNORECASE))


def _letter(letters: str) -> str:
    """Return a pattern of a label that stands by itself; small letters only in brackets."""
    small = letters.lower()
    return (
        rf"(?:\(([{letters}{small}])\)|\[([{letters}])\]|"
        rf"(?<![{_LATIN}])([{letters}])(?![{_LATIN}]|\.[{_LATIN}]))"
    )


def _index(match: re.Match[str], letters: str) -> int:
    return letters.index(next(group for group in match.groups() if group).upper())


def _find_after_lead(text: str, letters: str, choices: Sequence[str]) -> Iterator[LetterStatement]:
    """Yield what follows `the answer is`: one letter, several, or `not B but C`."""
    letter = re.compile(_letter(letters))
    several = re.compile(rf"\s*{_AND}\s*(?:also\s+)?(?:option\s+)?")
    rejected = re.compile(
        rf"(?:{_NOT}){_letter(letters)}\s*[,，]?\s*{_BUT}?\s*(?:rather\s+)?(?:option\s+)?",
        re.IGNORECASE,
    )
    for lead in (*STATES_ANSWER.finditer(text), *STATES_LETTER.finditer(text)):
        position = lead.end()
        is_weak = lead.re is STATES_LETTER
        before = text[max(0, lead.start() - 25) : lead.start()]
        if OTHERS_ANSWER.search(before) or OPPOSITE.search(before):
            continue
        if rejection := rejected.match(text, position):
            position = rejection.end()
        match = letter.match(text, position)
        if not match or _is_article(text, match):
            match = None if is_weak else _match_small(text, position, letters)
        if not match or (is_weak and not _AFTER_LONE.match(text, match.end())):
            continue
        indices, end = {_index(match, letters)}, match.end()
        while (joint := several.match(text, end)) and (match := letter.match(text, joint.end())):
            indices.add(_index(match, letters))
            end = match.end()
        yield LetterStatement(lead.start(), end, _add_text(text, end, indices, choices))


def _match_small(text: str, position: int, letters: str) -> re.Match[str] | None:
    """Match a small letter that ends a line or has a bracket: `answer: b`, `b) iron`."""
    return re.compile(rf"([{letters.lower()}])(?=\)\s|[.)]?\s*(?:\n|$))").match(text, position)


def _is_article(text: str, match: re.Match[str]) -> bool:
    """Whether an A begins a phrase, as in `A dog`."""
    following = text[match.end() :]
    is_followed = re.match(
        r" (?!(?:because|since|as|is|and|or|for|due|but|which|not|und|oder|weil|ist|et|ou|car|"
        r"est|y|o|e|porque|es|perché)\b)[a-z]",
        following,
    )
    return match[0] == "A" and bool(is_followed)


def _add_text(text: str, end: int, indices: set[int], choices: Sequence[str]) -> frozenset[int]:
    """Add the choice whose text follows a letter: if it is another one, the two contradict."""
    line = re.sub(r"^[\s.):\]\-–—,(]+", "", text[end:].split("\n")[0])
    following = match_start(line, choices)
    return frozenset(indices if following is None else {*indices, following})


def _find_affirmed(text: str, letters: str) -> Iterator[LetterStatement]:
    """Yield letters that are said to be right: `C is the best`, `B and D are true`."""
    letter = _letter(letters)
    only = rf"\bonly (?:option )?{letter} (?:is|has|can|fits|makes|are)\b{NOT_WRONG}"
    pattern = rf"{letter}{AFFIRMATION}|{only}"
    for match in re.finditer(pattern, text, re.IGNORECASE):
        label = next(group for group in match.groups() if group)
        sentence_start = max(text.rfind(mark, 0, match.start()) for mark in ".!?\n") + 1
        is_plain = not DENIED_BEFORE.search(text[sentence_start : match.start()].rpartition(",")[2])
        if label in letters and is_plain and not _is_name(text, match.start()):
            yield LetterStatement(match.start(), match.end(), frozenset({letters.index(label)}))
    wrong = r"(?!\s+(?:not|both\s+(?:wrong|false)|wrong|incorrect|out|false|unlikely))"
    pairs = (
        rf"{letter}\s*{_AND}\s*{letter}\s+(?:are|sind|sont|son|sono)\b{wrong}",
        rf"\b(?:either|both)\s+{letter}\s*{_AND}\s*{letter}",
    )
    for match in (match for pair in pairs for match in re.finditer(pair, text)):
        labels = {letters.index(group.upper()) for group in match.groups() if group}
        if not _is_name(text, match.start()):
            yield LetterStatement(match.start(), match.end(), frozenset(labels))


def _is_name(text: str, position: int) -> bool:
    """Whether a letter ends a name, as in `Hepatitis B` or `Response A`."""
    word = re.search(r"(\w+) $", text[max(0, position - 40) : position])
    return bool(word and word[1][0].isupper() and word[1].lower() not in _PLAIN_WORDS)


def _find_lone(text: str, letters: str, choices: Sequence[str]) -> Iterator[LetterStatement]:
    """Yield a letter that is the whole answer, or its first or last line, or begins it."""
    small = letters.lower()
    lines = [*re.finditer(r"[^\n]+", text)]
    for line in dict.fromkeys((*lines[:1], *lines[-1:])):
        match = re.fullmatch(
            rf"\W*(?:option |choice )?([{letters}{small}])\W*", line[0], re.IGNORECASE
        )
        if match and (match[1].isupper() or len(lines) == 1):
            index = letters.index(match[1].upper())
            yield LetterStatement(line.start(), line.end(), frozenset({index}))
    ranking = re.fullmatch(rf"\W*([{letters}])(?:\s*>\s*[{letters}])+\W*", text)
    if ranking:
        yield LetterStatement(0, ranking.end(), frozenset({letters.index(ranking[1])}))
    last = re.search(rf"[.!?]\s+(?:[Oo]ption )?\(?([{letters}])\)?\W*$", text)
    if last:
        yield LetterStatement(last.start(), last.end(), frozenset({letters.index(last[1])}))
    first = re.match(rf"\W*([{letters}{small}])[.):\]][ \t]*(?=\S)", text)
    n_labels = len({*re.findall(rf"^\W*([{letters}])[.):\]]", text, re.MULTILINE)})
    if (
        first
        and n_labels < 2
        and (first[1].isupper() or match_start(text[first.end() :], choices) is not None)
    ):
        indices = _add_text(text, first.end(), {letters.index(first[1].upper())}, choices)
        yield LetterStatement(first.start(), first.end(), indices)


def _find_numbered(text: str, choices: Sequence[str]) -> Iterator[LetterStatement]:
    """Yield choices by their number in the list: `the second option`, `2) iron`."""
    has_numbers = any(choice.strip()[:1].isdigit() for choice in choices)
    for match in _ORDINAL.finditer(text):
        word, number, leading = match.groups()
        if word:
            index = len(choices) - 1 if word.lower() == "last" else _ORDINALS.index(word.lower())
        else:
            index = int(number or leading) - 1
        following = match_start(
            re.sub(r"^[\s.):,]+", "", text[match.end() :].split("\n")[0]), choices
        )
        is_backed = following == index
        if index < len(choices) and (
            is_backed or (not has_numbers and not leading and following is None)
        ):
            yield LetterStatement(match.start(), match.end(), frozenset({index}))


def _find_marked_line(text: str, letters: str) -> LetterStatement | None:
    """Return the only line of a list that is marked as correct, if others are marked as wrong."""
    lines = re.finditer(rf"^\W*(?:option )?([{letters}])[.):\]|]? ?([^\n]*)", text, re.MULTILINE)
    right: list[LetterStatement] = []
    n_wrong = 0
    for line in lines:
        if re.search(_MARKS[1], line[2], re.IGNORECASE):
            n_wrong += 1
        elif re.search(_MARKS[0], line[2], re.IGNORECASE):
            right.append(
                LetterStatement(line.start(), line.end(), frozenset({letters.index(line[1])}))
            )
    return right[0] if len(right) == 1 and n_wrong >= 1 else None


def _drop_next_question(text: str, letters: str) -> str:
    """Drop what follows an answer where a base model goes on to ask itself another question."""
    is_answered = re.match(
        rf"\W*(?:answer\W*)?[{letters}](?![{_LATIN}])(?! [a-z])", text, re.IGNORECASE
    )
    match = _NEXT_QUESTION.search(text) if is_answered else None
    return text[: match.start()] if match else text


def _drop_listing(text: str, letters: str, choices: Sequence[str]) -> str:
    """Blank out lines that repeat the list of choices, so that they state nothing."""
    pattern = re.compile(rf"^\W*([{letters}])[.):\]] *([^\n]*)$", re.MULTILINE)
    copies = [
        match
        for match in pattern.finditer(text)
        if match_whole(match[2], choices) == letters.index(match[1])
    ]
    if len({match[1] for match in copies}) < 2:
        return text
    for match in copies:
        text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return text
