"""The predictions published with Balanced COPA: the archive, or a CSV file out of it.

    QuestionNumber,SystemOutput_Seed0,SystemOutput_Seed1,CorrectAnswer
    Q501,2,1,1

Choices count from 1, every column of outputs is a run. A name such as
BERT_Original_COPA_DEV_predictions_test.csv consists of the model, the training set and the split,
and these models saw everything; any other name is the name of the model.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from ..errors import BadInput
from ..types import FULL
from ._csv_rows import CsvRow, read_rows
from ._log_run import LogEntry, LogRun
from ._unpack import read_members, read_unpacked, sample_content

_HEADER = b"QuestionNumber,SystemOutput_Seed"
_ARCHIVE = (".zip", ".tar", ".tar.bz2", ".tbz2", ".tar.gz", ".tgz", ".tar.xz", ".txz")
_NAME = re.compile(r"([^_]+)_(.+)_predictions_([a-z]+)")
_INDEX = {"1": 0, "2": 1}
_OUTPUTS: dict[str, int | str] = {**_INDEX, "": "", "-1": ""}  # an empty text is no answer
_OUTPUT = re.compile(r"SystemOutput_Seed(\d{1,9})")


def matches(path: str, head: bytes) -> bool:
    """Check whether the file, or one in the archive, has this header."""
    if not path.lower().endswith(_ARCHIVE):
        return head.removeprefix(b"\xef\xbb\xbf").startswith(_HEADER)
    try:
        return _HEADER in sample_content(path, ".csv")
    except BadInput:
        return False


def runs(path: str) -> Iterator[LogRun]:
    """Yield one run per seed and file."""
    if not path.lower().endswith(_ARCHIVE):
        yield from _table_runs(read_unpacked(path), path, path)
        return
    for name, content in read_members(path, ".csv"):
        if content.removeprefix(b"\xef\xbb\xbf").startswith(_HEADER):
            yield from _table_runs(content, name, f"{path}/{name}")


def _table_runs(data: bytes, name: str, file: str) -> Iterator[LogRun]:
    table_rows = list(read_rows(data, file, ("QuestionNumber", "CorrectAnswer")))
    stem = os.path.splitext(os.path.basename(name))[0]
    match = _NAME.fullmatch(stem)
    model, trained_on, split = match.groups() if match else (stem, None, None)
    view = FULL if match else None
    for column in table_rows[0].cells if table_rows else ():
        if seed := _OUTPUT.fullmatch(column):
            entries = tuple(_parse_entry(row, column) for row in table_rows)
            yield LogRun(entries, model, split, view, int(seed[1]), trained_on)


def _parse_entry(row: CsvRow, column: str) -> LogEntry:
    id = row.cells["QuestionNumber"].strip().removeprefix("Q")
    return LogEntry(
        id,
        row.parse_cell(column, _OUTPUTS.__getitem__),
        row.line,
        row.parse_cell("CorrectAnswer", _INDEX.__getitem__),
    )
