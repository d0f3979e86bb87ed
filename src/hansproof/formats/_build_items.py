"""Builds the items of splits from their records."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from ..errors import BadInput, UnknownName
from ..records import native
from ..records.answer_columns import choose_column
from ..records.answer_readings import AnswerColumn, choose_readings, describe_readings
from ..records.answers import RawAnswer, Reading, parse_answer, read_answers
from ..records.choice_lists import check_choice_lists
from ..records.choices import Choices, parse_choices
from ..records.column_mapping import AnswersFrom, ColumnMapping
from ..records.item_rows import find_layout
from ..records.item_schema import RecordSchema, UnknownShape, detect_schema, names_columns
from ..records.location import Location, Record, format_columns
from ..records.nested import draw_order, flatten_record
from ..records.shape_help import add_help
from ..types import POOLED, Item, Items, Scalar
from . import _label_file
from ._describe import describe_columns, list_unused
from ._header_check import check_header

META_LIMIT = 1000  # characters; a longer text is content, not a property to group items by

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
    description: str = ""  # which columns were read as what, and the flags that say the same
    unused: Sequence[str] = ()  # columns without a role
    shows_answers: bool = True  # False: the file marks the right choice in another way
    native_items: list[Item] | None = None  # of records in hansproof's own format


@dataclass(frozen=True, slots=True)
class SplitItems:
    """The items of all splits, and what a user should know of how they were read."""

    splits: dict[str, Items]
    notes: tuple[str, ...]


def parse_file(source: FileRecords, mapping: ColumnMapping) -> ParsedFile:
    """Parse the records of one file; an error about its shape says which flags may help."""
    if source.split == POOLED:  # reserved for all labelled splits together
        raise BadInput(source.path, f"a split may not be called {POOLED!r}")
    if not source.rows:
        raise BadInput(source.path, "contains no items")
    try:
        return _parse_rows(source, mapping)
    except UnknownShape as error:
        raise add_help(error, source.rows) from None


def _parse_rows(source: FileRecords, mapping: ColumnMapping) -> ParsedFile:
    rows = [(location, flatten_record(record, location)) for location, record in source.rows]
    if not names_columns(mapping) and all(native.is_native(record) for _, record in rows):
        return _parse_native(replace(source, rows=rows), mapping)
    columns = list(dict.fromkeys(name for _, record in rows for name in record))
    schema = _numbered_schema(columns, rows, mapping) or detect_schema(
        columns, mapping, source.path, source.split
    )
    check_choice_lists(rows, schema, mapping.list_separator, source.path)
    described_schema, separator = schema, mapping.separator
    if schema.wrong and schema.answer is not None:
        right, wrong = schema.answer, schema.wrong
        rows = [
            (location, draw_order(record, right, wrong, separator, location))
            for location, record in rows
        ]
        schema = replace(schema, choices=("choices",), answer="answer", wrong=(), first_number=0)
    choices = [
        parse_choices(record, schema.choices, location, separator) for location, record in rows
    ]
    if schema.answers and mapping.labels is None:
        schema = described_schema = _settle_answer(schema, rows, choices, source.path)
    if schema.answer in source.index_columns and mapping.labels is None:
        schema = replace(schema, first_number=0)
    reading = _defined_reading(schema, mapping)
    ids = _item_ids(rows, schema.id, source)
    raw_answers = _parse_answers(rows, schema, choices, ids, mapping, reading)
    answers = AnswerColumn(raw_answers, reading)
    description = describe_columns(described_schema, columns, mapping)
    unused = list_unused(described_schema, columns)
    shows_answers = not described_schema.wrong and (
        mapping.labels is not None or any(schema.answer in record for _, record in source.rows)
    )
    return ParsedFile(
        source, mapping, schema, rows, ids, answers, description, unused, shows_answers
    )


def build_splits(files: Sequence[ParsedFile]) -> SplitItems:
    """Build the items of all splits of a benchmark, whose answers are read in one way."""
    readings = choose_readings([file.answers for file in files])
    splits: dict[str, list[Item]] = {}
    for file, reading in zip(files, readings, strict=True):
        splits.setdefault(file.source.split, []).extend(_build_items(file, reading))
    is_split_file = len(splits) == len(files)
    described = {
        file.source.split if is_split_file else file.source.name: (file.answers, reading)
        for file, reading in zip(files, readings, strict=True)
        if file.shows_answers
    }
    notes = [*dict.fromkeys(file.description for file in files if file.description)]
    columns = {name: answers for name, (answers, _) in described.items()}
    notes += describe_readings(columns, [reading for _, reading in described.values()])
    unused = dict.fromkeys(column for file in files for column in file.unused)
    if unused:
        notes.append(f"columns kept as properties of the items: {format_columns(unused)}")
    return SplitItems({split: tuple(items) for split, items in splits.items()}, tuple(notes))


def _build_items(file: ParsedFile, reading: Reading) -> Items:
    raw_answers, items = file.answers.raw_answers, file.native_items
    if items is None:
        is_given = file.mapping.answers_from is not None
        indices = read_answers(raw_answers, reading, is_given=is_given)
        check_header(file.source.path, file.schema.choices, file.mapping, reading)
        items = [
            _build_item(location, record, file, id, raw.choices.texts, index)
            for (location, record), id, raw, index in zip(
                file.rows, file.ids, raw_answers, indices, strict=True
            )
        ]
    return _require_labels(items, raw_answers, file.mapping.drop_unlabelled)


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
        message = "is in hansproof's own format, in which answers count from 0"
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
            raise location.error(column, f"{id!r} stands already in line {line_of_id[id]}")
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


def _build_item(
    location: Location,
    record: Record,
    parsed: ParsedFile,
    id: str,
    choices: tuple[str, ...],
    answer: int | None,
) -> Item:
    schema, fields = parsed.schema, {}
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
        file=parsed.source.name,
        line=location.line,
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
