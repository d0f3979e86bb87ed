"""Reads labels from a second file."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import BadInput
from ..records.by_content import read_records
from ..records.column_names import ANSWER_NAMES, ID_NAMES, WEAK_ANSWER_NAMES, find_all
from ..records.lines import iter_lines
from ..records.location import Location, file_extension, format_columns

PLAIN_EXTENSIONS = ("", "lst", "txt")  # files with one bare label per line


LocatedLabel = tuple[Location, object]


def read_labels(path: str, ids: Sequence[str]) -> list[LocatedLabel | None]:
    """Read the label of every item with its location, in the order of `ids`."""
    return (
        _labels_by_line(path, len(ids))
        if file_extension(path) in PLAIN_EXTENSIONS
        else _labels_by_id(path, ids)
    )


def _labels_by_line(path: str, count: int) -> list[LocatedLabel | None]:
    labels: list[LocatedLabel | None] = [
        (Location(path, line), text.strip()) for line, text in iter_lines(path) if text.strip()
    ]
    if len(labels) != count:
        raise BadInput(path, f"has {len(labels)} labels for {count} items")
    return labels


def _labels_by_id(path: str, ids: Sequence[str]) -> list[LocatedLabel | None]:
    """Read labels by item id; an item whose id is absent has no label."""
    labels: dict[str, LocatedLabel] = {}
    item_ids = set(ids)
    for line, record in read_records(path):
        location = Location(path, line)
        id_column = next(iter(find_all(record, ID_NAMES)), None)
        label_column = next(iter(find_all(record, (*ANSWER_NAMES, *WEAK_ANSWER_NAMES))), None)
        if id_column is None or label_column is None:
            raise location.error(None, f"needs an id and a label; found: {format_columns(record)}")
        id = location.require_name(record[id_column], id_column)
        if id not in item_ids:
            raise location.error(id_column, f"no item has the id {id!r}")
        if id in labels:
            raise location.error(id_column, f"{id!r} appears twice")
        labels[id] = location, record[label_column]
    return [labels.get(id) for id in ids]
