"""Tab-separated values with a header; cells may be quoted as in CSV."""

from __future__ import annotations

from ..records.location import Records
from ._delimited import read_delimited as _delimited


def records(path: str) -> Records:
    """One record per row."""
    return _delimited(path, "\t")
