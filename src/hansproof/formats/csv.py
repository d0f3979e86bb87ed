"""Comma-separated values with a header; tabs are seen too."""

from __future__ import annotations

from ..records.lines import iter_lines
from ..records.location import Records
from ._delimited import read_delimited as _delimited


def records(path: str) -> Records:
    """One record per row."""
    header = next((text for _, text in iter_lines(path) if text.strip()), "")
    # Published files are called .csv and separated by tabs (adversarial ARCT, for one).
    return _delimited(path, "\t" if "\t" in header and "," not in header else ",")
