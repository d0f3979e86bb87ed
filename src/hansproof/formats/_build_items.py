"""Builds the items of one split from its records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ..errors import BadInput
from ..records import native
from ..records.answers import RawAnswer, answer_indices, parse_answer
from ..records.choices import Choices, parse_choices
from ..records.column_mapping import ColumnMapping
from ..records.item_schema import RecordSchema, detect_schema, flatten_record
from ..records.location import Location, Record, Records
from ..types import POOLED, Item, Items, Scalar
from . import _label_file

META_LIMIT = 1000  # characters; a longer text is content, not a property to group items by

LocatedRecords = list[tuple[Location, Record]]


def build_items(file: str, records: Records, split: str, mapping: ColumnMapping) -> Items:
    """Build the items of one split."""
    if split == POOLED:  # reserved for all labelled splits together
        raise BadInput(file, f"a split may not be called {POOLED!r}")
    rows: LocatedRecords = []
    for line, record in records:
        location = Location(file, line)
        rows.append((location, flatten_record(record, location)))
    if not rows:
        raise BadInput(file, "holds no items")
    has_mapping = replace(mapping, drop_unlabelled=False) != ColumnMapping()
    if not has_mapping and all(native.is_native(record) for _, record in rows):
        return _native_items(rows, mapping.drop_unlabelled)
    columns = list(dict.fromkeys(name for _, record in rows for name in record))
    schema = detect_schema(columns, mapping, file, split)
    ids = _item_ids(rows, schema.id, split)
    answers = _parse_answers(rows, schema, ids, mapping)
    parsed = zip(rows, ids, answers, answer_indices(answers, schema.first_number), strict=True)
    items = [
        _build_item(location, record, schema, id, raw.choices.texts, index)
        for (location, record), id, raw, index in parsed
    ]
    return _require_labels(items, answers, mapping.drop_unlabelled)


def _native_items(rows: LocatedRecords, drop_unlabelled: bool) -> Items:
    """Build items from records in hansproof's own format."""
    items = [native.parse_item(record, location) for location, record in rows]
    _item_ids(rows, "id", "")  # refuses duplicates
    answers = [
        RawAnswer(location, "answer", item.answer, Choices(item.choices))
        for item, (location, _) in zip(items, rows, strict=True)
    ]
    return _require_labels(items, answers, drop_unlabelled)


def _item_ids(rows: LocatedRecords, column: str | None, split: str) -> list[str]:
    """Return the ids of the file, or else `{split}-{number}` for each record."""
    if column is None:
        return [f"{split}-{number}" for number in range(1, len(rows) + 1)]
    line_of_id: dict[str, int] = {}
    for location, record in rows:
        id = location.require_name(record.get(column), column)
        if id in line_of_id:
            raise location.error(column, f"{id!r} stands already in line {line_of_id[id]}")
        line_of_id[id] = location.line
    return list(line_of_id)


def _parse_answers(
    rows: LocatedRecords, schema: RecordSchema, ids: Sequence[str], mapping: ColumnMapping
) -> list[RawAnswer]:
    """Parse the answers of the file, or of the separate label file."""
    column = schema.answer or "label"
    labels = [(location, record.get(column)) for location, record in rows]
    if mapping.labels is not None:
        separate_labels = _label_file.read_labels(mapping.labels, ids)
        labels = [
            label or (location, None)
            for label, (location, _) in zip(separate_labels, rows, strict=True)
        ]
    return [
        parse_answer(
            label,
            column,
            parse_choices(record, schema.choices, location),
            label_location,
            schema.first_number,
        )
        for (location, record), (label_location, label) in zip(rows, labels, strict=True)
    ]


def _build_item(
    location: Location,
    record: Record,
    schema: RecordSchema,
    id: str,
    choices: tuple[str, ...],
    answer: int | None,
) -> Item:
    fields = {}
    for column, name in schema.fields.items():
        if column not in record:
            raise location.missing_column(column, record)
        fields[name] = location.require_text(record[column], column)
    group = record.get(schema.group) if schema.group else None
    return Item(
        id=id,
        fields=fields,
        choices=choices,
        answer=answer,
        group=None if group in (None, "") else location.require_name(group, str(schema.group)),
        meta=_item_meta(record, schema, location),
    )


def _item_meta(record: Record, schema: RecordSchema, location: Location) -> dict[str, Scalar]:
    """Collect plain values from the columns that have no other use."""
    used_columns = {*schema.fields, *schema.choices, schema.answer, schema.id, schema.group}
    meta: dict[str, Scalar] = {}
    for column, value in record.items():
        if column in used_columns or not isinstance(value, str | int | float):
            continue
        if isinstance(value, float) and not math.isfinite(value):
            continue
        if isinstance(value, str) and len(location.require_text(value, column)) > META_LIMIT:
            continue
        meta[schema.meta.get(column, column)] = value
    return meta


def _require_labels(
    items: list[Item], answers: Sequence[RawAnswer], drop_unlabelled: bool
) -> Items:
    """Require that all items have an answer or none has, or drop the unlabelled ones."""
    unlabelled = [raw for raw in answers if raw.answer is None]
    if not unlabelled or len(unlabelled) == len(items):
        return tuple(items)
    if not drop_unlabelled:
        message = "missing, while other items have one (--drop-unlabelled leaves such items out)"
        raise unlabelled[0].location.error(unlabelled[0].column, message)
    return tuple(item for item in items if item.answer is not None)
