"""Reads tables of accuracies by seed: one row per run, one column per split.

    run_no,seed,train,dev,test
    1,5514,1.0,0.69,0.71

The model is named in a column, by the folder of a file called accs.csv, or by the file.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .._infra.atomic_io import expand_paths
from ..errors import BadInput
from ..records.by_content import read_records
from ..records.location import Location, Record, file_extension, is_number, truncate

_NOT_SPLITS = ("run", "run_no", "seed", "train", "model", "")
_EMPTY = (None, "")
_TABLES = ("csv", "tsv", "json", "jsonl", "ndjson")


@dataclass(frozen=True, slots=True)
class SeedAccuracy:
    """The accuracies of one run."""

    model: str
    seed: int | None
    train: float | None  # NaN if training diverged
    accuracy: dict[str, float]  # share of right answers by split


def read_accuracies(patterns: Sequence[str]) -> tuple[SeedAccuracy, ...]:
    """Read every row of the files that match the patterns (`*` and `**` are wildcards)."""
    paths = dict.fromkeys(path for pattern in patterns for path in expand_paths(pattern))
    return tuple(row for path in paths for row in _read_rows(path))


def _read_rows(path: str) -> Iterator[SeedAccuracy]:
    if file_extension(path) not in _TABLES:
        raise BadInput(path, f"unknown table format; supported: {', '.join(_TABLES)}")
    rows = [
        _parse_row(Location(path, line), record, _model_from_path(path))
        for line, record in read_records(path)
    ]
    if not any(row.accuracy for row in rows):
        raise BadInput(path, "contains no accuracies")
    yield from rows


def _parse_row(location: Location, record: Record, default_model: str) -> SeedAccuracy:
    columns = {column.strip().lower(): column for column in record}
    model, train = columns.get("model"), columns.get("train")
    splits = {split: column for split, column in columns.items() if split not in _NOT_SPLITS}
    if not splits:
        raise location.error(None, "has no column with the accuracy on a split, such as test")
    return SeedAccuracy(
        location.require_name(record[model], model) if model else default_model,
        _parse_seed(location, record, columns.get("seed")),
        _parse_share(location, record, train, allow_nan=True)
        if train and record[train] not in _EMPTY
        else None,
        {
            column.strip(): _parse_share(location, record, column)
            for column in splits.values()
            if record[column] not in _EMPTY
        },
    )


def _parse_seed(location: Location, record: Record, column: str | None) -> int | None:
    value = record[column] if column else None
    if value in _EMPTY:
        return None
    number = _parse_number(value)
    if number is None or not number.is_integer():
        raise location.error(column, f"{truncate(str(value))!r} is not a whole number")
    return int(number)


def _parse_share(location: Location, record: Record, column: str, allow_nan: bool = False) -> float:
    number = _parse_number(record[column])
    if number is None:
        raise location.error(column, f"{truncate(str(record[column]))!r} is not a number")
    if not (0 <= number <= 1 or (allow_nan and math.isnan(number))):
        raise location.error(column, f"{number:g} is not between 0 and 1")
    return number


def _parse_number(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, str) or is_number(value) else None
    except (ValueError, OverflowError):
        return None


def _model_from_path(path: str) -> str:
    folder, file = os.path.split(os.path.abspath(path))
    stem = os.path.splitext(file)[0]
    return os.path.basename(folder) or stem if stem == "accs" else stem
