"""Tab-separated values with a header; cells may be quoted as in CSV."""

from __future__ import annotations

from ._delimited import records as _delimited
from ._record import Records


def records(path: str) -> Records:
    """One record per row."""
    return _delimited(path, "\t")
