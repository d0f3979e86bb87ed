"""Remembers files that hansproof wrote, so that a command can replace its own output.

A small hidden file beside them contains their sizes and digests. A file with another content was
changed by somebody, and a file that is not listed may be anybody's.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from .._infra import atomic_io
from ..errors import BadInput

RECORD_NAME = ".hansproof-written.json"


def write_recorded(path: str, content: bytes) -> None:
    """Write a file, and remember what was written."""
    import json

    atomic_io.write_file(path, content)
    record_path, name = _record_path(path)
    record = _read_record(record_path)
    # forget files that are gone, so that the record does not grow for ever
    folder = os.path.dirname(record_path)
    record = {k: v for k, v in record.items() if os.path.exists(os.path.join(folder, k))}
    record[name] = _describe(content)
    with suppress(BadInput):  # the file is written, and at worst it is protected
        atomic_io.write_file(record_path, json.dumps(record, indent=1).encode() + b"\n")


def is_unchanged(path: str) -> bool:
    """Tell whether hansproof wrote a file, and nobody has changed it since."""
    record_path, name = _record_path(path)
    entry = _read_record(record_path).get(name)
    try:
        if not isinstance(entry, dict) or entry.get("size") != os.path.getsize(path):
            return False
        with open(path, "rb") as file:
            return bool(entry == _describe(file.read()))
    except OSError:
        return False


def _record_path(path: str) -> tuple[str, str]:
    """Return the path of the record, and the name under which it lists a file."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(folder, RECORD_NAME), name


def _describe(content: bytes) -> dict[str, Any]:
    import hashlib

    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _read_record(path: str) -> dict[str, Any]:
    """Read a record; empty if there is none, or if it cannot be read."""
    import json

    try:
        with open(path, "rb") as file:
            record = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}
