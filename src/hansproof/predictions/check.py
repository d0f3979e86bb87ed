"""Checks the answers of a run against the items of its split."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..errors import BadInput
from ..records.location import truncate
from ..types import Items, Predictions
from .lines import ModelAnswer


class IncompleteRun(BadInput):
    """A run that lacks items; `run` contains the scores that exist."""

    def __init__(self, file: str, message: str, run: Predictions, line: int | None = None) -> None:
        super().__init__(file, message, line=line)
        self.message, self.run, self.line = message, run, line


def validate_scores(
    answers: Iterable[tuple[int | None, str, ModelAnswer]], items: Items, file: str
) -> dict[str, tuple[float, ...]]:
    """Convert answers to scores for every choice, in the order of the benchmark."""
    sizes = {item.id: len(item.choices) for item in items}
    scores: dict[str, tuple[float, ...]] = {}
    for line, id, value in answers:
        if id not in sizes:
            message = f"{truncate(id)} is no item of this split ({len(sizes)} items)"
            raise BadInput(file, message, line=line, field="id")
        if id in scores:
            raise BadInput(file, f"{truncate(id)} stands twice", line=line, field="id")
        scores[id] = _answer_scores(value, sizes[id], id, file, line)
    return {id: scores[id] for id in sizes if id in scores}


def require_complete(run: Predictions, items: Items, file: str) -> Predictions:
    """Return the run if it has scores for every item, else raise `IncompleteRun`."""
    missing = [item.id for item in items if item.id not in run.scores]
    if missing:
        missing_ids = ", ".join(map(truncate, missing[:3])) + (" ..." if len(missing) > 3 else "")
        message = f"{len(missing)} of {len(items)} items are missing: {missing_ids}"
        raise IncompleteRun(file, message, run)
    return run


def _answer_scores(
    value: ModelAnswer, size: int, id: str, file: str, line: int | None
) -> tuple[float, ...]:
    if isinstance(value, int):
        if not 0 <= value < size:
            message = f"{truncate(id)}: choice {value} of {size} (the first is 0)"
            raise BadInput(file, message, line=line, field="choice")
        return tuple(float(i == value) for i in range(size))
    if len(value) != size:
        message = f"{truncate(id)} has {len(value)} scores for {size} choices"
        raise BadInput(file, message, line=line, field="scores")
    if not all(map(math.isfinite, value)):
        bad_score = next(score for score in value if not math.isfinite(score))
        raise BadInput(file, f"{truncate(id)}: a score is {bad_score}", line=line, field="scores")
    return value
