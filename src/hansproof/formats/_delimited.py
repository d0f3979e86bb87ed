"""Reads tables of text: a header, one row per item, standard quoting."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from ..errors import BadInput
from ..records.column_mapping import NO_HEADER_HINT
from ..records.lines import iter_lines
from ..records.location import Record, Records, truncate


def read_delimited(path: str, delimiter: str, header: bool | None) -> Records:
    """Yield one record per row, keyed by the header or by the numbers of its columns."""
    rows = _nonblank_rows(path, delimiter)
    first_line, first_row = next(rows, (1, []))
    columns = first_row
    if header is False:
        columns = [str(number) for number in range(1, len(first_row) + 1)]
        rows = chain([(first_line, first_row)], rows)
    duplicates = [name for name, count in Counter(columns).items() if count > 1]
    if duplicates:
        message = "stands twice in the header"
        if header is None:
            message += f" ({NO_HEADER_HINT})"
        name = truncate(min(duplicates)) or "a column without a name"
        raise BadInput(path, message, line=first_line, field=name)
    for line, row in rows:
        if len(row) != len(columns):
            first_row_name = "first line" if header is False else "header"
            message = f"has {len(row)} cells, the {first_row_name} has {len(columns)}"
            raise BadInput(path, message, line=line)
        record: Record = dict(zip(columns, row, strict=True))
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
