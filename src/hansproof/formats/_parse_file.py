"""Parses the records of a file: which column is what, the choices and the answers as written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import get_args

from ..errors import BadInput, UnknownName
from ..records import native
from ..records.answer_columns import choose_column, name_columns
from ..records.answer_readings import AnswerColumn
from ..records.answers import RawAnswer, Reading, parse_answer
from ..records.choice_lists import check_choice_lists
from ..records.choices import Choices, parse_choices
from ..records.column_mapping import AnswersFrom, ColumnMapping
from ..records.item_rows import find_layout
from ..records.item_schema import RecordSchema, UnknownShape, detect_schema, names_columns
from ..records.location import Location, Record
from ..records.nested import draw_order, flatten_rows
from ..records.shape_help import add_help
from ..types import POOLED, Item, ReadingNote
from . import _label_file
from ._describe import describe_columns, list_unused

LocatedRecords = list[tuple[Location, Record]]


@dataclass(frozen=True, slots=True)
class FileRecords:
    """The records of one file, or those of one split in it."""

    path: str
    name: str  # as seen from the folder that is read
    split: str
    rows: LocatedRecords
    index_columns: Collection[str] = ()  # answers in one of these columns count from 0
    id_prefix: str = ""  # before the numbers of items without ids; the split if it is empty


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """The records of one file, whose answers are read together with those of other files."""

    source: FileRecords
    mapping: ColumnMapping
    schema: RecordSchema
    rows: LocatedRecords
    ids: list[str]
    answers: AnswerColumn
    description: ReadingNote | None = None  # which columns were read as what
    unused: Sequence[str] = ()  # columns without a role
    shows_answers: bool = True  # False: the file marks the right choice in another way
    native_items: list[Item] | None = None  # of records in hansproof's own format


def parse_file(source: FileRecords, mapping: ColumnMapping) -> ParsedFile:
    """Parse the records of one file; an error about its shape says which flags may help."""
    if source.split == POOLED:  # reserved for all labelled splits together
        raise BadInput(source.path, f"the split name {POOLED!r} is reserved; use another one")
    if not source.rows:
        raise BadInput(source.path, "contains no items")
    try:
        return _parse_rows(source, mapping)
    except UnknownShape as error:
        raise add_help(error, source.rows) from None


def _parse_rows(source: FileRecords, mapping: ColumnMapping) -> ParsedFile:
    rows = flatten_rows(source.rows)
    if not names_columns(mapping) and all(native.is_native(record) for _, record in rows):
        return _parse_native(replace(source, rows=rows), mapping)
    columns = list_columns(rows)
    schema = _numbered_schema(columns, rows, mapping) or detect_schema(
        columns, mapping, source.path, source.split
    )
    check_choice_lists(rows, schema, mapping.list_separator, source.path)
    described, separator = schema, mapping.separator
    if schema.wrong and schema.answer is not None:
        rows = _draw_orders(rows, schema.answer, schema.wrong, separator)
        schema = replace(schema, choices=("choices",), answer="answer", wrong=(), first_number=0)
    choices = [
        parse_choices(record, schema.choices, location, separator) for location, record in rows
    ]
    if schema.answers and mapping.labels is None:
        schema = described = _settle_answer(schema, rows, choices, source.path)
    if schema.answer in source.index_columns and mapping.labels is None:
        schema = replace(schema, first_number=0)
    schema = _drop_unusable(schema, rows, mapping)
    ids = _item_ids(rows, schema.id, source)
    answers = _read_answer_column(rows, schema, choices, ids, mapping)
    return ParsedFile(
        source,
        mapping,
        schema,
        rows,
        ids,
        answers,
        describe_columns(described, columns, mapping),
        list_unused(described, columns),
        shows_answers=not described.wrong
        and (mapping.labels is not None or any(schema.answer in row for _, row in source.rows)),
    )


def _draw_orders(
    rows: LocatedRecords, right: str, wrong: Sequence[str], separator: str | None
) -> LocatedRecords:
    return [
        (location, draw_order(record, right, wrong, separator, location))
        for location, record in rows
    ]


def _read_answer_column(
    rows: LocatedRecords,
    schema: RecordSchema,
    choices: Sequence[Choices],
    ids: Sequence[str],
    mapping: ColumnMapping,
) -> AnswerColumn:
    reading = _defined_reading(schema, mapping)
    raw_answers = _parse_answers(rows, schema, choices, ids, mapping, reading)
    if reading is None and mapping.labels is None:
        raw_answers = name_columns(raw_answers, schema.choices)
    return AnswerColumn(raw_answers, reading)


def _numbered_schema(
    columns: Sequence[str], rows: LocatedRecords, mapping: ColumnMapping
) -> RecordSchema | None:
    """Return the schema of a table without a header whose rows are plainly items."""
    if names_columns(mapping) or list(columns) != [str(i + 1) for i in range(len(columns))]:
        return None
    layout = find_layout([list(record.values()) for _, record in rows])
    if layout is None:
        return None
    return RecordSchema(
        {columns[layout.question]: "question"},
        tuple(columns[i] for i in layout.choices),
        columns[layout.answer],
        id=None if layout.id is None else columns[layout.id],
    )


def _drop_unusable(
    schema: RecordSchema, rows: LocatedRecords, mapping: ColumnMapping
) -> RecordSchema:
    """Drop columns that were recognised by their names, but contain something else.

    These are ids that are objects, and fields that are empty in every record.
    """
    if mapping.id is None and schema.id is not None:
        kinds = {type(record.get(schema.id)) for _, record in rows}
        if dict in kinds or list in kinds:
            schema = replace(schema, id=None)
    if mapping.fields or len(schema.fields) == 1:
        return schema
    filled = {
        column: name
        for column, name in schema.fields.items()
        if any(record.get(column) not in (None, "") for _, record in rows)
    }
    return replace(schema, fields=filled or schema.fields)


def _settle_answer(
    schema: RecordSchema, rows: LocatedRecords, choices: Sequence[Choices], file: str
) -> RecordSchema:
    """Choose one of the columns that may contain the answer."""
    columns = [column for column in (schema.answer, *schema.answers) if column is not None]
    candidates = {
        column: [
            _parse_candidate(record.get(column), column, item_choices, location)
            for (location, record), item_choices in zip(rows, choices, strict=True)
        ]
        for column in columns
    }
    return replace(schema, answer=choose_column(candidates, file), answers=())


def _parse_candidate(value: object, column: str, choices: Choices, location: Location) -> RawAnswer:
    """Parse the answer of a column that may contain something else; that is read as a text."""
    try:
        return parse_answer(value, column, choices, location)
    except BadInput:
        return RawAnswer(location, column, str(value), choices)


def _defined_reading(schema: RecordSchema, mapping: ColumnMapping) -> Reading | None:
    """Return how answers are read, if the user or the schema defines it; the user goes first."""
    if mapping.answers_from is None:
        return None if schema.first_number is None else "1" if schema.first_number else "0"
    readings: dict[str, Reading] = {reading: reading for reading in get_args(AnswersFrom)}
    try:
        return readings[str(mapping.answers_from)]  # 0 and 1 may be numbers, too
    except KeyError:
        raise UnknownName("answers_from", str(mapping.answers_from), readings) from None


def _parse_native(source: FileRecords, mapping: ColumnMapping) -> ParsedFile:
    """Parse records in hansproof's own format."""
    if str(mapping.answers_from or 0) != "0":
        message = "is in hansproof's own format, where answers count from 0"
        raise BadInput(source.path, f"{message}: leave out --answers-from")
    items = [
        replace(native.parse_item(record, location), file=source.name, line=location.line)
        for location, record in source.rows
    ]
    ids = _item_ids(source.rows, "id", source)  # refuses duplicates
    raw_answers = [
        RawAnswer(location, "answer", item.answer, Choices(item.choices))
        for item, (location, _) in zip(items, source.rows, strict=True)
    ]
    schema = RecordSchema({}, ("choices",), "answer", first_number=0)
    answers = AnswerColumn(raw_answers, "0")
    return ParsedFile(source, mapping, schema, source.rows, ids, answers, native_items=items)


def _item_ids(rows: LocatedRecords, column: str | None, source: FileRecords) -> list[str]:
    """Return the ids of the file, or else `{split}-{number}` for each record."""
    if column is None:
        prefix = source.id_prefix or source.split
        return [f"{prefix}-{number}" for number in range(1, len(rows) + 1)]
    line_of_id: dict[str, int] = {}
    for location, record in rows:
        id = location.require_name(record.get(column), column)
        if id in line_of_id:
            raise location.error(column, f"{id!r} already appears in line {line_of_id[id]}")
        line_of_id[id] = location.line
    return list(line_of_id)


def _parse_answers(
    rows: LocatedRecords,
    schema: RecordSchema,
    choices: Sequence[Choices],
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
        parse_answer(label, column, item_choices, location, reading)
        for (location, label), item_choices in zip(labels, choices, strict=True)
    ]


def list_columns(rows: LocatedRecords) -> list[str]:
    """Return the columns of all records."""
    return list(dict.fromkeys(chain.from_iterable(record for _, record in rows)))
