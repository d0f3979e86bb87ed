"""Parses the choices of a record from the forms that are in use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .column_names import find_all
from .duplicate_keys import check_duplicate_keys
from .item_schema import NO_FLAGS, UnknownShape
from .list_cells import parse_collection, split_list
from .location import Location, Record, is_number, number_as_text, truncate, type_name
from .msgspec_json import decode_json

LABEL_NAMES = ("label", "id", "key", "letter")


@dataclass(frozen=True, slots=True)
class Choices:
    """The texts of choices, and the keys by which an answer may refer to them."""

    texts: tuple[str, ...]
    keys: tuple[str, ...] = ()
    numbers: tuple[int | float | None, ...] = ()  # values of choices that are numbers in the file

    @property
    def has_numbers(self) -> bool:
        """Whether any choice is a number."""
        return any(number is not None for number in self.numbers)


def parse_choices(
    record: Record, names: tuple[str, ...], location: Location, separator: str | None = None
) -> Choices:
    """Parse choices from one column that contains a list, or from one column per choice.

    `separator` stands between the choices of a list that is written without brackets.
    """
    texts = _plain_texts(record, names)
    if texts is not None:
        return Choices(texts)
    for name in names:
        if name not in record:
            raise location.missing_column(name, record)
    if len(names) == 1:
        choices = _choices_from_value(record[names[0]], names[0], location, separator)
    else:
        choices = _choices_from_columns({name: record[name] for name in names}, location)
    if len(choices.texts) < 2:
        problem = "only one choice" if choices.texts else "no choices"
        raise location.error(names[0] if len(names) == 1 else "choices", problem)
    return choices


def _plain_texts(record: Record, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the choices of the usual kind, quickly: texts without any quirk."""
    try:
        values = record[names[0]] if len(names) == 1 else [record[name] for name in names]
    except KeyError:
        return None
    if type(values) is not list or len(values) < 2 or set(map(type, values)) != {str}:
        return None
    is_plain = all(values) and "\0" not in "".join(values)
    return tuple(values) if is_plain else None


def _choices_from_columns(cells: dict[str, object], location: Location) -> Choices:
    """Parse one choice per column; the item has fewer choices if the last cells are empty."""
    names = list(cells)
    while names and cells[names[-1]] in (None, ""):
        names.pop()
    return _choices_from_cells({name: cells[name] for name in names}, location)


def _choices_from_value(
    value: object, name: str, location: Location, separator: str | None
) -> Choices:
    if isinstance(value, str):
        value = _list_from_text(value, name, location, separator)
    if isinstance(value, dict):
        return _choices_from_dict(value, name, location)
    if not isinstance(value, list):
        raise location.error(name, f"is {type_name(value)}, not a list of choices")
    if not any(isinstance(choice, dict) for choice in value):
        return _choices_from_cells(_label_positions(value, name), location)
    objects = [choice for choice in value if isinstance(choice, dict) and "text" in choice]
    labels = find_all(objects[0], LABEL_NAMES) if len(objects) == len(value) else []
    if not labels or not all(labels[0] in choice for choice in objects):
        raise location.error(name, "choices must be texts, or objects with label and text")
    choices = _choices_from_cells(
        _label_positions([choice["text"] for choice in objects], name), location
    )
    return replace(
        choices, keys=tuple(location.require_name(choice[labels[0]], name) for choice in objects)
    )


def _list_from_text(text: str, name: str, location: Location, separator: str | None) -> object:
    """Return the list that a cell of a table contains: as JSON, as Python prints it, or split."""
    collection = parse_collection(text)
    if collection is not None:
        if text.lstrip().startswith(('{"', '[{"')):  # JSON, in which a key may stand twice
            check_duplicate_keys(text, collection, location.file, location.line)
        return collection
    if separator is not None:
        return split_list(text, separator)
    if text.lstrip().startswith(("[", "{")):
        return decode_json(text, object, location.file, location.line)
    message = 'is text, not a list of choices: write ["a", "b"], or one column per choice'
    error = UnknownShape(location.file, message, line=location.line, field=truncate(name))
    error.flags = NO_FLAGS
    raise error


def _choices_from_dict(value: dict[str, object], name: str, location: Location) -> Choices:
    """Parse `{"text": [...], "label": [...]}` as on the hub, or `{"A": ..., "B": ...}`."""
    texts, labels = value.get("text"), value.get("label")
    if isinstance(texts, list) and isinstance(labels, list):
        if len(texts) != len(labels):
            raise location.error(name, f"{len(texts)} texts with {len(labels)} labels")
        keys = tuple(location.require_name(label, name) for label in labels)
        return replace(_choices_from_cells(_label_positions(texts, name), location), keys=keys)
    choices = _choices_from_columns(value, location)
    return replace(choices, keys=tuple(value)[: len(choices.texts)])


def _label_positions(values: list[object], name: str) -> dict[str, object]:
    return {f"{name}[{i}]": value for i, value in enumerate(values)}


def _choices_from_cells(cells: Mapping[str, object], location: Location) -> Choices:
    """Build choices from cells by position; a number becomes its text."""
    return Choices(
        tuple(
            location.require_text(number_as_text(value), label) for label, value in cells.items()
        ),
        numbers=tuple(value if is_number(value) else None for value in cells.values()),
    )
