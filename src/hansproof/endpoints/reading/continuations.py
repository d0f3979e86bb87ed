"""Cuts off what a base model adds to its answer: the next question, and its answer to that."""

from __future__ import annotations

import re

_NEXT = re.compile(
    r"\n\s*(?:(?:question|frage|pregunta|domanda|pergunta|вопрос)\b|q\d*[.:]|"
    r"#*\s*(?:instruction|input|response|example|user|human)\s*:|"
    # a number, and a question mark or a list of choices
    r"\d+[.)][^\n]*(?:\?|\n\s*\(?A[.):)]))",
    re.IGNORECASE,
)


def find_answer_before_next(text: str) -> str | None:
    """Return what stands before the next question; None if there is none."""
    match = _NEXT.search(text)
    head = text[: match.start()] if match else ""
    return head if head.strip() else None
