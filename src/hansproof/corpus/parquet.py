"""Parquet: every row is a document, its text stands in one column."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import MissingExtra, first_line
from .sources import Source, changed, opened
from .stream import CHANGED
from .text import End, Problem, Text, Torn

ROWS = 256  # read at a time


def read(source: Source, field: str) -> Iterator[Text | Problem | End]:
    """The rows of a file."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("parquet", f"reading {source.address}") from None
    number = 0
    try:
        with opened(source) as raw, parquet.ParquetFile(raw, pre_buffer=False) as file:
            if field not in file.schema_arrow.names:
                raise Torn(f"has no column {field!r}", 1, file.metadata.num_rows, "rows")
            rows = max(1, file.metadata.num_rows)
            for batch in file.iter_batches(ROWS, columns=[field], use_threads=False):
                at = (source.size or 0) * number // rows
                for value in batch.column(0).to_pylist():
                    number += 1
                    if isinstance(value, str):
                        yield Text(number, value.encode("utf-8", "replace"), at=at)
                    else:
                        what = f"rows whose column {field!r} is no text, passed over"
                        yield Problem(what, number, 1, "rows")
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise Torn(f"cannot be read on: {first_line(error)}", number + 1, of="rows") from None
    if changed(source):
        raise Torn(CHANGED, of="rows")
    yield End(number)
