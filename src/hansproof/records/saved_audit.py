"""Recognises saved audits, which are JSON files with quoted items but are not benchmarks."""

from __future__ import annotations

import os

from ..errors import BadInput

FILE_NAME = "audit.json"
HEAD_SIZE = 4096  # bytes in which a saved audit names its schema


def find_saved_audit(source: str) -> str | None:
    """Return the path of a saved audit: `source`, or `audit.json` in that folder."""
    paths = (path for path in (source, os.path.join(source, FILE_NAME)) if is_saved_audit(path))
    return next(paths, None)


def find_audit_file(source: str) -> str | None:
    """Return the path of a file that is called `audit.json`, whatever it contains."""
    path = os.path.join(source, FILE_NAME) if os.path.isdir(source) else source
    return path if os.path.basename(path) == FILE_NAME and os.path.isfile(path) else None


def is_saved_audit(path: str) -> bool:
    """Tell whether a file is a saved audit; any other JSON file is a benchmark."""
    if not path.endswith(".json") or not os.path.isfile(path):
        return False
    import msgspec

    try:
        with open(path, "rb") as file:
            head = file.read(HEAD_SIZE)
            if b'"schema"' not in head:
                return False
            document = msgspec.json.decode(head + file.read(), type=dict[str, msgspec.Raw])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False  # reading it as a benchmark reports the error
    return "schema" in document and "results" in document


def refuse_saved_audit(path: str) -> None:
    """Raise BadInput if a file is a saved audit: its few quoted items are not the benchmark."""
    if is_saved_audit(path):
        raise BadInput(
            path,
            "is a saved audit, not a benchmark: `hansproof report` makes its page, and "
            "hansproof.Audit.load reads it in Python",
        )
