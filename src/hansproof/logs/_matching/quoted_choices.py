"""Finds the texts of choices in a record of any dataset, whatever its columns are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

QuotedTexts = tuple[str, ...]

NO_CHOICES = "its samples have no choices: only logs of multiple-choice tasks are supported"

_LISTS = ("endings", "choices", "options", "mc1_targets", "candidates", "answers", "question")
# choice1 choice2, sol1 sol2, option_a option_b, opa opb, ending0 ending1, answerA answerB, A B C D
_NUMBERED = re.compile(
    r"((?:choice|option|opt|op|sol|solution|ending|answer|alternative)?_?)([0-9]|[A-Ja-j])"
)
_BRACKETS = re.compile(r"\[[^\]]*\]")
_LABEL = re.compile(r"\W*(\w{1,2})\W*")
_LABELS = ("ABCDEFGHIJ", "abcdefghij", "0123456789", "123456789")


def find_quoted_choices(doc: dict[str, Any]) -> Iterator[QuotedTexts]:
    """Yield every list of two or more texts that may be the choices, the likeliest first."""
    for name in _LISTS:
        texts = _extract_texts(doc.get(name))
        if len(texts) > 1:
            yield texts
    columns: dict[str, dict[str, str]] = {}
    for name, value in doc.items():
        match = _NUMBERED.fullmatch(name)
        if match and isinstance(value, str):
            columns.setdefault(match[1], {})[match[2]] = value
    for column in columns.values():
        if _is_label_sequence(sorted(column)):
            yield tuple(column[key] for key in sorted(column))


def _extract_texts(value: object) -> QuotedTexts:
    """Extract texts from a list of texts, numbers or objects with a text, nested once or not."""
    if isinstance(value, dict):
        nested = next((value[name] for name in ("text", "choices") if name in value), None)
        if nested is not None:
            return _extract_texts(nested)
        return (
            _extract_texts(list(value.values()))
            if _is_label_sequence([str(key) for key in value])
            else ()
        )
    if not isinstance(value, list):
        return ()
    texts = [element.get("text") if isinstance(element, dict) else element for element in value]
    if not all(isinstance(element, str | int | float) for element in texts):
        return ()
    return tuple(map(str, texts))


def match_quoted_choices(doc: dict[str, Any], prompted: Sequence[str]) -> QuotedTexts:
    """Return the texts of choices in a record, in the order in which the model saw them.

    Choices match by their words, since tasks change capitals and spaces. If the model saw only
    letters or numbers, the first list of the same length is used; else the texts that it saw.
    """
    words = [_normalise_words(text) for text in prompted]
    lists = [texts for texts in find_quoted_choices(doc) if len(texts) == len(prompted)]
    for texts in lists:
        quoted_words = [_normalise_words(text) for text in texts]
        if quoted_words == words:
            return texts
        if len(set(quoted_words)) == len(quoted_words) and sorted(quoted_words) == sorted(words):
            return tuple(texts[quoted_words.index(word)] for word in words)
    if len(set(prompted)) == 1 or are_labels(prompted):
        return lists[0] if lists else ()
    return tuple(text.strip() for text in prompted)


def are_labels(texts: Sequence[str]) -> bool:
    """Check whether texts are labels of choices, such as (A) (B) (C), rather than answers."""
    matches = [_LABEL.fullmatch(text) for text in texts]
    return _is_label_sequence([match[1] if match else "" for match in matches])


def _is_label_sequence(labels: Sequence[str]) -> bool:
    return len(labels) > 1 and any(
        "".join(labels) == alphabet[: len(labels)] for alphabet in _LABELS
    )


def _normalise_words(text: str) -> str:
    unbracketed = _BRACKETS.sub("", text.casefold())  # drop tags such as HellaSwag's [header]
    return "".join(char for char in unbracketed if char.isalnum()) or text.strip()


def find_named_choice(text: str, choices: QuotedTexts) -> int | None:
    """Return the index of the choice that a short answer names by its text or a letter."""
    words = [_normalise_words(choice) for choice in choices]
    if words.count(_normalise_words(text)) == 1:
        return words.index(_normalise_words(text))
    match = _LABEL.fullmatch(text)
    letter = match[1].upper() if match else ""
    index = ord(letter) - ord("A") if len(letter) == 1 else -1
    return index if 0 <= index < len(choices) else None
