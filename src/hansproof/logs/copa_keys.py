"""COPA answer keys: id, then 1 for the choice and 0 for the others.

    501 1 0
    502 0 1

The model is named after the file; several 1s in a line are a tie, none is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import BadInput
from ..records.lines import iter_lines
from ._log_run import LogEntry, LogRun
from ._sniff import complete_lines, file_stem

_LINE = re.compile(r"\s*(\d{1,9})((?:[ \t]+[01]){2,})\s*")


def matches(path: str, head: bytes) -> bool:
    """Check whether every line has this form."""
    first_lines = complete_lines(head)
    return bool(first_lines) and all(map(_LINE.fullmatch, first_lines))


def runs(path: str) -> Iterator[LogRun]:
    """Yield the only run of the file."""
    entries = tuple(
        _parse_entry(text, path, line) for line, text in iter_lines(path) if text.strip()
    )
    yield LogRun(entries, model=file_stem(path))


def _parse_entry(text: str, path: str, line: int) -> LogEntry:
    match = _LINE.fullmatch(text)
    if not match:
        raise BadInput(path, "is not an id followed by 0 or 1 for every choice", line=line)
    scores = tuple(map(float, match[2].split()))
    return LogEntry(match[1], scores if any(scores) else "", line)
