"""What a run says, held against the items it is about."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..errors import BadInput
from ..formats._record import shown
from ..types import Items, Predictions
from ._lines import Said


class Unfinished(BadInput):
    """A run that does not speak of every item; what it does say is kept in `run`."""

    def __init__(self, file: str, what: str, run: Predictions, line: int | None = None) -> None:
        super().__init__(file, what, line=line)
        self.what, self.run, self.line = what, run, line


def checked(
    said: Iterable[tuple[int | None, str, Said]], items: Items, file: str
) -> dict[str, tuple[float, ...]]:
    """A score for every choice of the items spoken of, in the order of the benchmark."""
    sizes = {item.id: len(item.choices) for item in items}
    found: dict[str, tuple[float, ...]] = {}
    for line, id, value in said:
        if id not in sizes:
            what = f"{shown(id)} is no item of this split ({len(sizes)} items)"
            raise BadInput(file, what, line=line, field="id")
        if id in found:
            raise BadInput(file, f"{shown(id)} stands twice", line=line, field="id")
        found[id] = _scores(value, sizes[id], id, file, line)
    return {id: found[id] for id in sizes if id in found}


def complete(run: Predictions, items: Items, file: str) -> Predictions:
    """The run, if it speaks of every item."""
    missing = [item.id for item in items if item.id not in run.scores]
    if missing:
        named = ", ".join(map(shown, missing[:3])) + (" ..." if len(missing) > 3 else "")
        what = f"{len(missing)} of {len(items)} items are missing: {named}"
        raise Unfinished(file, what, run)
    return run


def _scores(value: Said, size: int, id: str, file: str, line: int | None) -> tuple[float, ...]:
    if isinstance(value, int):
        if not 0 <= value < size:
            what = f"{shown(id)}: choice {value} of {size} (the first is 0)"
            raise BadInput(file, what, line=line, field="choice")
        return tuple(float(i == value) for i in range(size))
    if len(value) != size:
        what = f"{shown(id)} has {len(value)} scores for {size} choices"
        raise BadInput(file, what, line=line, field="scores")
    if not all(map(math.isfinite, value)):
        odd = next(score for score in value if not math.isfinite(score))
        raise BadInput(file, f"{shown(id)}: a score is {odd}", line=line, field="scores")
    return value
