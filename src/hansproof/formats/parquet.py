"""Parquet tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._infra.atomic_io import atomic_write
from ..errors import BadInput, MissingExtra
from ..records.lines import require_regular_file
from ..records.location import Records


def records(path: str) -> Records:
    """Yield one record per row, numbered from 1."""
    arrow, parquet = _import_arrow(path)
    require_regular_file(path)
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=4096):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except FileNotFoundError:
        raise BadInput(path, "no such file") from None
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        message = str(error).splitlines()[0]
        raise BadInput(path, f"broken Parquet: {message}", line=number or None) from None


def write_columns(path: str, columns: Mapping[str, Sequence[object]]) -> None:
    """Write a table atomically."""
    arrow, parquet = _import_arrow(path)
    with atomic_write(path) as file:
        table = arrow.table(dict(columns)).replace_schema_metadata({"generator": "hansproof"})
        parquet.write_table(table, file)


def _import_arrow(path: str) -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("parquet", path) from None
    return pyarrow, pyarrow.parquet
