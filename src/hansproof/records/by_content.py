"""Recognises what kind of file contains items: by its extension, or else by its first lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import cast

import msgspec

from .. import plugins
from ..errors import BadInput
from .delimiters import detect_delimiter
from .lines import iter_lines
from .location import Record, Records, file_extension

ALIASES = {"ndjson": "jsonl", "xml": "copa_xml", "xlsm": "xlsx"}
DELIMITED = ("csv", "tsv")
TABLES = (*DELIMITED, "xlsx")  # formats that may have a header
TEXT_KINDS = ("csv", "tsv", "json", "jsonl", "ndjson")  # whose content may be of another kind
COMPRESSED = ("gz", "bz2", "xz", "zst", "zip")
HEAD_LINES = 200

_AIKEN = re.compile(r"ANSWER:\s*[A-Z]\s*")
_GIFT = re.compile(r"(?<!\\)\{[^{}]*[=~]|^::.*::", re.DOTALL | re.MULTILINE)


@cache
def known_extensions() -> tuple[str, ...]:
    """Return the extensions of files that can be read."""
    formats = set(plugins.names("formats")) - {"hub", "aiken", "copa_xml"}
    return tuple(sorted({*formats, *ALIASES, "txt"}))


def is_item_file(path: str) -> bool:
    """Tell whether a file in a folder is of a kind that may contain items."""
    extension = file_extension(path)
    if extension == "txt":
        try:
            return detect_format(path) is not None
        except BadInput:
            return False
    return extension in known_extensions()


def read_records(path: str, header: bool | None = True) -> Records:
    """Read the records of a file; `header`: whether the first line of a table names its columns.

    None means that the first rows decide.
    """
    extension = file_extension(path)
    if extension in COMPRESSED:
        raise BadInput(path, "is compressed: unpack it first")
    format_name = detect_format(path)
    if format_name is None:
        message = f"unknown file format; supported: {', '.join(known_extensions())}"
        if extension in known_extensions():
            message = "is neither a table, nor JSON, nor a quiz in the formats Aiken or GIFT"
        raise BadInput(path, message)
    module = plugins.load_module("formats", format_name)
    if format_name in TABLES:
        return cast(Iterator[tuple[int, Record]], module.records(path, header))
    if header is False:
        raise BadInput(path, "--no-header applies only to tables (CSV, TSV)")
    return cast(Iterator[tuple[int, Record]], module.records(path))


def detect_format(path: str) -> str | None:
    """Return the format of a file, or None if neither its name nor its content tells."""
    extension = file_extension(path)
    if extension in known_extensions() and extension not in (*TEXT_KINDS, "txt"):
        return ALIASES.get(extension, extension)
    head = [text for _, text in islice(iter_lines(path), HEAD_LINES)]
    json_format = _detect_json([line for line in head if line.strip()], extension)
    if json_format or extension in TEXT_KINDS:
        return json_format or ALIASES.get(extension, extension)
    if any(_AIKEN.fullmatch(line) for line in head):
        return "aiken"
    if _GIFT.search("".join(head)):
        return "gift"
    return "csv" if extension in ("txt", "") and _has_columns(head) else None


def _detect_json(lines: list[str], extension: str) -> str | None:
    """Tell JSON lines from one document: in JSON lines, the first line is a whole object."""
    if not lines or not lines[0].lstrip().startswith(("{", "[")):
        return None
    if lines[0].strip() in ("{", "["):  # a document over many lines
        return "json"
    try:
        value = msgspec.json.decode(lines[0])
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None
    has_lines = len(lines) > 1 or extension in ("jsonl", "ndjson")
    return "jsonl" if isinstance(value, dict) and has_lines else "json"


def _has_columns(lines: list[str]) -> bool:
    delimiter = detect_delimiter(lines[:-1] or lines)
    counts = {line.count(delimiter) for line in lines if line.strip()}
    return len(counts) == 1 and min(counts) > 1
