"""Tables of anybody's: CSV, TSV, JSON or JSON lines with an id and a choice or scores.

    id,choice,seed
    501,A,0

Choices are letters, texts, or numbers from 0 or 1, the same way in all of the file. Scores stand
in a list or in columns such as prob0, prob1. Columns for model, split, view, seed and run make
runs of their own, a column such as gold is held against the benchmark.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence

from ..errors import BadInput
from ..formats._decode import decode
from ..formats._open import records
from ..formats._record import Record, Where, is_number, kind, shown, suffix
from ..types import Params
from ._columns import EITHER, ID, SAID, Layout, first, layout, scores
from ._head import text
from ._picks import cell
from ._run import Entry, Run

_JSON = ("json", "jsonl", "ndjson")
_KEY = re.compile(r'"(\w+)"\s*:')
_FLAGS = {"", "0", "1", "true", "false"}
_UNNAMED = ("predictions", "preds", "answers")  # such a file is known by its folder

Rows = Sequence[tuple[Where, Record]]


def matches(path: str, head: bytes) -> bool:
    """Whether there is a column for the id, and one for a choice or scores."""
    start = text(head)
    if suffix(path) in ("csv", "tsv"):
        header = start.lstrip().partition("\n")[0]
        columns = [name.strip('" \r') for name in re.split("[,\t]", header)]
    elif suffix(path) in _JSON:
        columns = _KEY.findall(start)
    else:
        return False
    said = first(columns, (*SAID, *EITHER)) or scores(columns)
    return first(columns, ID) is not None and bool(said)


def runs(path: str) -> Iterator[Run]:
    """One run for each model, split, view, seed and run that the columns name."""
    if suffix(path) not in (*_JSON, "csv", "tsv"):
        raise BadInput(path, "unknown kind of table; known: csv, tsv, json, jsonl")
    rows = [(Where(path, line), record) for line, record in records(path)]
    if not rows:
        raise BadInput(path, "holds no rows")
    columns = layout(list(dict.fromkeys(name for _, record in rows for name in record)), path)
    right = None if _flags(rows, columns.right) else columns.right
    found: dict[tuple[str, ...], list[Entry]] = {}
    for where, record in rows:
        entry = _entry(where, record, columns, right)
        found.setdefault(_key(where, record, columns), []).append(entry)
    for key, entries in found.items():
        yield _run(key, tuple(entries), path)


def _entry(where: Where, record: Record, columns: Layout, right: str | None) -> Entry:
    id = where.name(record.get(columns.id), columns.id)
    answer = cell(record.get(right), right, where) if right else None
    said = cell(record.get(columns.said), columns.said, where) if columns.said else ""
    if not columns.scores:
        return Entry(id, said, where.line, answer)
    found = _scores(where, record, columns.scores)
    return Entry(id, found, where.line, answer, picked=said)


def _scores(where: Where, record: Record, columns: tuple[str, ...]) -> tuple[float, ...]:
    if len(columns) > 1:  # empty cells at the end are choices that this item does not have
        cells = [record.get(column) for column in columns]
        while cells and cells[-1] in (None, ""):
            cells.pop()
        return tuple(
            _number(value, name, where) for value, name in zip(cells, columns, strict=False)
        )
    value = record.get(columns[0])
    if isinstance(value, str):  # a table of text holds a list as JSON
        value = decode(value, object, where.file, where.line)
    if not isinstance(value, list):
        raise where.bad(columns[0], f"is {kind(value)}, not a list of scores")
    return tuple(_number(score, columns[0], where) for score in value)


def _number(value: object, column: str, where: Where) -> float:
    try:
        if isinstance(value, str) or is_number(value):
            return float(value)
    except (ValueError, OverflowError):
        raise where.bad(column, f"{shown(str(value))!r} is not a number") from None
    if value != value:
        return math.nan
    raise where.bad(column, f"is {kind(value)}, not a number")


def _flags(rows: Rows, right: str | None) -> bool:
    """Whether `correct` only says that the choice was right, not which one is."""
    if right is None or right.lower() != "correct":
        return False
    return all(str(record.get(right, "")).strip().lower() in _FLAGS for _, record in rows)


def _key(where: Where, record: Record, columns: Layout) -> tuple[str, ...]:
    names = (columns.model, columns.split, columns.view, columns.seed, columns.run)
    return tuple(cell(record.get(name), name, where) if name else "" for name in names)


def _run(key: tuple[str, ...], entries: tuple[Entry, ...], path: str) -> Run:
    model, split, view, seed, run = key
    params: Params = {}
    number = _whole(seed or run)
    if seed and number is None:
        what = f"{shown(seed)!r} is not a whole number"
        raise BadInput(path, what, line=entries[0].line, field="seed")
    if run and (seed or number is None):
        params = {"run": run}
    return Run(entries, model or _named(path), split or None, view or None, number, params=params)


def _whole(text: str) -> int | None:
    return int(text.removesuffix(".0")) if re.fullmatch(r"-?\d{1,18}(\.0)?", text) else None


def _named(path: str) -> str:
    """The name of the file, or of its folder where the file has none of its own."""
    folder, name = os.path.split(os.path.abspath(path))
    stem = os.path.splitext(name)[0]
    return os.path.basename(folder) or stem if stem in _UNNAMED else stem
