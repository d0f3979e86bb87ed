"""Decides which column of a file has which role: by known schemas, names and the user's flags."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from .._infra.join_names import join_names
from ..errors import BadInput
from .column_mapping import ColumnMapping
from .column_names import (
    GROUP_NAME,
    ColumnRoles,
    find_all,
    find_roles,
    known_field_name,
    normalise_name,
)
from .location import format_columns, truncate


@dataclass(frozen=True, slots=True)
class RecordSchema:
    """The columns of one kind of record, by role."""

    fields: dict[str, str]  # column -> name of the field
    choices: tuple[str, ...]  # one column with a list, or one column per choice
    answer: str | None = None
    first_number: int | None = None  # number of the first choice; None: detected
    meta: dict[str, str] = field(default_factory=dict)  # column -> name in meta
    id: str | None = None
    group: str | None = None
    wrong: tuple[str, ...] = ()  # where `answer` is the text of the right choice: the other columns
    answers: tuple[str, ...] = ()  # further columns that may contain the answer


KNOWN_SCHEMAS = (
    RecordSchema(
        {"p": "premise"},
        ("a1", "a2"),
        "most-plausible-alternative",
        first_number=1,
        meta={"asks-for": "asks_for"},
    ),
    RecordSchema(
        {"premise": "premise"},
        ("choice1", "choice2"),
        "label",
        first_number=0,
        meta={"question": "asks_for"},
    ),
    RecordSchema(
        {"claim": "claim", "reason": "reason"},
        ("warrant0", "warrant1"),
        "correctLabelW0orW1",
        first_number=0,
        meta={"debateTitle": "title", "debateInfo": "info"},
    ),
    RecordSchema({"goal": "goal"}, ("sol1", "sol2"), "label", first_number=0),
    RecordSchema({"sentence": "sentence"}, ("option1", "option2"), "answer", first_number=1),
    RecordSchema({"ctx": "ctx"}, ("endings",), "label", first_number=0),
)


NO_FLAGS = "none"  # no flag helps


class UnknownShape(BadInput):
    """The columns of a file are not recognised: the user has to say more about them."""

    flags: str = ""  # that would probably help, if the columns do not suggest others


def detect_schema(
    columns: Collection[str], mapping: ColumnMapping, file: str, split: str
) -> RecordSchema:
    """Detect the schema of a file with these columns; `mapping` takes precedence."""
    _check_named_columns(columns, mapping, file)
    schema = next(
        (
            candidate
            for candidate in KNOWN_SCHEMAS
            if {*candidate.fields, *candidate.choices} <= set(columns)
        ),
        None,
    )
    roles = find_roles(columns)
    schema = _apply_mapping(schema or _generic_schema(roles, mapping, file), mapping)
    _check_complete(schema, columns, file)
    # A test split may come without answers; elsewhere a missing column is more likely a mistake.
    if schema.answer not in columns and mapping.labels is None and split != "test":
        message = (
            f"no column of answers found among {format_columns(columns)}: name it with --answer"
        )
        raise UnknownShape(file, message)
    group = next(iter(find_all(columns, (GROUP_NAME,))), None)
    return replace(schema, id=mapping.id or roles.id, group=mapping.group or group)


def names_columns(mapping: ColumnMapping) -> bool:
    """Tell whether the user names columns of a file."""
    return bool(mapping.choices or mapping.fields or mapping.answer or mapping.id or mapping.group)


def _apply_mapping(schema: RecordSchema, mapping: ColumnMapping) -> RecordSchema:
    """Replace the columns of a schema by those that the user names."""
    if mapping.fields:
        fields = {name: known_field_name(name) for name in mapping.fields}
        if mapping.header is False and len(fields) == 1:
            fields = dict.fromkeys(fields, "question")  # a number is not a name
        schema = replace(schema, fields=fields)
    if mapping.choices:
        schema = replace(schema, choices=mapping.choices, first_number=None, wrong=())
    if mapping.answer is not None:
        schema = replace(schema, answer=mapping.answer, first_number=None, answers=())
    if mapping.answer in mapping.choices and len(mapping.choices) > 1:
        wrong = tuple(name for name in mapping.choices if name != mapping.answer)
        schema = replace(schema, choices=(), wrong=wrong)
    return schema


def _generic_schema(roles: ColumnRoles, mapping: ColumnMapping, file: str) -> RecordSchema:
    """Build a schema from common names for a question, its choices and the answer."""
    fields, choices = _choose_fields(roles, mapping, file), roles.choices
    if mapping.choices:
        choices = ()
    if len(choices) > 1:
        options = " or in ".join(format_columns(names) for names in choices)
        raise UnknownShape(file, f"choices may be in {options}: name their columns with --choices")
    if not choices and roles.wrong and roles.right and not mapping.choices:
        return RecordSchema(fields, (), roles.right, wrong=roles.wrong)
    answers = roles.answers + roles.weak_answers
    return RecordSchema(
        fields, choices[0] if choices else (), next(iter(answers), None), answers=answers[1:]
    )


def _choose_fields(roles: ColumnRoles, mapping: ColumnMapping, file: str) -> dict[str, str]:
    """Choose the columns of the question's text; none may be left open."""
    is_continued = any(normalise_name(names[0]) == "contextoptions" for names in roles.choices)
    fields = {
        column: name
        for column, name in roles.fields.items()
        if name != "continuation" or is_continued
    }
    stems = [column for column in fields if normalise_name(column) == "stem"]
    if stems:
        fields = {
            column: name for column, name in fields.items() if name != "question" or column in stems
        }
    for name in fields.values() if not mapping.fields else ():
        columns = [truncate(column) for column in fields if fields[column] == name]
        if len(columns) > 1:
            message = f"the question may be in {join_names(columns, 'or')}: name it with --field"
            raise UnknownShape(file, message)
    return fields


def _check_named_columns(columns: Collection[str], mapping: ColumnMapping, file: str) -> None:
    """Require every column that the user names."""
    for name in (*mapping.fields, *mapping.choices, mapping.answer, mapping.id, mapping.group):
        if name is not None and name not in columns:
            message = f"missing column; found: {format_columns(columns)}"
            if name.isdigit() and mapping.header is None:
                message += " (--no-header numbers the columns 1, 2, 3, ...)"
            raise BadInput(file, message, field=truncate(name))


def _check_complete(schema: RecordSchema, columns: Collection[str], file: str) -> None:
    """Require choices and at least one field."""
    choices = schema.choices or schema.wrong
    required = {"--choices": choices, "--field": schema.fields, "--answer": schema.answer}
    if choices and schema.fields:
        return
    flags = ", ".join(flag for flag, column in required.items() if not column)
    message = f"columns not recognised ({format_columns(columns)}): name them with {flags}"
    raise UnknownShape(file, message)
