"""Finds letters that follow `the answer is`, `I choose` or `therefore`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .labels import is_label, label_index, label_pattern
from .letter_statement import LetterStatement, make_statement
from .phrases import (
    AFFIRMATION,
    CONDITION,
    CONDITIONAL,
    COPULA,
    LABEL_DENIED_AFTER,
    OPPOSITE,
    OTHERS_ANSWER,
    REPLACES,
    STATES_ANSWER,
    STATES_LETTER,
)

# between letters that are named together
JOINS = r"(?:and/or|and|or|und|oder|et|ou|y|e|o|i|и|или|&|/|和|或|及|与|,)"
_NOT = (
    r"(?:not|definitely not|nicht|pas|no|non|não|nie|не|不是|并非)[ \t]+(?:option[ \t]+)?|不是|并非"
)
_BUT = r"(?:but|rather|sondern|mais|sino|ma|mas|ale|а|но|而是)"
_AFTER_LONE = re.compile(
    r"(?!\.\.\.|…)\s*(?:$|[.,;:!?)\]\n]|(?:because|since|as|and|or|but|is|not|for|due|then|sein)\b)",
    re.IGNORECASE,
)


def find_after_lead(text: str, letters: str, choices: Sequence[str]) -> Iterator[LetterStatement]:
    """Yield what follows `the answer is`: one letter, several, or `not B but C`."""
    label = label_pattern(letters)
    letter = re.compile(label)
    several = re.compile(rf"\s*{JOINS}\s*(?:also\s+)?(?:option\s+)?")
    rejected = re.compile(
        rf"(?:{_NOT}){label}\s*[,，]?\s*{_BUT}?\s*(?:rather\s+)?(?:option\s+)?|"
        rf"{label}{REPLACES.pattern}",
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
        if not match or not _stands_for(text, match, letters, choices):
            match = None if is_weak else _match_small(text, position, letters)
        if not match or (is_weak and not _AFTER_LONE.match(text, match.end())):
            continue
        indices, end = {label_index(match, letters)}, match.end()
        while (joint := several.match(text, end)) and (match := letter.match(text, joint.end())):
            indices.add(label_index(match, letters))
            end = match.end()
        if _is_meant(lead[0], text[end:], is_weak):
            yield make_statement(text, lead.start(), end, indices, choices)


def _is_meant(lead: str, remainder: str, is_weak: bool) -> bool:
    """Whether what follows a letter neither denies it nor makes it depend on a condition."""
    if CONDITIONAL.search(lead) and CONDITION.match(remainder):
        return False
    if LABEL_DENIED_AFTER.match(remainder):
        return False
    if is_weak or not COPULA.match(remainder):
        return True
    # `answer A is` must go on with a word that is known to affirm: words for wrong are many
    return re.match(AFFIRMATION, remainder, re.IGNORECASE) is not None


def _stands_for(text: str, match: re.Match[str], letters: str, choices: Sequence[str]) -> bool:
    """Whether a letter that was matched stands for a choice."""
    return is_label(text, match, match.start(), label_index(match, letters), choices)


def _match_small(text: str, position: int, letters: str) -> re.Match[str] | None:
    """Match a small letter that ends a line or has a bracket: `answer: b`, `b) iron`."""
    return re.compile(rf"([{letters.lower()}])(?=\)\s|[.)]{{0,2}}\s*(?:\n|$))").match(
        text, position
    )
