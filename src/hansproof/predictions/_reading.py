"""Reads a run, checked against the benchmark it is about."""

from __future__ import annotations

from dataclasses import replace

from ..formats._lines import lines
from ..types import Predictions
from ._check import Unfinished, checked, complete
from ._header import header_of
from ._lines import Said, line_of, object_of, whole
from ._splits import Splits


def about(path: str) -> str:
    """The name of the benchmark that a file is about."""
    number, first = next(lines(path), (1, ""))
    return header_of(object_of(first, path, number), path).benchmark


def read(path: str, splits: Splits) -> Predictions:
    """A run, checked against the benchmark it is about."""
    numbered = lines(path)
    number, first = next(numbered, (1, ""))
    run = header_of(object_of(first, path, number), path)
    split, items = splits.find(run.split, run.sha256, path)
    run = replace(run, split=split)
    said: list[tuple[int, str, Said]] = []
    for number, text in numbered:
        if not text.endswith("\n") and not whole(text):
            part = replace(run, scores=checked(said, items, path))
            what = (
                f"is cut off: its writer was killed; {len(part.scores)} of {len(items)} items are "
                "finished, the rest is missing"
            )
            raise Unfinished(path, what, part, number)
        if text.strip():
            said.append((number, *line_of(object_of(text, path, number), path, number)))
    return complete(replace(run, scores=checked(said, items, path)), items, path)
