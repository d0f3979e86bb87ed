"""Reads the files of a benchmark and decides which split each item belongs to."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ..errors import BadInput
from ..records import native
from ..records.by_content import COMPRESSED, read_records
from ..records.column_mapping import ColumnMapping
from ..records.column_names import find_all
from ..records.item_schema import names_columns
from ..records.location import Location, file_extension, format_columns, truncate
from ..records.saved_audit import refuse_saved_audit
from ..types import SPLIT_NAMES, UNNAMED_SPLIT, ReadingNote
from ._build_items import SplitItems, build_splits
from ._parse_file import FileRecords, parse_file
from ._source_files import SourceFile, find_source_files

DATA_EXTENSIONS = (*COMPRESSED, "txt", "lst", "dat", "data", "xls", "ods")


def read_sources(sources: Sequence[str], mapping: ColumnMapping) -> SplitItems:
    """Read files, folders and wildcards as one benchmark."""
    files, left_out = find_source_files(sources)
    if mapping.labels is not None and (len(files) > 1 or os.path.isdir(sources[0])):
        raise BadInput(sources[0], "--labels needs a single file of items")
    records = []
    for file in files:
        file_records = read_file(file.path, file.name, UNNAMED_SPLIT, mapping)
        records += _divide_records(file, file_records, files, mapping.split_by)
    n_files = Counter(part.split for part in records)
    parsed = [
        parse_file(
            part if n_files[part.split] == 1 else replace(part, id_prefix=_stem(part.name)), mapping
        )
        for part in records
    ]
    items = build_splits(parsed)
    return replace(items, notes=(*items.notes, *_describe_files(n_files, left_out)))


def read_file(path: str, name: str, split: str, mapping: ColumnMapping) -> FileRecords:
    """Read the records of a file; whether it has a header is open only if no column is named."""
    refuse_saved_audit(path)
    header = True if mapping.header is None and names_columns(mapping) else mapping.header
    rows = [(Location(path, line), record) for line, record in read_records(path, header)]
    return FileRecords(path, name, split, rows)


def _divide_records(
    file: SourceFile, records: FileRecords, files: Sequence[SourceFile], split_by: str | None
) -> list[FileRecords]:
    """Divide the records of a file into splits."""
    if split_by == "file":
        return [replace(records, split=_stem(file.name))]
    if split_by == "folder":
        folder = os.path.dirname(file.name) or os.path.basename(
            os.path.dirname(os.path.abspath(file.path))
        )
        return [replace(records, split=folder)]
    if split_by is None and file.split is not None:
        return [replace(records, split=file.split)]
    # hansproof writes one file per split
    is_own_split = any(other.split for other in files) or (
        file.is_in_folder and all(native.is_native(record) for _, record in records.rows)
    )
    split = _stem(file.name) if is_own_split else UNNAMED_SPLIT
    return divide_rows(replace(records, split=split), split_by)


def divide_rows(records: FileRecords, split_by: str | None) -> list[FileRecords]:
    """Divide records by a column: the given one, or `split` if it names the usual splits."""
    if split_by is not None:
        return _divide_by_column(records, split_by)
    columns = find_all(records.rows[0][1], ("split",)) if records.rows else []
    if columns and _are_splits(records, columns[0]):
        return _divide_by_column(records, columns[0])
    return [records]


def _are_splits(records: FileRecords, column: str) -> bool:
    """Tell whether every record names a usual split, such as train or test."""
    return all(str(record.get(column)).lower() in SPLIT_NAMES for _, record in records.rows)


def _divide_by_column(records: FileRecords, column: str) -> list[FileRecords]:
    rows_by_split: dict[str, list[tuple[Location, dict[str, object]]]] = {}
    for location, record in records.rows:
        if column not in record:
            message = f"missing column (--split-by); found: {format_columns(record)}"
            raise location.error(column, message)
        split = location.require_name(record[column], column)
        split = _clean(split.lower() if split.lower() in SPLIT_NAMES else split)
        rows_by_split.setdefault(split, []).append((location, record))
    return [replace(records, split=split, rows=rows) for split, rows in rows_by_split.items()]


def _stem(name: str) -> str:
    return _clean(os.path.splitext(name)[0])


def _clean(split: str) -> str:
    """Replace the signs that select splits, as in `name:a+b`."""
    return split.replace("+", "-").replace(":", "-")


def _describe_files(n_files: Counter[str], left_out: Sequence[str]) -> list[ReadingNote]:
    """Say which files were joined, and which were left out."""
    notes = [
        ReadingNote(
            f"files: {count} files are merged into the split {truncate(split)} (--split-by file "
            "keeps them separate, --by file compares them)"
        )
        for split, count in n_files.items()
        if count > 1
    ]
    data_files = [name for name in left_out if file_extension(name) in DATA_EXTENSIONS]
    folders = [name for name in left_out if name.endswith(os.sep)]
    if folders:
        brief = f"subfolders were not read: {format_columns(folders)}"
        advice = "(name them, or use a wildcard such as 'folder/**/*.csv')"
        notes.append(ReadingNote(f"{brief} {advice}", brief, "omission"))
    if data_files:
        brief = f"files of other formats were left out: {format_columns(data_files)}"
        notes.append(ReadingNote(brief, brief, "omission"))
    return notes
