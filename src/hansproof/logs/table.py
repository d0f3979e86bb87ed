"""Tables of any tool: CSV, TSV, JSON or JSON lines with an id and a choice or scores.

    id,choice,seed
    501,A,0

Choices are letters, texts, or numbers from 0 or 1, in the same way throughout the file. An empty
cell or -1 means no answer, and a column no_answer may state why. Any other text also counts as no
answer if at least half of a run is readable. Scores are in a list or in columns such as prob0,
prob1. Columns for model, split, view, seed and run divide the table into runs. A column such as
gold is checked against the benchmark.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from ..errors import BadInput
from ..predictions.lines import check_reason
from ..records.by_content import read_records
from ..records.choice_cells import cell_text
from ..records.location import Location, Record, file_extension, is_number, truncate, type_name
from ..records.msgspec_json import decode_json
from ..records.prediction_columns import (
    AMBIGUOUS_NAMES,
    CHOICE_NAMES,
    ID_NAMES,
    PredictionColumns,
    detect_columns,
    find_first,
    find_score_columns,
)
from ..types import NoAnswer, Params
from ._log_run import LogEntry, LogRun
from ._sniff import decode_head, file_stem

_JSON = ("json", "jsonl", "ndjson")
_KEY = re.compile(r'"(\w+)"\s*:')
_FLAGS = {"", "0", "1", "true", "false"}
_MISSING = {"", "nan", "none", "null"}

TableRecords = Sequence[tuple[Location, Record]]


def matches(path: str, head: bytes) -> bool:
    """Check whether there is a column for the id, and one for a choice or scores."""
    head_text = decode_head(head)
    if file_extension(path) in ("csv", "tsv"):
        header = head_text.lstrip().partition("\n")[0]
        columns = [name.strip('" \r') for name in re.split("[,\t]", header)]
    elif file_extension(path) in _JSON:
        columns = _KEY.findall(head_text)
    else:
        return False
    answer_columns = find_first(columns, (*CHOICE_NAMES, *AMBIGUOUS_NAMES)) or find_score_columns(
        columns
    )
    return find_first(columns, ID_NAMES) is not None and bool(answer_columns)


def runs(path: str) -> Iterator[LogRun]:
    """Yield one run per model, split, view, seed and run in the columns."""
    if file_extension(path) not in (*_JSON, "csv", "tsv"):
        raise BadInput(path, "unknown table format; supported: csv, tsv, json, jsonl")
    rows = [(Location(path, line), record) for line, record in read_records(path)]
    if not rows:
        raise BadInput(path, "contains no rows")
    columns = detect_columns(
        list(dict.fromkeys(name for _, record in rows for name in record)), path
    )
    gold_column = None if _is_correctness_flag(rows, columns.gold) else columns.gold
    entries_by_run: dict[tuple[str, ...], list[LogEntry]] = {}
    for location, record in rows:
        entry = _parse_entry(location, record, columns, gold_column)
        entries_by_run.setdefault(_run_key(location, record, columns), []).append(entry)
    for key, entries in entries_by_run.items():
        yield _build_run(key, tuple(entries), path)


def _parse_entry(
    location: Location, record: Record, columns: PredictionColumns, gold_column: str | None
) -> LogEntry:
    id = location.require_name(record.get(columns.id), columns.id)
    answer = cell_text(record.get(gold_column), gold_column, location) if gold_column else None
    choice = (
        cell_text(record.get(columns.choice), columns.choice, location) if columns.choice else ""
    )
    reason = _parse_reason(location, record, columns.no_answer)
    if not columns.scores:
        return LogEntry(id, choice, location.line, answer, no_answer=reason)
    score_values = _parse_scores(location, record, columns.scores)
    return LogEntry(id, score_values, location.line, answer, picked=choice, no_answer=reason)


def _parse_reason(location: Location, record: Record, column: str | None) -> NoAnswer | None:
    text = cell_text(record.get(column), column, location) if column else ""
    return check_reason(text, location.file, location.line) if text else None


def _parse_scores(
    location: Location, record: Record, columns: tuple[str, ...]
) -> tuple[float, ...]:
    if len(columns) > 1:  # the item has fewer choices if the last cells are empty
        cells = [record.get(column) for column in columns]
        if all(map(_is_missing, cells)):
            return ()
        while cells and cells[-1] in (None, ""):
            cells.pop()
        return tuple(
            _parse_number(value, name, location)
            for value, name in zip(cells, columns, strict=False)
        )
    value = record.get(columns[0])
    if _is_missing(value):
        return ()
    if isinstance(value, str):  # tables of text contain lists as JSON
        value = decode_json(value, object, location.file, location.line)
    if not isinstance(value, list):
        raise location.error(columns[0], f"is {type_name(value)}, not a list of scores")
    if all(map(_is_missing, value)):
        return ()
    return tuple(_parse_number(score, columns[0], location) for score in value)


def _is_missing(value: object) -> bool:
    """Check whether a cell contains no score; the text of a NaN is `nan`."""
    return value is None or str(value).strip().lower() in _MISSING


def _parse_number(value: object, column: str, location: Location) -> float:
    try:
        if isinstance(value, str) or is_number(value):
            return float(value)
    except (ValueError, OverflowError):
        raise location.error(column, f"{truncate(str(value))!r} is not a number") from None
    if value != value:
        return math.nan
    raise location.error(column, f"is {type_name(value)}, not a number")


def _is_correctness_flag(rows: TableRecords, gold_column: str | None) -> bool:
    """Check whether `correct` tells if the answer was right, instead of the right choice."""
    if gold_column is None or gold_column.lower() != "correct":
        return False
    return all(str(record.get(gold_column, "")).strip().lower() in _FLAGS for _, record in rows)


def _run_key(location: Location, record: Record, columns: PredictionColumns) -> tuple[str, ...]:
    names = (columns.model, columns.split, columns.view, columns.seed, columns.run)
    return tuple(cell_text(record.get(name), name, location) if name else "" for name in names)


def _build_run(key: tuple[str, ...], entries: tuple[LogEntry, ...], path: str) -> LogRun:
    model, split, view, seed, run = key
    params: Params = {}
    number = _parse_whole_number(seed or run)
    if seed and number is None:
        message = f"{truncate(seed)!r} is not a whole number"
        raise BadInput(path, message, line=entries[0].line, field="seed")
    if run and (seed or number is None):
        params = {"run": run}
    return LogRun(
        entries, model or file_stem(path), split or None, view or None, number, params=params
    )


def _parse_whole_number(text: str) -> int | None:
    return int(text.removesuffix(".0")) if re.fullmatch(r"-?\d{1,18}(\.0)?", text) else None
