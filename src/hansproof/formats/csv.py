"""Comma-separated values with a header; tabs are seen too."""

from __future__ import annotations

from ..records.lines import iter_lines
from ..records.location import Records
from ._delimited import read_delimited


def records(path: str, header: bool | None = True) -> Records:
    """Yield one record per row; without a header, columns are called 1, 2, 3, ..."""
    first_line = next((text for _, text in iter_lines(path) if text.strip()), "")
    # Some published .csv files are separated by tabs, such as adversarial ARCT.
    delimiter = "\t" if "\t" in first_line and "," not in first_line else ","
    return read_delimited(path, delimiter, header)
