"""Parquet tables."""

from __future__ import annotations

from ..errors import BadInput, MissingExtra
from ._record import Records


def records(path: str) -> Records:
    """One record per row, numbered from 1."""
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("parquet", f"reading {path}") from None
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
        what = str(error).splitlines()[0]
        raise BadInput(path, f"broken Parquet: {what}", line=number or None) from None
