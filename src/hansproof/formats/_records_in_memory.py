"""Reads items from objects of Python: a list of dicts, a DataFrame, or a `datasets.Dataset`."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import BadInput
from ..records.column_mapping import ColumnMapping
from ..records.location import Location, Record
from ..types import UNNAMED_SPLIT
from ._build_items import SplitItems, build_splits
from ._parse_file import FileRecords, parse_file
from ._read_sources import divide_rows, read_file
from .hub import find_class_columns

Rows = list[tuple[Location, Record]]


def read_objects(data: Any, mapping: ColumnMapping) -> SplitItems:
    """Read the items of a data object; a mapping of objects or paths has one for each split."""
    splits = data if isinstance(data, Mapping) else {UNNAMED_SPLIT: data}
    files = []
    for split, table in splits.items():
        if isinstance(table, str):
            records = read_file(table, os.path.basename(table), str(split), mapping)
            files += divide_rows(records, mapping.split_by)
            continue
        rows = _list_rows(table)
        label = type(table).__name__
        located: Rows = [(Location(label, i), row) for i, row in enumerate(rows, 1)]
        records = FileRecords(label, label, str(split), located, find_class_columns(table))
        files += divide_rows(records, mapping.split_by)
    return build_splits([parse_file(file, mapping) for file in files])


def _list_rows(table: Any) -> list[Record]:
    """Return the rows of a table as dicts of plain values."""
    if hasattr(table, "to_dicts"):  # polars
        rows: Iterable[Any] = table.to_dicts()
    elif hasattr(table, "iterrows") and hasattr(table, "to_dict"):  # pandas
        rows = _index_as_columns(table).to_dict("records")
    elif hasattr(table, "to_pylist"):  # pyarrow
        rows = table.to_pylist()
    else:
        rows = table  # a list of dicts, or a Dataset
    records = []
    for row in rows:
        if not isinstance(row, Mapping):
            message = f"a row is {type(row).__name__}, not a dict from column to value"
            raise BadInput(type(table).__name__, message)
        records.append({str(name): _plain_value(value) for name, value in row.items()})
    return _number_columns(records)


def _index_as_columns(frame: Any) -> Any:
    """Turn the named levels of a pandas index into columns: they often are the ids of items."""
    names = [n for n in frame.index.names if n is not None and n not in frame.columns]
    return frame.reset_index(level=names) if names else frame


def _number_columns(records: list[Record]) -> list[Record]:
    """Number columns without names from 1, as those of files without a header are."""
    if not records or list(records[0]) != [str(i) for i in range(len(records[0]))]:
        return records
    return [{str(i): value for i, value in enumerate(record.values(), 1)} for record in records]


def _plain_value(value: Any) -> object:
    """Convert values of NumPy to those of Python; a missing value becomes None."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, tuple):
        value = list(value)
    is_missing = (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in (
        "NAType",
        "NaTType",
    )
    return None if is_missing else value
