"""Reads the records of a file with the format that its extension names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from .. import plugins
from ..errors import BadInput
from .location import Records, file_extension

ALIASES = {"ndjson": "jsonl", "xml": "copa_xml"}


def known_extensions() -> list[str]:
    """Return the extensions of files that can be read."""
    formats = set(plugins.names("formats")) - {"hub", *ALIASES.values()}
    return sorted({*formats, "jsonl", *ALIASES})


def read_records(path: str) -> Records:
    """Read the records of a file."""
    extension, extensions = file_extension(path), known_extensions()
    if extension in ("gz", "bz2", "xz", "zst", "zip"):
        raise BadInput(path, "compressed files are not read: unpack it first")
    if extension not in extensions:
        raise BadInput(path, f"unknown kind of file; known: {', '.join(extensions)}")
    rows = plugins.load_module("formats", ALIASES.get(extension, extension)).records(path)
    return cast(Iterator[tuple[int, dict[str, object]]], rows)
