"""Reads tables of text: an optional header, one row per item, standard quoting."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain, islice
from typing import Literal

from ..errors import BadInput
from ..records.delimiters import SAMPLE_LINES, SEPARATOR_LINE, detect_delimiter
from ..records.lines import LINE_LIMIT, iter_lines
from ..records.location import Records
from ._table_rows import Row, read_rows

QuotingRule = Literal[0, 3]  # csv.QUOTE_MINIMAL or csv.QUOTE_NONE


def read_delimited(path: str, header: bool | None) -> Records:
    """Yield one record per row, keyed by the header or by the numbers of its columns."""
    lines = (text for _, text in iter_lines(path))
    head = list(islice(lines, SAMPLE_LINES))
    separator_line = SEPARATOR_LINE.match(head[0]) if head else None
    delimiter = separator_line[1] if separator_line else detect_delimiter(head)
    n_skipped = 1 if separator_line else 0
    quoting = _detect_quoting(head[n_skipped:], delimiter)
    rows = _nonblank_rows(path, chain(head[n_skipped:], lines), delimiter, quoting, n_skipped + 1)
    return read_rows(path, rows, header)


def _detect_quoting(lines: list[str], delimiter: str) -> QuotingRule:
    """Tell whether quotes are plain text: in tables by tabs whose quotes do not quote cells."""
    if delimiter != "\t":
        return csv.QUOTE_MINIMAL
    try:
        for _ in csv.reader(lines[:-1] or lines, delimiter=delimiter, strict=True):
            pass
    except csv.Error:
        n_tabs = {line.count(delimiter) for line in lines if line.strip()}
        return csv.QUOTE_NONE if len(n_tabs) == 1 else csv.QUOTE_MINIMAL
    return csv.QUOTE_MINIMAL


def _nonblank_rows(
    path: str, lines: Iterator[str], delimiter: str, quoting: QuotingRule, first_line: int
) -> Iterator[Row]:
    """Yield the rows that are not blank, with the line where each begins."""
    csv.field_size_limit(LINE_LIMIT)  # a cell may be as long as a line
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    line = first_line
    try:
        for row in reader:
            if "".join(row).strip():
                yield line, row
            line = reader.line_num + first_line
    except csv.Error as error:
        raise BadInput(path, str(error), line=line) from None
