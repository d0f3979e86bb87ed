"""Accuracies by seed, as tables record them: one row per run, one column per split.

    run_no,seed,train,dev,test
    1,5514,1.0,0.69,0.71

The model is named in a column, by the folder of a file called accs.csv, or by the file.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .errors import BadInput
from .files import matching
from .formats._open import records
from .formats._record import Record, Where, is_number, shown, suffix

_NOT_SPLITS = ("run", "run_no", "seed", "train", "model", "")
_NONE = (None, "")
_TABLES = ("csv", "tsv", "json", "jsonl", "ndjson")


@dataclass(frozen=True, slots=True)
class SeedAccuracy:
    """How one run did."""

    model: str
    seed: int | None
    train: float | None  # NaN where training fell apart
    accuracy: dict[str, float]  # share right by split


def read(patterns: Sequence[str]) -> tuple[SeedAccuracy, ...]:
    """Every row of the files that the patterns mean (`*` and `**` are wildcards)."""
    paths = dict.fromkeys(path for pattern in patterns for path in matching(pattern))
    return tuple(row for path in paths for row in _rows(path))


def _rows(path: str) -> Iterator[SeedAccuracy]:
    if suffix(path) not in _TABLES:
        raise BadInput(path, f"unknown kind of table; known: {', '.join(_TABLES)}")
    found = [_row(Where(path, line), record, _named(path)) for line, record in records(path)]
    if not any(row.accuracy for row in found):
        raise BadInput(path, "holds no accuracies")
    yield from found


def _row(where: Where, record: Record, name: str) -> SeedAccuracy:
    columns = {column.strip().lower(): column for column in record}
    model, train = columns.get("model"), columns.get("train")
    splits = {split: column for split, column in columns.items() if split not in _NOT_SPLITS}
    if not splits:
        raise where.bad(None, "no column for the accuracy on any split, such as test")
    return SeedAccuracy(
        where.name(record[model], model) if model else name,
        _seed(where, record, columns.get("seed")),
        _share(where, record, train, nan=True) if train and record[train] not in _NONE else None,
        {
            column.strip(): _share(where, record, column)
            for column in splits.values()
            if record[column] not in _NONE
        },
    )


def _seed(where: Where, record: Record, column: str | None) -> int | None:
    value = record[column] if column else None
    if value in _NONE:
        return None
    number = _number(value)
    if number is None or not number.is_integer():
        raise where.bad(column, f"{shown(str(value))!r} is not a whole number")
    return int(number)


def _share(where: Where, record: Record, column: str, nan: bool = False) -> float:
    number = _number(record[column])
    if number is None:
        raise where.bad(column, f"{shown(str(record[column]))!r} is not a number")
    if not (0 <= number <= 1 or (nan and math.isnan(number))):
        raise where.bad(column, f"{number:g} is not a share from 0 to 1")
    return number


def _number(value: object) -> float | None:
    try:
        return float(value) if isinstance(value, str) or is_number(value) else None
    except (ValueError, OverflowError):
        return None


def _named(path: str) -> str:
    folder, file = os.path.split(os.path.abspath(path))
    stem = os.path.splitext(file)[0]
    return os.path.basename(folder) or stem if stem == "accs" else stem
