"""Tables of text: a header, one row per item, standard quoting."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from ..errors import BadInput
from ._lines import lines
from ._record import Record, Records, shown


def records(path: str, delimiter: str) -> Records:
    """One record per row, keyed by the header."""
    rows = _rows(path, delimiter)
    line, header = next(rows, (1, []))
    twice = {name for name in header if header.count(name) > 1}
    if twice:
        raise BadInput(path, "stands twice in the header", line=line, field=shown(min(twice)))
    for line, row in rows:
        if len(row) != len(header):
            what = f"has {len(row)} cells, the header has {len(header)}"
            raise BadInput(path, what, line=line)
        record: Record = dict(zip(header, row, strict=True))
        yield line, record


def _rows(path: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, with the line each begins in."""
    reader = csv.reader((text for _, text in lines(path)), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(path, str(error), line=line) from None
