"""Builds the items of splits from parsed files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..records.answer_columns import check_marks
from ..records.answer_readings import choose_readings, describe_readings
from ..records.answers import RawAnswer, Reading, read_answers
from ..records.item_schema import RecordSchema, UnknownShape
from ..records.location import Location, Record, format_columns
from ..records.shape_help import add_help
from ..types import Item, Items, ReadingNote, Scalar
from ._describe import list_unused
from ._header_check import check_header
from ._parse_file import ParsedFile, list_columns

META_LIMIT = 1000  # characters; a longer text is content, not a property to group items by


@dataclass(frozen=True, slots=True)
class SplitItems:
    """The items of all splits, and notes for the user on how they were read."""

    splits: dict[str, Items]
    notes: tuple[ReadingNote, ...]


def build_splits(files: Sequence[ParsedFile]) -> SplitItems:
    """Build the items of all splits of a benchmark, whose answers are read in one way."""
    _check_marks(files)
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
    notes = [*_describe_columns(files), *_describe_dropped(files, splits)]
    columns = {name: answers for name, (answers, _) in described.items()}
    notes += describe_readings(columns, [reading for _, reading in described.values()])
    unused = dict.fromkeys(column for file in files for column in file.unused)
    if unused:
        text = f"columns kept as properties of the items: {format_columns(unused)}"
        notes.append(ReadingNote(text))
    return SplitItems({split: tuple(items) for split, items in splits.items()}, tuple(notes))


def _describe_columns(files: Sequence[ParsedFile]) -> list[ReadingNote]:
    """Describe the columns of all files, once for each way in which they were read."""
    described: dict[ReadingNote, str] = {}
    for file in files:
        if file.description is not None:
            described.setdefault(file.description, file.source.name)
    return [
        replace(note, text=f"columns{f' of {name}' if len(described) > 1 else ''}: {note.text}")
        for note, name in described.items()
    ]


def _describe_dropped(
    files: Sequence[ParsedFile], splits: dict[str, list[Item]]
) -> list[ReadingNote]:
    """Say how many items without an answer were left out."""
    n_dropped = sum(len(file.rows) for file in files) - sum(map(len, splits.values()))
    if not n_dropped:
        return []
    verb = "item without an answer was" if n_dropped == 1 else "items without an answer were"
    text = f"{n_dropped} {verb} left out"
    return [ReadingNote(text, text, "omission")]


def _check_marks(files: Sequence[ParsedFile]) -> None:
    """Refuse answers that look like marks of right and wrong, in columns that nobody named."""
    columns: dict[str | None, list[ParsedFile]] = {}
    for file in files:
        if file.answers.reading is None and file.mapping.answer is file.mapping.labels is None:
            columns.setdefault(file.schema.answer, []).append(file)
    for members in columns.values():
        try:
            check_marks([raw for file in members for raw in file.answers.raw_answers])
        except UnknownShape as error:
            raise add_help(error, members[0].source.rows) from None


def _build_items(file: ParsedFile, reading: Reading) -> Items:
    raw_answers, items = file.answers.raw_answers, file.native_items
    if items is None:
        is_given = file.mapping.answers_from is not None
        indices = read_answers(raw_answers, reading, is_given=is_given)
        check_header(file.source.path, file.schema.choices, file.mapping, reading)
        meta_columns = list_unused(file.schema, list_columns(file.rows))
        items = [
            _build_item(location, record, file, id, raw.choices.texts, index, meta_columns)
            for (location, record), id, raw, index in zip(
                file.rows, file.ids, raw_answers, indices, strict=True
            )
        ]
    return _require_labels(items, raw_answers, file.mapping.drop_unlabelled)


def _build_item(
    location: Location,
    record: Record,
    parsed: ParsedFile,
    id: str,
    choices: tuple[str, ...],
    answer: int | None,
    meta_columns: Sequence[str],
) -> Item:
    schema, fields = parsed.schema, {}
    for column, name in schema.fields.items():
        if column not in record:
            raise location.missing_column(column, record)
        value = record[column]
        # a question may come without its passage
        is_optional = value is None and name != "question" and len(schema.fields) > 1
        fields[name] = "" if is_optional else location.require_text(value, column)
    group = record.get(schema.group) if schema.group else None
    return Item(
        id=id,
        fields=fields,
        choices=choices,
        answer=answer,
        group=None if group in (None, "") else location.require_name(group, str(schema.group)),
        meta=_item_meta(record, schema, location, meta_columns) if meta_columns else {},
        file=parsed.source.name,
        line=location.line,
    )


def _item_meta(
    record: Record, schema: RecordSchema, location: Location, columns: Sequence[str]
) -> dict[str, Scalar]:
    """Collect plain values from the columns that have no other use."""
    meta: dict[str, Scalar] = {}
    for column in columns:
        value = record.get(column)
        if not isinstance(value, str | int | float) or value == "":  # an empty cell says nothing
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
        message = "missing, although other items have one (--drop-unlabelled leaves such items out)"
        raise unlabelled[0].location.error(unlabelled[0].column, message)
    return tuple(item for item in items if item.answer is not None)
