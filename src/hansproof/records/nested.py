"""Flattens records whose question or choices are objects, so that every value has its column."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import cast

from ..types import Items
from .column_names import find_all, normalise_name
from .list_cells import parse_list, split_list
from .location import Location, Record, number_as_text

TEXT_NAMES = (
    *("text", "answer", "option", "choice", "content", "value", "body", "answertext"),
    *("optiontext", "choicetext", "title", "name"),
)
TRUE_NAMES = ("correct", "iscorrect", "right", "isright", "isanswer", "istrue")
SCORED_TARGETS, SCORES = "multiple_choice_targets", "multiple_choice_scores"  # of BIG-bench
# in `meta` of items whose file does not order the choices, so that their order means nothing
CHOICE_ORDER, DRAWN = "choice_order", "drawn"


def is_order_drawn(items: Items) -> bool:
    """Tell whether the order of the choices says nothing about the benchmark."""
    return all(item.meta.get(CHOICE_ORDER) == DRAWN for item in items)


def flatten_rows(rows: list[tuple[Location, Record]]) -> list[tuple[Location, Record]]:
    """Flatten the records of a file, if any of them is nested."""
    kinds = {type(value) for _, record in rows for value in record.values()}
    if kinds.isdisjoint((dict, list)):
        return rows
    return [(location, flatten_record(record, location)) for location, record in rows]


def flatten_record(record: Record, location: Location) -> Record:
    """Flatten ARC's question object, TruthfulQA's mc1_targets and choices with a mark."""
    for column, value in record.items():
        if type(value) is dict:
            name = normalise_name(column)
            if name == "question":
                return flatten_record(_merge_question(record, column, value, location), location)
            if name in ("mc1targets", "targetscores"):
                return _replace_column(record, column, _parse_targets(value, column, location))
        elif column == SCORED_TARGETS and SCORES in record:
            targets = {"choices": value, "labels": record[SCORES]}
            remaining = {name: v for name, v in record.items() if name != SCORES}
            return _replace_column(remaining, column, _parse_targets(targets, column, location))
        elif type(value) is list and value and type(value[0]) is dict:
            marked = _parse_marked(value, column, location)
            if marked:
                return _replace_column(record, column, marked)
    return record


def draw_order(
    record: Record, right: str, wrong: Sequence[str], separator: str | None, location: Location
) -> Record:
    """Gather choices from the column of the right one and those of the wrong ones.

    The file says which choice is right, but not its position. The position is drawn by a hash of
    the texts, so the same item always gets the same order.
    """
    right_text = location.require_text(number_as_text(record.get(right)), right)
    texts: list[object] = [right_text]
    for column in wrong:
        texts += _wrong_choices(record.get(column), separator)
    if any(text in texts[:i] for i, text in enumerate(texts)):
        raise location.error(right, "a wrong choice has the text of another choice")
    digest = hashlib.sha256("\0".join(map(str, record.values())).encode(errors="replace")).digest()
    index = int.from_bytes(digest[:8], "big") % len(texts)
    texts[0], texts[index] = texts[index], texts[0]
    return {
        **{column: value for column, value in record.items() if column not in (right, *wrong)},
        **_keyed_choices(texts, index),
        CHOICE_ORDER: DRAWN,
    }


def _wrong_choices(value: object, separator: str | None) -> list[object]:
    """Return the wrong choices of one column: none, one, or those of a list."""
    if isinstance(value, str):
        parts: Sequence[object] | None = split_list(value, separator) if separator else None
        value = parts or parse_list(value) or value.strip()
    if isinstance(value, list):
        return list(map(number_as_text, value))
    return [] if value in (None, "") else [number_as_text(value)]


def _merge_question(
    record: Record, column: str, question: dict[str, object], location: Location
) -> Record:
    """Put the parts of a question object beside the other columns."""
    if not find_all(question, ("stem", "text", "question")):
        raise location.error(column, "is an object without the key stem")
    parts = {"question" if name == "text" else name: value for name, value in question.items()}
    return {**{name: value for name, value in record.items() if name != column}, **parts}


def _replace_column(record: Record, column: str, replacement: Record) -> Record:
    return {name: value for name, value in record.items() if name != column} | replacement


def _parse_targets(targets: dict[str, object], column: str, location: Location) -> Record:
    """Parse `{choices, labels}` or `{text: 0 or 1}`, of which exactly one is true."""
    choices: list[object] = list(targets)
    labels = list(targets.values())
    if isinstance(targets.get("choices"), list) and isinstance(targets.get("labels"), list):
        choices, labels = cast(list[list[object]], [targets["choices"], targets["labels"]])
    if len(choices) != len(labels):
        raise location.error(column, f"{len(choices)} choices with {len(labels)} labels")
    return _single_true_choice(choices, [label == 1 for label in labels], column, location)


def _parse_marked(values: list[object], column: str, location: Location) -> Record | None:
    """Parse choices as objects of a text and a mark, such as `{"text": ..., "correct": true}`."""
    objects = [value for value in values if isinstance(value, dict)]
    columns = dict.fromkeys(name for value in objects for name in value)
    marks = find_all(columns, TRUE_NAMES)
    texts = [name for name in find_all(columns, TEXT_NAMES) if name not in marks]
    if len(marks) != 1 or not texts or len(objects) < len(values):
        return None
    mark, text = marks[0], texts[0]
    are_right = [value.get(mark, False) for value in objects]
    if not all(right in (True, False) for right in are_right):
        return None
    choices = [value.get(text) for value in objects]
    return _single_true_choice(choices, list(map(bool, are_right)), column, location)


def _single_true_choice(
    choices: list[object], are_right: list[bool], column: str, location: Location
) -> Record:
    if sum(are_right) != 1:
        raise location.error(column, f"has {sum(are_right)} right choices; exactly one is needed")
    return _keyed_choices(list(map(number_as_text, choices)), are_right.index(True))


def _keyed_choices(choices: list[object], answer: int) -> Record:
    """Build the columns of choices and answer.

    The keys define what the answer means; only texts are choices, whatever they look like.
    """
    keyed = {"text": choices, "label": list(range(len(choices)))}
    return {"choices": keyed, "answer": answer}
