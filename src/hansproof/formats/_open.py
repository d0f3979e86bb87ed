"""A file's ending says its format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from .. import plugins
from ..errors import BadInput
from ._record import Records, suffix

ALIASES = {"ndjson": "jsonl", "xml": "copa_xml"}


def known() -> list[str]:
    """The endings that can be read."""
    formats = set(plugins.names("formats")) - {"hub", *ALIASES.values()}
    return sorted({*formats, "jsonl", *ALIASES})


def records(path: str) -> Records:
    """The records of a file."""
    ending, endings = suffix(path), known()
    if ending in ("gz", "bz2", "xz", "zst", "zip"):
        raise BadInput(path, "compressed files are not read: unpack it first")
    if ending not in endings:
        raise BadInput(path, f"unknown kind of file; known: {', '.join(endings)}")
    found = plugins.module("formats", ALIASES.get(ending, ending)).records(path)
    return cast(Iterator[tuple[int, dict[str, object]]], found)
