"""GIFT, a text format of Moodle: `::title:: question {=right ~wrong ~wrong}`.

Questions of other kinds (numbers, short answers, matching, essays) are left out, with a warning.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import BadInput
from ..records.lines import iter_lines
from ..records.location import Location, Record, Records

_TITLE = re.compile(r"\s*::(.*?)(?<!\\)::", re.DOTALL)
_FORMAT = re.compile(r"\s*\[(?:html|moodle|plain|markdown)\]")
_BRACE = re.compile(r"(?<!\\)[{}]")
_ANSWER = re.compile(r"(?<!\\)([=~])")
_WEIGHT = re.compile(r"\s*%(-?\d{1,3}(?:\.\d{1,5})?)%")
_FEEDBACK = re.compile(r"(?<!\\)#.*", re.DOTALL)
_ESCAPE = re.compile(r"\\([~=#{}:n\\])")
_CATEGORY = re.compile(r"\$CATEGORY:\s*(.*)")
_TRUTHS = {"T": 0, "TRUE": 0, "F": 1, "FALSE": 1}


@dataclass(frozen=True, slots=True)
class GiftQuestion:
    """The text of one question, where it begins, and the category above it."""

    location: Location
    text: str
    category: str | None


def records(path: str) -> Records:
    """Yield one record per multiple-choice question, with the line where it begins."""
    left_out: list[int] = []
    n_read = 0
    for question in _split_questions(path):
        record = _parse_question(question)
        if record is None:
            left_out.append(question.location.line)
            continue
        n_read += 1
        yield question.location.line, record
    if left_out and not n_read:
        raise BadInput(path, "contains no multiple-choice questions")
    if left_out:
        noun = "question is" if len(left_out) == 1 else "questions are"
        warnings.warn(
            f"{path}: {len(left_out)} {noun} not multiple choice and left out (the first: line "
            f"{left_out[0]})",
            stacklevel=2,
        )


def _split_questions(path: str) -> Iterator[GiftQuestion]:
    """Split a file at blank lines; comments and categories are not questions."""
    lines: list[str] = []
    first_line, category, is_closed = 0, None, False
    for number, raw_text in iter_lines(path):
        text = raw_text.rstrip("\r\n")
        match = _CATEGORY.match(text)
        if lines and (is_closed or not text.strip()):
            yield GiftQuestion(Location(path, first_line), "\n".join(lines), category)
            lines, is_closed = [], False
        if text.strip() and not text.lstrip().startswith("//") and match is None:
            first_line = first_line if lines else number
            lines.append(text)
            # the answers end a question, even if no blank line follows
            is_closed = "}" in _BRACE.findall(text)
        category = match[1].strip() if match else category
    if lines:
        yield GiftQuestion(Location(path, first_line), "\n".join(lines), category)


def _parse_question(question: GiftQuestion) -> Record | None:
    """Parse a question; None if it is not multiple choice."""
    title = _TITLE.match(question.text)
    text = question.text[title.end() :] if title else question.text
    text = _FORMAT.sub("", text, count=1)
    braces = list(_BRACE.finditer(text))
    if [brace[0] for brace in braces] not in ([], ["{", "}"]):
        message = "needs one pair of braces around the answers (write \\\\{ for a brace in a text)"
        raise question.location.error(None, message)
    if not braces:
        return None
    opening, closing = braces
    choices = _parse_choices(text[opening.end() : closing.start()], question.location)
    if choices is None:
        return None
    before, after = text[: opening.start()].strip(), text[closing.end() :].strip()
    record: Record = {"question": _unescape(f"{before} _____ {after}" if after else before)}
    if title:
        record["title"] = _unescape(title[1])
    if question.category is not None:
        record["category"] = question.category
    return {**record, **choices}


def _parse_choices(text: str, location: Location) -> Record | None:
    """Parse what stands in braces; None if there are no choices."""
    text = re.split(r"(?<!\\)####", text)[0]
    truth = _TRUTHS.get(_FEEDBACK.sub("", text).strip().upper())
    if truth is not None:
        return _mark_choices(["True", "False"], truth)
    if text.lstrip().startswith("#"):
        return None  # a number
    first, *parts = _ANSWER.split(text)
    signs, texts = parts[::2], parts[1::2]
    if first.strip() or "~" not in signs or any("->" in choice for choice in texts):
        return None
    are_right = [_is_right(sign, choice) for sign, choice in zip(signs, texts, strict=True)]
    if sum(are_right) != 1:
        raise location.error(None, f"has {sum(are_right)} right choices; exactly one is needed")
    choices = [_unescape(_FEEDBACK.sub("", _WEIGHT.sub("", choice, count=1))) for choice in texts]
    return _mark_choices(choices, are_right.index(True))


def _mark_choices(choices: list[str], answer: int) -> Record:
    marked = [{"text": text, "correct": i == answer} for i, text in enumerate(choices)]
    return {"choices": marked}


def _is_right(sign: str, choice: str) -> bool:
    """Tell whether a choice gets any credit."""
    weight = _WEIGHT.match(choice)
    return float(weight[1]) > 0 if weight else sign == "="


def _unescape(text: str) -> str:
    text = " ".join(text.split())
    return _ESCAPE.sub(lambda match: "\n" if match[1] == "n" else match[1], text)
