"""Data sets of the hub, read as a stream: hf:org/name[/config][:split], or hf:./folder."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import MissingExtra, first_line
from ..formats.hub import PREFIX, parts
from .sources import Source
from .text import End, Problem, Text, Torn

SPLIT = "train"


def read(source: Source, field: str) -> Iterator[Text | Problem | End]:
    """The rows of a split; nothing is kept on the disk."""
    try:
        import datasets
    except ImportError:
        raise MissingExtra("hub", f"reading {source.address}") from None
    name, _, split = source.address.removeprefix(PREFIX).partition(":")
    path, config = parts(name)
    number = 0
    try:
        rows = datasets.load_dataset(path, config, split=split or SPLIT, streaming=True)
        for number, row in enumerate(rows, start=1):
            value = row.get(field)
            if isinstance(value, str):
                yield Text(number, value.encode("utf-8", "replace"), at=number)
            else:
                what = f"rows whose field {field!r} is no text, passed over"
                yield Problem(what, number, 1, "rows")
    except (OSError, ValueError, RuntimeError, datasets.exceptions.DatasetsError) as error:
        raise Torn(f"cannot be read on: {first_line(error)}", number + 1, of="rows") from None
    yield End(number)
