"""Tab-separated values with a header; cells may be quoted as in CSV."""

from __future__ import annotations

from ..records.location import Records
from ._delimited import read_delimited


def records(path: str) -> Records:
    """Yield one record per row."""
    return read_delimited(path, "\t")
