"""Reads tables of text: a header, one row per item, standard quoting."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from ..errors import BadInput
from ..records.lines import iter_lines
from ..records.location import Record, Records, truncate


def read_delimited(path: str, delimiter: str) -> Records:
    """Yield one record per row, keyed by the header."""
    rows = _nonblank_rows(path, delimiter)
    line, header = next(rows, (1, []))
    duplicates = {name for name in header if header.count(name) > 1}
    if duplicates:
        raise BadInput(
            path, "stands twice in the header", line=line, field=truncate(min(duplicates))
        )
    for line, row in rows:
        if len(row) != len(header):
            message = f"has {len(row)} cells, the header has {len(header)}"
            raise BadInput(path, message, line=line)
        record: Record = dict(zip(header, row, strict=True))
        yield line, record


def _nonblank_rows(path: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, with the line where each begins."""
    reader = csv.reader((text for _, text in iter_lines(path)), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(path, str(error), line=line) from None
