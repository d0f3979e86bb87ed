"""Datasets of the hub, read as a stream: hf:org/name[/config][:split], or hf:./folder."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import MissingExtra, first_line
from ...formats.hub import PREFIX, parse_name
from ..chunks import EndOfSource, ReadIssue, TextChunk, UnreadableSource
from ..sources import CorpusSource

DEFAULT_SPLIT = "train"


def read_documents(
    source: CorpusSource, start: int, end: int | None, field: str
) -> Iterator[TextChunk | ReadIssue | EndOfSource]:
    """Yield the rows of a split, without saving them on disk."""
    try:
        import datasets
    except ImportError:
        raise MissingExtra("hub", f"reading {source.address}") from None
    name, _, split = source.address.removeprefix(PREFIX).partition(":")
    path, config = parse_name(name)
    number = 0
    try:
        rows = datasets.load_dataset(path, config, split=split or DEFAULT_SPLIT, streaming=True)
        for number, row in enumerate(rows, start=1):
            value = row.get(field)
            if isinstance(value, str):
                yield TextChunk(number, value.encode("utf-8", "replace"), bytes_read=number)
            else:
                message = f"skipped rows whose field {field!r} is not text"
                yield ReadIssue(message, number, 1, "rows")
    except (OSError, ValueError, RuntimeError, datasets.exceptions.DatasetsError) as error:
        raise UnreadableSource(
            f"cannot be read further: {first_line(error)}", number + 1, unit_name="rows"
        ) from None
    yield EndOfSource(number)
