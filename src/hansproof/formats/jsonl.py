"""JSON lines: one object per line."""

from __future__ import annotations

from ._decode import record
from ._lines import lines
from ._record import Records


def records(path: str) -> Records:
    """One record per line; blank lines are passed over."""
    for number, text in lines(path):
        if text.strip():
            yield number, record(text, path, number)
