"""Finds letters that a sentence or a mark calls right, and choices named by their number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .labels import label_pattern
from .leads import JOINS
from .letter_statement import LetterStatement
from .phrases import AFFIRMATION, CONDITION, CONDITIONAL, DENIED_BEFORE
from .text_matches import match_start

_NOT_WRONG = r"(?! (?:\w+ )?(?:not|never|wrong|in-?correct|impossible|false|unlikely|out)\b)"
_SUPPOSED = re.compile(
    r"\b(?:if|suppose|whether|unless|assuming|wenn|falls|si|se|если)\b|如果|假设", re.IGNORECASE
)
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
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_ORDINAL = re.compile(
    rf"\bthe ({'|'.join(_ORDINALS)}|last) (?:option|choice|answer|statement|alternative|"
    r"one(?=\W*(?:$|\n)|[.,;!]))\b|"
    r"\b(?:option|choice|answer|alternative)\s*(?:number\s*|no\.?\s*|#\s*)?([1-9])\b(?!\d|[.,]\d)|"
    r"^\(?([1-9])[.)]\s",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"^[^.!?\n]*(?:\b(?:not|never|wrong|incorrect|false|tempting|but|unlikely)\b|n't\b)",
    re.IGNORECASE,
)
# in a list in which each line judges a choice
_RIGHT_MARK = re.compile(
    r"[✓✔✅☑]|\b(?:correct|true|right|richtig|correcte|correcta|corretta|correta|верно|правильно|"
    r"đúng|doğru)\b|正确|正確|正解|正しい|맞|सही",
    re.IGNORECASE,
)
_WRONG_MARK = re.compile(
    r"[✗✘❌✖×]|\b(?:incorrect\w*|false|wrong|falsch|faux|fausse|incorreta|errata|errada|sbagliata|"
    r"falsa|неверно|неправильно|sai|yanlış|not\s+(?:\w+\s+)?(?:correct|true|right)|(?:partially|"
    r"partly|mostly|nearly|almost)\s+(?:correct|true|right))\b|错误|錯誤|不正确|誤り|間違|틀|गलत",
    re.IGNORECASE,
)


def find_affirmed(text: str, letters: str) -> Iterator[LetterStatement]:
    """Yield letters that are said to be right: `C is the best`, `B and D are true`."""
    letter = label_pattern(letters)
    only = rf"\bonly (?:option )?{letter} (?:is|has|can|fits|makes|are)\b{_NOT_WRONG}"
    # the cause is an infection (option B)
    bracketed = rf"\b(?:is|was|are|be)\s[^.\n(]{{1,60}}\((?:option|choice|answer)\s+{letter}\)"
    for match in re.finditer(rf"{letter}{AFFIRMATION}|{only}|{bracketed}", text, re.IGNORECASE):
        label = next(group for group in match.groups() if group)
        is_plain = not re.search(r"\bnot\b|n't\b", match[0], re.IGNORECASE)
        if CONDITIONAL.search(match[0]) and CONDITION.match(text[match.end() :]):
            continue
        if label in letters and is_plain and _is_stated(text, match.start()):
            yield LetterStatement(match.start(), match.end(), frozenset({letters.index(label)}))
    wrong = r"(?!\s+(?:not|both\s+(?:wrong|false)|wrong|incorrect|out|false|unlikely))"
    pairs = (
        rf"{letter}\s*{JOINS}\s*{letter}\s+(?:are|sind|sont|son|sono)\b{wrong}",
        rf"\b(?:either|both)\s+{letter}\s*{JOINS}\s*{letter}",
    )
    for match in (match for pair in pairs for match in re.finditer(pair, text)):
        labels = {letters.index(group.upper()) for group in match.groups() if group}
        if not _is_name(text, match.start()):
            yield LetterStatement(match.start(), match.end(), frozenset(labels))


def find_backed(text: str, letters: str, choices: Sequence[str]) -> Iterator[LetterStatement]:
    """Yield letters beside their own texts that a sentence names: `the diagnosis is C. Gout`."""
    pattern = rf"\b(?:is|are|was|be|ist|est|es|è|é)\s+(?:the\s+)?\(?([{letters}])[.):][ \t]*(?=\S)"
    for match in re.finditer(pattern, text):
        index = letters.index(match[1])
        is_own_text = match_start(text[match.end() :].split("\n")[0], choices) == index
        if is_own_text and _is_stated(text, match.start(1)):
            yield LetterStatement(match.start(), match.end(), frozenset({index}), has_text=True)


def _is_stated(text: str, position: int) -> bool:
    """Whether what a sentence says from a position on is neither denied nor supposed."""
    sentence_start = max(text.rfind(mark, 0, position) for mark in ".!?\n") + 1
    before = text[sentence_start:position]
    return not (
        DENIED_BEFORE.search(before.rpartition(",")[2])
        or _SUPPOSED.search(before)
        or _is_name(text, position)
    )


def _is_name(text: str, position: int) -> bool:
    """Whether a letter ends a name, as in `Hepatitis B` or `Response A`."""
    word = re.search(r"(\w+) $", text[max(0, position - 40) : position])
    return bool(word and word[1][0].isupper() and word[1].lower() not in _PLAIN_WORDS)


def find_numbered(text: str, choices: Sequence[str]) -> Iterator[LetterStatement]:
    """Yield choices by their number in the list: `the second option`, `2) iron`."""
    has_numbers = any(choice.strip()[:1].isdigit() for choice in choices)
    for match in _ORDINAL.finditer(text):
        word, number, leading = match.groups()
        if word:
            index = len(choices) - 1 if word.lower() == "last" else _ORDINALS.index(word.lower())
        else:
            index = int(number or leading) - 1
        following_text = text[match.end() :]
        following = match_start(re.sub(r"^[\s.):,]+", "", following_text.split("\n")[0]), choices)
        is_backed = following == index
        if index < len(choices) and (
            is_backed
            or not (
                has_numbers or leading or following is not None or _DENIAL.match(following_text)
            )
        ):
            yield LetterStatement(match.start(), match.end(), frozenset({index}))


def find_marked_line(text: str, letters: str) -> LetterStatement | None:
    """Return the only line of a list that is marked as correct, if others are marked as wrong."""
    lines = re.finditer(rf"^\W*(?:option )?([{letters}])[.):\]|]? ?([^\n]*)", text, re.MULTILINE)
    right: list[LetterStatement] = []
    n_wrong = 0
    for line in lines:
        if _WRONG_MARK.search(line[2]):
            n_wrong += 1
        elif CONDITIONAL.search(line[2]) and CONDITION.match(line[2]):
            continue
        elif _RIGHT_MARK.search(line[2]):
            statement = LetterStatement(
                line.start(), line.end(), frozenset({letters.index(line[1])})
            )
            right.append(statement)
    return right[0] if len(right) == 1 and n_wrong >= 1 else None
