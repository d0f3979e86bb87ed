"""Builds the items of splits from their records."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from ..errors import BadInput, UnknownName
from ..records import native
from ..records.answer_readings import AnswerColumn, choose_readings, describe_readings
from ..records.answers import RawAnswer, Reading, parse_answer, read_answers
from ..records.choices import Choices, parse_choices
from ..records.column_mapping import AnswersFrom, ColumnMapping
from ..records.item_schema import RecordSchema, detect_schema, flatten_record
from ..records.location import Location, Record, Records
from ..types import POOLED, Item, Items, Scalar
from . import _label_file
from ._header_check import check_header

META_LIMIT = 1000  # characters; a longer text is content, not a property to group items by

LocatedRecords = list[tuple[Location, Record]]


@dataclass(frozen=True, slots=True)
class ParsedSplit:
    """The records of one split, whose answers are read together with those of other splits."""

    file: str
    mapping: ColumnMapping
    schema: RecordSchema
    rows: LocatedRecords
    ids: list[str]
    answers: AnswerColumn
    native_items: list[Item] | None = None  # of records in hansproof's own format


@dataclass(frozen=True, slots=True)
class SplitItems:
    """The items of all splits, and what a user should know of how they were read."""

    splits: dict[str, Items]
    notes: tuple[str, ...]


def parse_split(
    file: str,
    records: Records,
    split: str,
    mapping: ColumnMapping,
    index_columns: Collection[str] = (),
) -> ParsedSplit:
    """Parse the records of one split; answers in one of `index_columns` count from 0."""
    if split == POOLED:  # reserved for all labelled splits together
        raise BadInput(file, f"a split may not be called {POOLED!r}")
    rows: LocatedRecords = []
    for line, record in records:
        location = Location(file, line)
        rows.append((location, flatten_record(record, location)))
    if not rows:
        raise BadInput(file, "contains no items")
    has_columns = replace(mapping, drop_unlabelled=False, answers_from=None) != ColumnMapping()
    if not has_columns and all(native.is_native(record) for _, record in rows):
        return _parse_native(file, rows, mapping)
    columns = list(dict.fromkeys(name for _, record in rows for name in record))
    schema = detect_schema(columns, mapping, file, split)
    if schema.answer in index_columns and mapping.labels is None:
        schema = replace(schema, first_number=0)
    reading = _defined_reading(schema, mapping)
    ids = _item_ids(rows, schema.id, split)
    raw_answers = _parse_answers(rows, schema, ids, mapping, reading)
    return ParsedSplit(file, mapping, schema, rows, ids, AnswerColumn(raw_answers, reading))


def build_splits(parsed_splits: dict[str, ParsedSplit]) -> SplitItems:
    """Build the items of all splits of a benchmark, whose answers are read in one way."""
    columns = {split: parsed.answers for split, parsed in parsed_splits.items()}
    readings = choose_readings(list(columns.values()))
    items = {
        split: _build_split(parsed, reading)
        for (split, parsed), reading in zip(parsed_splits.items(), readings, strict=True)
    }
    return SplitItems(items, describe_readings(columns, readings))


def _build_split(parsed: ParsedSplit, reading: Reading) -> Items:
    raw_answers, items = parsed.answers.raw_answers, parsed.native_items
    if items is None:
        is_given = parsed.mapping.answers_from is not None
        indices = read_answers(raw_answers, reading, is_given=is_given)
        check_header(parsed.file, parsed.schema.choices, parsed.mapping, reading)
        items = [
            _build_item(location, record, parsed.schema, id, raw.choices.texts, index)
            for (location, record), id, raw, index in zip(
                parsed.rows, parsed.ids, raw_answers, indices, strict=True
            )
        ]
    return _require_labels(items, raw_answers, parsed.mapping.drop_unlabelled)


def _defined_reading(schema: RecordSchema, mapping: ColumnMapping) -> Reading | None:
    """Return how answers are read, if the user or the schema defines it; the user goes first."""
    if mapping.answers_from is None:
        return None if schema.first_number is None else "1" if schema.first_number else "0"
    readings: dict[str, Reading] = {reading: reading for reading in get_args(AnswersFrom)}
    try:
        return readings[str(mapping.answers_from)]  # 0 and 1 may be numbers, too
    except KeyError:
        raise UnknownName("answers_from", str(mapping.answers_from), readings) from None


def _parse_native(file: str, rows: LocatedRecords, mapping: ColumnMapping) -> ParsedSplit:
    """Parse records in hansproof's own format."""
    if str(mapping.answers_from or 0) != "0":
        message = "is in hansproof's own format, in which answers count from 0"
        raise BadInput(file, f"{message}: leave out --answers-from")
    items = [native.parse_item(record, location) for location, record in rows]
    ids = _item_ids(rows, "id", "")  # refuses duplicates
    raw_answers = [
        RawAnswer(location, "answer", item.answer, Choices(item.choices))
        for item, (location, _) in zip(items, rows, strict=True)
    ]
    schema = RecordSchema({}, ("choices",), "answer", first_number=0)
    return ParsedSplit(file, mapping, schema, rows, ids, AnswerColumn(raw_answers, "0"), items)


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
    rows: LocatedRecords,
    schema: RecordSchema,
    ids: Sequence[str],
    mapping: ColumnMapping,
    reading: Reading | None,
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
            reading,
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
