"""Reads the records of a file with the format that its extension names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from .. import plugins
from ..errors import BadInput
from .location import Record, Records, file_extension

ALIASES = {"ndjson": "jsonl", "xml": "copa_xml"}
DELIMITED = ("csv", "tsv")


def known_extensions() -> list[str]:
    """Return the extensions of files that can be read."""
    formats = set(plugins.names("formats")) - {"hub", *ALIASES.values()}
    return sorted({*formats, "jsonl", *ALIASES})


def read_records(path: str, header: bool | None = True) -> Records:
    """Read the records of a file; `header`: whether the first line of a table names its columns.

    None means that it is assumed, but was not said.
    """
    extension, extensions = file_extension(path), known_extensions()
    if extension in ("gz", "bz2", "xz", "zst", "zip"):
        raise BadInput(path, "compressed files are not read: unpack it first")
    if extension not in extensions:
        raise BadInput(path, f"unknown kind of file; known: {', '.join(extensions)}")
    module = plugins.load_module("formats", ALIASES.get(extension, extension))
    if extension in DELIMITED:
        return cast(Iterator[tuple[int, Record]], module.records(path, header))
    if header is False:
        raise BadInput(path, "--no-header is only for CSV and TSV files")
    return cast(Iterator[tuple[int, Record]], module.records(path))
