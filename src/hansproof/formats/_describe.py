"""Says in words which columns of a file were read as what, and the flags that say the same."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

from ..records.column_mapping import ColumnMapping
from ..records.item_schema import RecordSchema
from ..records.location import format_columns, truncate
from ..types import ReadingNote


def describe_columns(
    schema: RecordSchema, columns: Sequence[str], mapping: ColumnMapping
) -> ReadingNote:
    """Describe the columns of a file; the flags repeat the reading elsewhere."""
    fields, choices = format_columns(schema.fields), _choice_columns(schema)
    phrase, place = _find_answers(schema, columns, mapping)
    parts = [
        f"the question is in {fields}",
        f"the choices are in {format_columns(choices)}",
        f"{phrase} {place}" if place else phrase,
    ]
    if schema.wrong:
        parts.append("the choices were shuffled, because the file does not define their order")
    flags = _same_flags(schema, choices, columns, mapping)
    brief = ", ".join((fields, format_columns(choices), place or "no answers"))
    return ReadingNote(f"{', '.join(parts)}; equivalent flags: {flags}", brief, "columns")


def _find_answers(
    schema: RecordSchema, columns: Sequence[str], mapping: ColumnMapping
) -> tuple[str, str]:
    """Say that answers are in a column, in a file of their own, or nowhere; and name the place."""
    if schema.answer in columns:
        return "the answer is in", truncate(schema.answer or "")
    if mapping.labels:
        return "the answers are in", truncate(os.path.basename(mapping.labels))
    return "there is no answer", ""


def list_unused(schema: RecordSchema, columns: Sequence[str]) -> list[str]:
    """Return the columns that have no role; their values are kept as properties of the items."""
    choices = _choice_columns(schema)
    used = {*schema.fields, *choices, schema.answer, schema.id, schema.group}
    return [column for column in columns if column not in used]


def _choice_columns(schema: RecordSchema) -> tuple[str, ...]:
    return schema.choices or tuple(filter(None, (schema.answer, *schema.wrong)))


def _same_flags(
    schema: RecordSchema, choices: Sequence[str], columns: Sequence[str], mapping: ColumnMapping
) -> str:
    flags = [("--field", column) for column in schema.fields]
    flags += [("--choices", column) for column in choices]
    if schema.answer is not None and schema.answer in columns:
        flags.append(("--answer", schema.answer))
    flags += [("--id", schema.id)] if schema.id else []
    flags += [("--list-separator", mapping.list_separator)] if mapping.list_separator else []
    flags += [("--answers-from", str(mapping.answers_from))] if mapping.answers_from else []
    flags += [("--labels", mapping.labels)] if mapping.labels else []
    is_numbered = list(columns) == [str(i + 1) for i in range(len(columns))]
    prefix = "--no-header " if is_numbered else ""
    suffix = " --drop-unlabelled" if mapping.drop_unlabelled else ""
    return prefix + " ".join(f"{flag} {shlex.quote(value)}" for flag, value in flags) + suffix
