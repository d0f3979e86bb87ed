"""Comma-separated values with a header; tabs are seen too."""

from __future__ import annotations

from ..records.lines import iter_lines
from ..records.location import Records
from ._delimited import read_delimited


def records(path: str) -> Records:
    """Yield one record per row."""
    header = next((text for _, text in iter_lines(path) if text.strip()), "")
    # Some published .csv files are separated by tabs, such as adversarial ARCT.
    return read_delimited(path, "\t" if "\t" in header and "," not in header else ",")
