"""Checks the answers of a run against the items of its split."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from numbers import Integral
from typing import Any

from ..errors import BadInput
from ..records.location import truncate
from ..types import Items, NoAnswer, Predictions
from .lines import ModelAnswer, check_reason


class IncompleteRun(BadInput):
    """A run that lacks items; `run` contains the outcomes that exist.

    The log of another tool is usable as it is; a file of hansproof is to be resumed first.
    """

    def __init__(
        self,
        file: str,
        message: str,
        run: Predictions,
        line: int | None = None,
        is_usable: bool = False,
    ) -> None:
        super().__init__(file, message, line=line)
        self.message, self.run, self.line, self.is_usable = message, run, line, is_usable


def add_answers(
    run: Predictions,
    answers: Iterable[tuple[int | None, str, ModelAnswer | NoAnswer]],
    items: Items,
    file: str,
) -> Predictions:
    """Return the run with the answers of a file, checked and in the order of the benchmark."""
    sizes = {item.id: len(item.choices) for item in items}
    scores: dict[str, tuple[float, ...]] = {}
    unanswered: dict[str, NoAnswer] = {}
    for line, id, value in answers:
        if id not in sizes:
            message = f"{truncate(str(id))} is not an item of this split ({len(sizes)} items)"
            raise BadInput(file, message, line=line, field="id")
        if id in scores or id in unanswered:
            raise BadInput(file, f"{truncate(id)} occurs twice", line=line, field="id")
        if isinstance(value, str):
            unanswered[id] = value
        else:
            scores[id] = _answer_scores(value, sizes[id], id, file, line)
    return replace(
        run,
        scores={id: scores[id] for id in sizes if id in scores},
        unanswered={id: unanswered[id] for id in sizes if id in unanswered},
    )


def check_answers(run: Predictions, items: Items, file: str) -> Predictions:
    """Return a run with its answers checked as those of a file are, and its scores as tuples."""
    by_item = (run.scores, run.unanswered, run.folds, run.text_answers)
    if not all(isinstance(value, Mapping) for value in by_item):
        names = "`scores`, `unanswered`, `text_answers` and `folds`"
        raise BadInput(file, f"{names} must be dicts by the id of the item")
    if not all(isinstance(fold, Integral) for fold in run.folds.values()):
        raise BadInput(file, "must be whole numbers", field="folds")
    run = replace(run, folds={id: int(fold) for id, fold in run.folds.items()})  # also of NumPy
    answers: list[tuple[int | None, str, ModelAnswer | NoAnswer]] = [
        (None, id, _convert_scores(row, id, file)) for id, row in run.scores.items()
    ]
    for id, reason in run.unanswered.items():
        answers.append((None, id, check_reason(reason, file, None)))
    text_answers = {
        id: int(value)
        if isinstance(value, Integral) and not isinstance(value, bool)
        else check_reason(value, file, None, "text_answer")
        for id, value in run.text_answers.items()
    }
    run = replace(run, text_answers=check_text_answers(text_answers, items, file))
    return add_answers(run, answers, items, file)


def check_text_answers(
    text_answers: Mapping[str, int | NoAnswer], items: Items, file: str
) -> dict[str, int | NoAnswer]:
    """Return the choices that texts name, in the order of the items; raise if out of range."""
    checked: dict[str, int | NoAnswer] = {}
    for item in items:
        value = text_answers.get(item.id)
        if isinstance(value, int) and not 0 <= value < len(item.choices):
            message = f"{truncate(item.id)}: choice {value} is out of range"
            raise BadInput(file, message, field="text_answer")
        if value is not None:
            checked[item.id] = value
    return checked


def _convert_scores(row: Any, id: str, file: str) -> tuple[float, ...]:
    """Convert the scores of an item to a tuple, also from a list or an array of NumPy."""
    try:
        if isinstance(row, str):
            raise TypeError
        return tuple(map(float, row))
    except (TypeError, ValueError, OverflowError):
        message = f"{truncate(str(id))}: not a list of numbers"
        raise BadInput(file, message, field="scores") from None


def require_complete(run: Predictions, items: Items, file: str) -> Predictions:
    """Return the run if it has an outcome for every item, else raise `IncompleteRun`."""
    missing = [
        item.id for item in items if item.id not in run.scores and item.id not in run.unanswered
    ]
    if missing:
        missing_ids = ", ".join(map(truncate, missing[:3])) + (" ..." if len(missing) > 3 else "")
        message = f"{len(missing)} of {len(items)} items are missing: {missing_ids}"
        raise IncompleteRun(file, message, run)
    return run


def mark_not_asked(run: Predictions, items: Items) -> Predictions:
    """Return the run with the reason `not asked` for every item that it says nothing about."""
    outcomes: dict[str, NoAnswer] = {
        item.id: run.unanswered.get(item.id, "not asked")
        for item in items
        if item.id not in run.scores
    }
    return replace(run, unanswered=outcomes)


def _answer_scores(
    value: ModelAnswer, size: int, id: str, file: str, line: int | None
) -> tuple[float, ...]:
    if isinstance(value, int):
        if not 0 <= value < size:
            message = (
                f"{truncate(id)}: choice {value} is out of range for {size} choices (the first is "
                "0)"
            )
            raise BadInput(file, message, line=line, field="choice")
        return tuple(float(i == value) for i in range(size))
    if len(value) != size:
        message = f"{truncate(id)} has {len(value)} scores for {size} choices"
        raise BadInput(file, message, line=line, field="scores")
    if not all(map(math.isfinite, value)):
        bad_score = next(score for score in value if not math.isfinite(score))
        raise BadInput(file, f"{truncate(id)}: a score is {bad_score}", line=line, field="scores")
    return value
