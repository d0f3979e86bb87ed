"""Parquet: each row is a document, with its text in one column."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import MissingExtra, first_line
from ..chunks import EndOfSource, ReadIssue, TextChunk, UnreadableSource
from ..sources import CorpusSource, has_changed, open_source
from ..stream import CHANGED

BATCH_ROWS = 256  # read at a time


def read_documents(
    source: CorpusSource, start: int, end: int | None, field: str
) -> Iterator[TextChunk | ReadIssue | EndOfSource]:
    """Yield the rows of a file."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("parquet", f"reading {source.address}") from None
    number = 0
    try:
        with open_source(source) as raw, parquet.ParquetFile(raw, pre_buffer=False) as file:
            if field not in file.schema_arrow.names:
                raise UnreadableSource(
                    f"has no column {field!r}", 1, file.metadata.num_rows, "rows"
                )
            n_rows = max(1, file.metadata.num_rows)
            for batch in file.iter_batches(BATCH_ROWS, columns=[field], use_threads=False):
                bytes_read = (source.size or 0) * number // n_rows
                for value in batch.column(0).to_pylist():
                    number += 1
                    if isinstance(value, str):
                        yield TextChunk(
                            number, value.encode("utf-8", "replace"), bytes_read=bytes_read
                        )
                    else:
                        message = f"skipped rows whose column {field!r} is not text"
                        yield ReadIssue(message, number, 1, "rows")
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise UnreadableSource(
            f"cannot be read further: {first_line(error)}", number + 1, unit_name="rows"
        ) from None
    if has_changed(source):
        raise UnreadableSource(CHANGED, unit_name="rows")
    yield EndOfSource(number)
