"""Tab-separated values; cells may be quoted as in CSV."""

from __future__ import annotations

from ..records.location import Records
from ._delimited import read_delimited


def records(path: str, header: bool | None = True) -> Records:
    """Yield one record per row; without a header, columns are called 1, 2, 3, ..."""
    return read_delimited(path, header)
