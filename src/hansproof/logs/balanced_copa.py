"""The predictions published with Balanced COPA: the archive, or a CSV file out of it.

    QuestionNumber,SystemOutput_Seed0,SystemOutput_Seed1,CorrectAnswer
    Q501,2,1,1

Choices count from 1, every column of outputs is a run. In a name such as
BERT_Original_COPA_DEV_predictions_test.csv the model stands before the first `_`, then what it
was trained on, and at the end the split; any other name is the model's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from ..errors import BadInput
from ._rows import Row, rows
from ._run import Entry, Run
from ._unpack import glance, members, unpacked

_HEADER = b"QuestionNumber,SystemOutput_Seed"
_ARCHIVE = (".zip", ".tar", ".tar.bz2", ".tbz2", ".tar.gz", ".tgz", ".tar.xz", ".txz")
_NAME = re.compile(r"([^_]+)_(.+)_predictions_([a-z]+)")
_INDEX = {"1": 0, "2": 1}
_OUTPUT = re.compile(r"SystemOutput_Seed(\d{1,9})")


def matches(path: str, head: bytes) -> bool:
    """Whether the file, or one in the archive, has such a header."""
    if not path.lower().endswith(_ARCHIVE):
        return head.removeprefix(b"\xef\xbb\xbf").startswith(_HEADER)
    try:
        return _HEADER in glance(path, ".csv")
    except BadInput:
        return False


def runs(path: str) -> Iterator[Run]:
    """One run for each seed of each file."""
    if not path.lower().endswith(_ARCHIVE):
        yield from _table(unpacked(path), path, path)
        return
    for name, content in members(path, ".csv"):
        if content.removeprefix(b"\xef\xbb\xbf").startswith(_HEADER):
            yield from _table(content, name, f"{path}/{name}")


def _table(data: bytes, name: str, file: str) -> Iterator[Run]:
    found = list(rows(data, file, ("QuestionNumber", "CorrectAnswer")))
    stem = os.path.splitext(os.path.basename(name))[0]
    match = _NAME.fullmatch(stem)
    model, trained_on, split = match.groups() if match else (stem, None, None)
    for column in found[0].cells if found else ():
        if seed := _OUTPUT.fullmatch(column):
            entries = tuple(_entry(row, column) for row in found)
            yield Run(entries, model, split, seed=int(seed[1]), trained_on=trained_on)


def _entry(row: Row, column: str) -> Entry:
    id = row.cells["QuestionNumber"].strip().removeprefix("Q")
    read = _INDEX.__getitem__
    return Entry(id, row.take(column, read), row.line, row.take("CorrectAnswer", read))
