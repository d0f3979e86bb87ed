"""The texts of choices in a record of somebody's dataset, whatever its columns are called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

Texts = tuple[str, ...]

NO_CHOICES = "its samples have no choices: hansproof reads multiple-choice logs"

_LISTS = ("endings", "choices", "options", "mc1_targets", "candidates", "answers", "question")
# choice1 choice2, sol1 sol2, option_a option_b, opa opb, ending0 ending1, answerA answerB, A B C D
_NUMBERED = re.compile(
    r"((?:choice|option|opt|op|sol|solution|ending|answer|alternative)?_?)([0-9]|[A-Ja-j])"
)
_BRACKETS = re.compile(r"\[[^\]]*\]")
_LABEL = re.compile(r"\W*(\w{1,2})\W*")
_LABELS = ("ABCDEFGHIJ", "abcdefghij", "0123456789", "123456789")


def quoted(doc: dict[str, Any]) -> Iterator[Texts]:
    """Every list of two or more texts that may be the choices, the likeliest first."""
    for name in _LISTS:
        found = _texts(doc.get(name))
        if len(found) > 1:
            yield found
    columns: dict[str, dict[str, str]] = {}
    for name, value in doc.items():
        match = _NUMBERED.fullmatch(name)
        if match and isinstance(value, str):
            columns.setdefault(match[1], {})[match[2]] = value
    for column in columns.values():
        if _counted(sorted(column)):
            yield tuple(column[key] for key in sorted(column))


def _texts(value: object) -> Texts:
    """A list of texts, of numbers, or of objects with a text; or such a list one level down."""
    if isinstance(value, dict):
        inside = next((value[name] for name in ("text", "choices") if name in value), None)
        if inside is not None:
            return _texts(inside)
        return _texts(list(value.values())) if _counted([str(key) for key in value]) else ()
    if not isinstance(value, list):
        return ()
    found = [one.get("text") if isinstance(one, dict) else one for one in value]
    if not all(isinstance(one, str | int | float) for one in found):
        return ()
    return tuple(map(str, found))


def agreed(doc: dict[str, Any], said: Sequence[str]) -> Texts:
    """The record's own texts for choices that were put to a model, in the model's order.

    Those with the same words, since tasks change capitals and blanks; where the model saw only
    letters or numbers, those of that number; else the texts that the model saw.
    """
    words = [_words(text) for text in said]
    lists = [texts for texts in quoted(doc) if len(texts) == len(said)]
    for texts in lists:
        own = [_words(text) for text in texts]
        if own == words:
            return texts
        if len(set(own)) == len(own) and sorted(own) == sorted(words):
            return tuple(texts[own.index(word)] for word in words)
    if len(set(said)) == 1 or is_labels(said):
        return lists[0] if lists else ()
    return tuple(text.strip() for text in said)


def is_labels(texts: Sequence[str]) -> bool:
    """Whether these are names of places, as (A) (B) (C), and no answers themselves."""
    found = [_LABEL.fullmatch(text) for text in texts]
    return _counted([match[1] if match else "" for match in found])


def _counted(labels: Sequence[str]) -> bool:
    return len(labels) > 1 and any("".join(labels) == known[: len(labels)] for known in _LABELS)


def _words(text: str) -> str:
    plain = _BRACKETS.sub("", text.casefold())  # HellaSwag's [header] and the like are left out
    return "".join(char for char in plain if char.isalnum()) or text.strip()


def named(text: str, choices: Texts) -> int | None:
    """The choice that a short answer names: by its text, or by a letter."""
    words = [_words(choice) for choice in choices]
    if words.count(_words(text)) == 1:
        return words.index(_words(text))
    match = _LABEL.fullmatch(text)
    letter = match[1].upper() if match else ""
    index = ord(letter) - ord("A") if len(letter) == 1 else -1
    return index if 0 <= index < len(choices) else None


def no_answer(count: int) -> str:
    """How a log is said to be silent: `3 samples have no answer`."""
    return f"{count} samples have no answer" if count > 1 else "1 sample has no answer"
