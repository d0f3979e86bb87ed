"""Finds out which sign separates the cells of a table of text."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

DELIMITERS = (",", ";", "\t")
SAMPLE_LINES = 60
SEPARATOR_LINE = re.compile(r"\s*\"?sep=([^\w\s\"]|\t)\"?\s*(?:\r\n|\n)")  # on top, by Excel


def detect_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that splits the first lines into cells most evenly.

    The lines keep their ends; the last row may be incomplete.
    """
    return max(DELIMITERS, key=lambda delimiter: _rate_delimiter(lines, delimiter))


def _rate_delimiter(lines: Sequence[str], delimiter: str) -> tuple[bool, bool, int]:
    """Rate a delimiter: several cells, as many in every row, as many as possible."""
    try:
        rows = [row for row in csv.reader(lines, delimiter=delimiter) if any(row)]
    except csv.Error:
        return False, False, 0
    if not rows:
        return False, False, 0
    n_cells = len(rows[0])
    is_even = all(len(row) == n_cells for row in (rows[:-1] if len(rows) > 1 else rows))
    return n_cells > 1, is_even, n_cells
