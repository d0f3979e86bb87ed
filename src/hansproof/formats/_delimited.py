"""Reads tables of text: an optional header, one row per item, standard quoting."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain, islice

from ..errors import BadInput
from ..records.delimiters import SAMPLE_LINES, SEPARATOR_LINE, detect_delimiter
from ..records.lines import LINE_LIMIT, iter_lines
from ..records.location import Records
from ._table_rows import Row, read_rows


def read_delimited(path: str, header: bool | None) -> Records:
    """Yield one record per row, keyed by the header or by the numbers of its columns."""
    lines = (text for _, text in iter_lines(path))
    head = list(islice(lines, SAMPLE_LINES))
    separator_line = SEPARATOR_LINE.match(head[0]) if head else None
    delimiter = separator_line[1] if separator_line else detect_delimiter(head)
    n_skipped = 1 if separator_line else 0
    rows = _nonblank_rows(path, chain(head[n_skipped:], lines), delimiter, n_skipped + 1)
    return read_rows(path, rows, header)


def _nonblank_rows(
    path: str, lines: Iterator[str], delimiter: str, first_line: int
) -> Iterator[Row]:
    """Yield the rows that are not blank, with the line where each begins."""
    csv.field_size_limit(LINE_LIMIT)  # a cell may be as long as a line
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    line = first_line
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = reader.line_num + first_line
    except csv.Error as error:
        raise BadInput(path, str(error), line=line) from None
