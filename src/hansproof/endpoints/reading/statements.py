"""Finds explicit statements of a letter in an answer, and settles which one counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from ...types import NoAnswer
from .judgements import find_affirmed, find_backed, find_marked_line, find_numbered
from .labels import LATIN, contain_labels, is_label, is_text_of_other, label_pattern
from .leads import JOINS, find_after_lead
from .letter_statement import LetterStatement, make_statement
from .phrases import ALSO, DISMISSED, DOUBT, REVISION
from .text_matches import match_start, match_whole

_DENIED = r"[,(]\s*(?:and\s+)?(?:not|nicht|pas|non|no|não|не)\s+(?:option\s+)?"


def find_stated_letters(text: str, choices: Sequence[str]) -> list[LetterStatement]:
    """Return the explicit statements of a text, in their order."""
    letters = ascii_uppercase[: len(choices)]
    text = _drop_listing(_drop_denied(text, letters), letters, choices)
    marked = find_marked_line(text, letters)
    if marked is not None:
        return [marked, *find_after_lead(text, letters, choices)]
    statements = [
        *find_after_lead(text, letters, choices),
        *_find_lone(text, letters, choices),
        *find_backed(text, letters, choices),
    ]
    if not contain_labels(choices):  # `A is correct` may be about a statement of the item
        statements += find_affirmed(text, letters)
    if not statements:
        statements = [*find_numbered(text, choices)]
    return sorted(statements, key=lambda statement: (statement.start, statement.end))


def settle_statements(
    text: str, statements: Sequence[LetterStatement], choices: Sequence[str]
) -> int | NoAnswer | None:
    """Return the choice that statements agree on; the last if the text revises earlier ones."""
    if not statements:
        return None
    last = statements[-1]
    for earlier in statements[:-1]:
        if earlier.indices != last.indices and not _is_revised(text, earlier, last):
            return "ambiguous"
    if len(last.indices) > 1 or DOUBT.search(text, last.end):
        return "ambiguous"
    (index,) = last.indices
    return "ambiguous" if is_text_of_other(index, choices) and not last.has_text else index


def _is_revised(text: str, earlier: LetterStatement, last: LetterStatement) -> bool:
    """Whether the last statement replaces an earlier one."""
    revisions = [*REVISION.finditer(text, earlier.end, last.end)]
    if not revisions or _is_conditional(text, last):
        return False
    return not ALSO.search(text, revisions[-1].start(), last.end + 15)


def _is_conditional(text: str, statement: LetterStatement) -> bool:
    """Whether a statement begins with `if`, or follows a line that does."""
    lines = text[: statement.start].rstrip().splitlines()[-1:] or [""]
    return bool(re.match(r"\W*(?:if|wenn|si|se)\b[^.]*$", lines[0], re.IGNORECASE))


def _find_lone(text: str, letters: str, choices: Sequence[str]) -> Iterator[LetterStatement]:
    """Yield a letter that is the whole answer, or its first or last line, or begins it."""
    lines = [*re.finditer(r"[^\n]+", text)]
    for line in dict.fromkeys((*lines[:1], *lines[-1:])):
        match = re.fullmatch(
            rf"\W*(?:option |choice )?([{letters}{letters.lower()}])\W*", line[0], re.IGNORECASE
        )
        if match and (match[1].isupper() or len(lines) == 1):
            index = letters.index(match[1].upper())
            yield LetterStatement(line.start(), line.end(), frozenset({index}))
    ranking = re.fullmatch(rf"\W*([{letters}])(?:\s*>\s*[{letters}])+\W*", text)
    if ranking:
        yield LetterStatement(0, ranking.end(), frozenset({letters.index(ranking[1])}))
    several = re.fullmatch(rf"\W*([{letters}])(?:\W*{JOINS}\W*([{letters}]))+\W*", text)
    if several:
        labels = {letters.index(label) for label in several.groups()}
        yield LetterStatement(0, several.end(), frozenset(labels))
    # not after an abbreviation: `vit. C`
    last = re.search(
        rf"(?:\w{{4}}|[\d)\]\"'”])[.!?]\s+(?:[Oo]ption )?\(?([{letters}])\)?\W*$", text
    )
    if last:
        yield LetterStatement(last.start(1), last.end(), frozenset({letters.index(last[1])}))
    yield from _find_first(text, letters, choices)


def _find_first(text: str, letters: str, choices: Sequence[str]) -> Iterator[LetterStatement]:
    """Yield the letter with which an answer begins: `B. Because`, `b) iron`."""
    match = re.match(rf"\W*([{letters}{letters.lower()}])([.):\]])[ \t]*(?=\S)", text)
    n_labels = len({*re.findall(rf"^\W*([{letters}])[.):\]]", text, re.MULTILINE)})
    if not match or n_labels > 1:
        return
    index = letters.index(match[1].upper())
    following = match_start(text[match.end() :], choices)
    is_speaker = match[1] + match[2] == "A:" and following != index  # of questions and answers
    is_bare_small = match[1].islower() and following is None
    if is_speaker or is_bare_small or not is_label(text, match, match.start(1), index, choices):
        return
    remainder = text[match.end() :]
    if following == index:
        remainder = remainder[len(choices[index].strip()) :]
    other = re.search(rf"\(([{letters}])\)|(?<![{LATIN}])([{letters}])[):]", remainder[:60])
    if DISMISSED.match(remainder) or (other and other[other.lastindex or 0] != match[1].upper()):
        return
    yield make_statement(text, match.start(), match.end(), {index}, choices)


def _drop_denied(text: str, letters: str) -> str:
    """Blank out letters that are denied beside the answer: `C (not B)`, `C, not B`."""
    denied = re.compile(
        rf"{_DENIED}{label_pattern(letters)}\)?(?=\s*(?:[.,;:)\n–—-]|$))(?!\s*,?\s*but\b)",
        re.IGNORECASE,
    )
    return denied.sub(lambda match: " " * len(match[0]), text)


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
