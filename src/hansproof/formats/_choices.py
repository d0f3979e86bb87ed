"""The choices of a record, in the forms in which people write them."""

from __future__ import annotations

from dataclasses import dataclass

from ._decode import decode
from ._record import Record, Where, kind


@dataclass(frozen=True, slots=True)
class Choices:
    """Texts, and the names that the answer may call them by."""

    texts: tuple[str, ...]
    keys: tuple[str, ...] = ()


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
    return Choices(tuple(where.text(cells[name], name) for name in names))


def _listed(value: object, name: str, where: Where) -> Choices:
    if isinstance(value, str):  # a table of text holds a list as JSON
        value = decode(value, object, where.file, where.line)
    if isinstance(value, dict):
        return _by_key(value, name, where)
    if not isinstance(value, list):
        raise where.bad(name, f"is {kind(value)}, not a list of choices")
    if not any(isinstance(choice, dict) for choice in value):
        return Choices(_texts(value, name, where))
    if not all(isinstance(choice, dict) and {"label", "text"} <= choice.keys() for choice in value):
        raise where.bad(name, "choices must be texts, or objects with label and text")
    return Choices(
        _texts([choice["text"] for choice in value], name, where),
        tuple(where.name(choice["label"], name) for choice in value),
    )


def _by_key(value: dict[str, object], name: str, where: Where) -> Choices:
    """`{"text": [...], "label": [...]}` as on the hub, or `{"A": ..., "B": ...}`."""
    texts, labels = value.get("text"), value.get("label")
    if isinstance(texts, list) and isinstance(labels, list):
        if len(texts) != len(labels):
            raise where.bad(name, f"{len(texts)} texts with {len(labels)} labels")
        keys = tuple(where.name(label, name) for label in labels)
        return Choices(_texts(texts, name, where), keys)
    found = _columns(value, where)
    return Choices(found.texts, tuple(value)[: len(found.texts)])


def _texts(values: list[object], name: str, where: Where) -> tuple[str, ...]:
    return tuple(where.text(text, f"{name}[{i}]") for i, text in enumerate(values))
