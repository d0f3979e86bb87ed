"""Which column is what: the shapes that are recognised by themselves, then the user's flags."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from ..errors import BadInput
from ._mapping import Mapping
from ._record import Record, Where, listed, spelled


@dataclass(frozen=True, slots=True)
class Shape:
    """The columns of a kind of record."""

    fields: dict[str, str]  # column -> name of the field
    choices: tuple[str, ...]  # one column that holds a list, or one column per choice
    answer: str | None = None
    first: int | None = None  # the number that stands for the first choice; None: found out
    meta: dict[str, str] = field(default_factory=dict)  # column -> name in meta
    id: str | None = None
    group: str | None = None


KNOWN = (
    Shape(
        {"p": "premise"},
        ("a1", "a2"),
        "most-plausible-alternative",
        first=1,
        meta={"asks-for": "asks_for"},
    ),
    Shape(
        {"premise": "premise"},
        ("choice1", "choice2"),
        "label",
        first=0,
        meta={"question": "asks_for"},
    ),
    Shape(
        {"claim": "claim", "reason": "reason"},
        ("warrant0", "warrant1"),
        "correctLabelW0orW1",
        first=0,
        meta={"debateTitle": "title", "debateInfo": "info"},
    ),
    Shape({"goal": "goal"}, ("sol1", "sol2"), "label", first=0),
    Shape({"sentence": "sentence"}, ("option1", "option2"), "answer", first=1),
    Shape({"ctx": "ctx"}, ("endings",), "label", first=0),
)
FIELDS = {"stem": "question", "question": "question"} | {
    name: name for name in ("context", "passage", "premise", "goal", "sentence", "prompt", "query")
}
CHOICES = ("choices", "options", "endings")
LETTERS = "ABCDEFGHIJ"
ANSWERS = ("answerKey", "answer", "correct", "gold", "target", "label")
IDS = ("id", "#id", "qid", "question_id")


def find(columns: Collection[str], mapping: Mapping, file: str, split: str) -> Shape:
    """The shape of a file with these columns; what the user says goes first."""
    shape = next((s for s in KNOWN if {*s.fields, *s.choices} <= set(columns)), _general(columns))
    if mapping.fields:
        shape = replace(shape, fields={name: name for name in mapping.fields})
    if mapping.choices:
        shape = replace(shape, choices=mapping.choices, first=None)
    if mapping.answer is not None:
        shape = replace(shape, answer=mapping.answer, first=None)
    _check_named(columns, mapping, file)
    _check_complete(shape, columns, file)
    # A test split may come without answers; elsewhere a missing column is more likely a mistake.
    if shape.answer not in columns and mapping.labels is None and split != "test":
        what = f"no column of answers among {listed(columns)}: name it with --answer"
        raise BadInput(file, what)
    id = mapping.id or next((name for name in IDS if name in columns), None)
    group = mapping.group or ("group" if "group" in columns else None)
    return replace(shape, id=id, group=group)


def _general(columns: Collection[str]) -> Shape:
    """A question, its choices and the answer under their usual names."""
    fields = {column: name for column, name in FIELDS.items() if column in columns}
    if "stem" in fields:
        fields.pop("question", None)
    choices = next(((name,) for name in CHOICES if name in columns), ())
    answer = next((name for name in ANSWERS if name in columns), None)
    return Shape(fields, choices or _letters(columns), answer)


def _letters(columns: Collection[str]) -> tuple[str, ...]:
    found: list[str] = []
    for letter in LETTERS:
        if letter not in columns:
            break
        found.append(letter)
    return tuple(found) if len(found) > 1 else ()


def _check_named(columns: Collection[str], mapping: Mapping, file: str) -> None:
    """Every column the user names must be there."""
    for name in (*mapping.fields, *mapping.choices, mapping.answer, mapping.id, mapping.group):
        if name is not None and name not in columns:
            raise BadInput(file, f"missing column; found: {listed(columns)}", field=name)


def _check_complete(shape: Shape, columns: Collection[str], file: str) -> None:
    """There must be choices to pick from and something that is asked."""
    missing = {"--choices": shape.choices, "--field": shape.fields, "--answer": shape.answer}
    if shape.choices and shape.fields:
        return
    flags = ", ".join(flag for flag, found in missing.items() if not found)
    what = f"shape not recognised; found the columns {listed(columns)}: name them with {flags}"
    raise BadInput(file, what)


def flatten(record: Record, where: Where) -> Record:
    """A record without nesting: ARC's question object, TruthfulQA's mc1_targets."""
    question = record.get("question")
    if isinstance(question, dict):
        if "stem" not in question:
            raise where.bad("question", "is an object without stem")
        record = {**record, **question}
        del record["question"]
    targets = record.get("mc1_targets")
    if isinstance(targets, dict):
        record = {**record, **_single_true(targets, where)}
        del record["mc1_targets"]
    return record


def _single_true(targets: dict[str, object], where: Where) -> Record:
    """`{choices, labels}` or `{text: 0 or 1}`: exactly one is true."""
    choices, labels = targets.get("choices"), targets.get("labels")
    if not (isinstance(choices, list) and isinstance(labels, list)):
        choices, labels = list(targets), list(targets.values())
    if len(choices) != len(labels):
        raise where.bad("mc1_targets", f"{len(choices)} choices with {len(labels)} labels")
    right = [i for i, label in enumerate(labels) if label == 1]
    if len(right) != 1:
        raise where.bad("mc1_targets", f"{len(right)} right choices, one is needed")
    # as texts, so that the index is not taken for one of the numbers
    return {"choices": [spelled(choice) for choice in choices], "answer": right[0]}
