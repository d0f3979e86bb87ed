"""Comma-separated values with a header; tabs are seen too."""

from __future__ import annotations

from ._delimited import records as _delimited
from ._lines import lines
from ._record import Records


def records(path: str) -> Records:
    """One record per row."""
    header = next((text for _, text in lines(path) if text.strip()), "")
    # Published files are called .csv and separated by tabs (adversarial ARCT, for one).
    return _delimited(path, "\t" if "\t" in header and "," not in header else ",")
