"""Detects the role of each column from known schemas and the user's flags."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from ..errors import BadInput
from .by_extension import DELIMITED
from .column_mapping import NO_HEADER_HINT, ColumnMapping
from .location import Location, Record, file_extension, format_columns, number_as_text


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
FIELD_COLUMNS = {"stem": "question", "question": "question"} | {
    name: name for name in ("context", "passage", "premise", "goal", "sentence", "prompt", "query")
}
CHOICE_COLUMNS = ("choices", "options", "endings")
LETTERS = "ABCDEFGHIJ"
ANSWER_COLUMNS = ("answerKey", "answer", "correct", "gold", "target", "label")
ID_COLUMNS = ("id", "#id", "qid", "question_id")


def detect_schema(
    columns: Collection[str], mapping: ColumnMapping, file: str, split: str
) -> RecordSchema:
    """Detect the schema of a file with these columns; `mapping` takes precedence."""
    schema = next(
        (
            candidate
            for candidate in KNOWN_SCHEMAS
            if {*candidate.fields, *candidate.choices} <= set(columns)
        ),
        _generic_schema(columns),
    )
    if mapping.fields:
        schema = replace(schema, fields={name: name for name in mapping.fields})
    if mapping.choices:
        schema = replace(schema, choices=mapping.choices, first_number=None)
    if mapping.answer is not None:
        schema = replace(schema, answer=mapping.answer, first_number=None)
    _check_named_columns(columns, mapping, file)
    _check_schema_complete(schema, columns, file, mapping)
    # A test split may come without answers; elsewhere a missing column is more likely a mistake.
    if schema.answer not in columns and mapping.labels is None and split != "test":
        message = f"no column of answers among {format_columns(columns)}: name it with --answer"
        raise BadInput(file, message)
    id = mapping.id or next((name for name in ID_COLUMNS if name in columns), None)
    group = mapping.group or ("group" if "group" in columns else None)
    return replace(schema, id=id, group=group)


def _generic_schema(columns: Collection[str]) -> RecordSchema:
    """Build a schema from common names for a question, its choices and the answer."""
    fields = {column: name for column, name in FIELD_COLUMNS.items() if column in columns}
    if "stem" in fields:
        fields.pop("question", None)
    choices = next(((name,) for name in CHOICE_COLUMNS if name in columns), ())
    answer = next((name for name in ANSWER_COLUMNS if name in columns), None)
    return RecordSchema(fields, choices or _letter_columns(columns), answer)


def _letter_columns(columns: Collection[str]) -> tuple[str, ...]:
    letters: list[str] = []
    for letter in LETTERS:
        if letter not in columns:
            break
        letters.append(letter)
    return tuple(letters) if len(letters) > 1 else ()


def _check_named_columns(columns: Collection[str], mapping: ColumnMapping, file: str) -> None:
    """Require every column that the user names."""
    for name in (*mapping.fields, *mapping.choices, mapping.answer, mapping.id, mapping.group):
        if name is not None and name not in columns:
            raise BadInput(file, f"missing column; found: {format_columns(columns)}", field=name)


def _check_schema_complete(
    schema: RecordSchema, columns: Collection[str], file: str, mapping: ColumnMapping
) -> None:
    """Require choices and at least one field."""
    required = {"--choices": schema.choices, "--field": schema.fields, "--answer": schema.answer}
    if schema.choices and schema.fields:
        return
    flags = ", ".join(flag for flag, column in required.items() if not column)
    message = (
        f"shape not recognised; found the columns {format_columns(columns)}: name them with {flags}"
    )
    is_unknown = not any(required.values())
    if is_unknown and mapping.header is None and file_extension(file) in DELIMITED:
        message += f" ({NO_HEADER_HINT})"
    raise BadInput(file, message)


def flatten_record(record: Record, location: Location) -> Record:
    """Flatten nested records: ARC's question object, TruthfulQA's mc1_targets."""
    question = record.get("question")
    if isinstance(question, dict):
        if "stem" not in question:
            raise location.error("question", "is an object without stem")
        record = {**record, **question}
        del record["question"]
    targets = record.get("mc1_targets")
    if isinstance(targets, dict):
        record = {**record, **_single_true_choice(targets, location)}
        del record["mc1_targets"]
    return record


def _single_true_choice(targets: dict[str, object], location: Location) -> Record:
    """Parse `{choices, labels}` or `{text: 0 or 1}`, of which exactly one is true."""
    choices, labels = targets.get("choices"), targets.get("labels")
    if not (isinstance(choices, list) and isinstance(labels, list)):
        choices, labels = list(targets), list(targets.values())
    if len(choices) != len(labels):
        raise location.error("mc1_targets", f"{len(choices)} choices with {len(labels)} labels")
    right_indices = [i for i, label in enumerate(labels) if label == 1]
    if len(right_indices) != 1:
        raise location.error("mc1_targets", f"{len(right_indices)} right choices, one is needed")
    # the keys define what the answer means; only texts are choices, whatever they look like
    keyed_choices = {"text": list(map(number_as_text, choices)), "label": list(range(len(choices)))}
    return {"choices": keyed_choices, "answer": right_indices[0]}
