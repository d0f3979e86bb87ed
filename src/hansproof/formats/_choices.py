"""The choices of a record, in the forms in which people write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ._decode import decode
from ._record import Record, Where, is_number, kind, spelled


@dataclass(frozen=True, slots=True)
class Choices:
    """Texts, and the names that the answer may call them by."""

    texts: tuple[str, ...]
    keys: tuple[str, ...] = ()
    numbers: tuple[int | float | None, ...] = ()  # those that the file gives as numbers

    @property
    def numeric(self) -> bool:
        """Whether some choice is a number."""
        return any(number is not None for number in self.numbers)


def gather(record: Record, names: tuple[str, ...], where: Where) -> Choices:
    """The choices from one column that holds them all, or from one column each."""
    for name in names:
        if name not in record:
            raise where.missing(name, record)
    if len(names) == 1:
        found = _listed(record[names[0]], names[0], where)
    else:
        found = _columns({name: record[name] for name in names}, where)
    if len(found.texts) < 2:
        count = "only one choice" if found.texts else "no choices"
        raise where.bad(names[0] if len(names) == 1 else "choices", count)
    return found


def _columns(cells: dict[str, object], where: Where) -> Choices:
    """Empty cells at the end are choices that this item does not have."""
    names = list(cells)
    while names and cells[names[-1]] in (None, ""):
        names.pop()
    return _plain({name: cells[name] for name in names}, where)


def _listed(value: object, name: str, where: Where) -> Choices:
    if isinstance(value, str):  # a table of text holds a list as JSON
        value = decode(value, object, where.file, where.line)
    if isinstance(value, dict):
        return _by_key(value, name, where)
    if not isinstance(value, list):
        raise where.bad(name, f"is {kind(value)}, not a list of choices")
    if not any(isinstance(choice, dict) for choice in value):
        return _plain(_numbered(value, name), where)
    if not all(isinstance(choice, dict) and {"label", "text"} <= choice.keys() for choice in value):
        raise where.bad(name, "choices must be texts, or objects with label and text")
    found = _plain(_numbered([choice["text"] for choice in value], name), where)
    return replace(found, keys=tuple(where.name(choice["label"], name) for choice in value))


def _by_key(value: dict[str, object], name: str, where: Where) -> Choices:
    """`{"text": [...], "label": [...]}` as on the hub, or `{"A": ..., "B": ...}`."""
    texts, labels = value.get("text"), value.get("label")
    if isinstance(texts, list) and isinstance(labels, list):
        if len(texts) != len(labels):
            raise where.bad(name, f"{len(texts)} texts with {len(labels)} labels")
        keys = tuple(where.name(label, name) for label in labels)
        return replace(_plain(_numbered(texts, name), where), keys=keys)
    found = _columns(value, where)
    return replace(found, keys=tuple(value)[: len(found.texts)])


def _numbered(values: list[object], name: str) -> dict[str, object]:
    return {f"{name}[{i}]": value for i, value in enumerate(values)}


def _plain(cells: Mapping[str, object], where: Where) -> Choices:
    """Texts and numbers by their place; a number is a choice by its text."""
    return Choices(
        tuple(where.text(spelled(value), place) for place, value in cells.items()),
        numbers=tuple(value if is_number(value) else None for value in cells.values()),
    )
