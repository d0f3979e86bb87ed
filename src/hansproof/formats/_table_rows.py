"""Turns the rows of a table into records: by its header, or by the numbers of its columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from ..errors import BadInput
from ..records.column_mapping import NO_HEADER_HINT
from ..records.item_rows import SAMPLE_ROWS, is_headerless
from ..records.location import Record, Records, truncate

Row = tuple[int, Sequence[object]]  # line, cells


def read_rows(path: str, rows: Iterator[Row], header: bool | None) -> Records:
    """Yield one record per row; if `header` is None, the first rows show whether there is one."""
    sample = list(islice(rows, SAMPLE_ROWS))
    if not sample:
        return
    first_line, first_row = sample[0]
    if header is None and is_headerless([cells for _, cells in sample]):
        header = False
    if header is False:
        columns = [str(number) for number in range(1, len(first_row) + 1)]
        yield from _key_rows(path, chain(sample, rows), columns, "first line")
        return
    columns = [str(name).strip() if name is not None else "" for name in first_row]
    _check_duplicates(path, first_line, columns, header)
    yield from _key_rows(path, chain(sample[1:], rows), columns, "header")


def _check_duplicates(path: str, line: int, columns: list[str], header: bool | None) -> None:
    duplicates = [name for name, count in Counter(filter(None, columns)).items() if count > 1]
    if duplicates:
        message = "appears twice in the header"
        if header is None:
            message += f" ({NO_HEADER_HINT})"
        raise BadInput(path, message, line=line, field=truncate(min(duplicates)))


def _key_rows(path: str, rows: Iterator[Row], columns: list[str], first_name: str) -> Records:
    """Yield records; cells in columns without a name, such as pandas' index, go by their number."""
    names = [name or f"column {i}" for i, name in enumerate(columns, 1)]
    has_nameless = not all(columns)
    for line, row in rows:
        if len(row) != len(names):
            message = f"has {len(row)} cells, but the {first_name} has {len(names)}"
            if len(row) > len(names):
                message += ": put texts that contain commas or other separators in quotes"
            raise BadInput(path, message, line=line)
        record: Record = dict(zip(names, row, strict=True))
        if has_nameless:
            record = {
                name: cell
                for name, cell, column in zip(names, row, columns, strict=True)
                if column or cell not in (None, "")
            }
        yield line, record
