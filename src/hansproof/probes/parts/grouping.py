"""Divides a benchmark into parts: by a column, by file, or by folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import replace

from ...errors import BadInput
from ...records.column_names import normalise_name
from ...types import SPLIT_NAMES, Benchmark, Item, Items

MAX_PARTS = 500
NO_VALUE = "(none)"  # the part of items without a value
_SPLIT_WORD = re.compile(
    rf"[_.-]?(?<![a-z0-9])(?:{'|'.join(SPLIT_NAMES)})(?![a-z0-9])[_.-]?", re.IGNORECASE
)

PartName = Callable[[str, Item], str]  # of a split and an item


def divide_benchmark(benchmark: Benchmark, by: str) -> dict[str, Benchmark]:
    """Return every part of a benchmark as one, by the name of the part."""
    part_name = _choose_grouping(benchmark.splits, by)
    divided: dict[str, dict[str, list[Item]]] = {}
    for split, items in benchmark.splits.items():
        for item in items:
            part = divided.setdefault(part_name(split, item), {})
            part.setdefault(split, []).append(item)
    if len(divided) > MAX_PARTS:
        message = f"has {len(divided):,} values, more than {MAX_PARTS}; choose a column with fewer"
        raise BadInput(f"--by {by}", message)
    return {name: _build_part(benchmark, name, part) for name, part in sorted(divided.items())}


def _build_part(benchmark: Benchmark, name: str, part: dict[str, list[Item]]) -> Benchmark:
    """Build the benchmark of a part; a single split gets its name, by which sentences call it."""
    splits = {split: tuple(items) for split, items in part.items()}
    if len(splits) > 1:
        return replace(benchmark, splits=splits)
    (items,) = splits.values()
    return replace(benchmark, splits={name: items}, roles={})


def _choose_grouping(splits: dict[str, Items], by: str) -> PartName:
    """Return the function that names the part of an item."""
    if by == "split":
        return lambda split, item: split
    if by == "file":
        return lambda split, item: _file_part(item.file)
    level = re.fullmatch(r"folder(\d?)", by)
    if level:
        return lambda split, item: _folder_part(item.file, level[1])
    columns = dict.fromkeys(key for items in splits.values() for item in items for key in item.meta)
    column = next((name for name in columns if normalise_name(name) == normalise_name(by)), None)
    if column is None:
        properties = ", ".join([*columns, "split", "file", "folder"])
        raise BadInput(f"--by {by}", f"no item has this column; choose one of: {properties}")
    return lambda split, item: _value_part(item.meta.get(column))


def _value_part(value: object) -> str:
    text = "" if value is None else str(value).strip()
    return text or NO_VALUE


def _file_part(file: str) -> str:
    """Return the name of a file without its extension and its split: `anatomy_test` is anatomy."""
    stem = os.path.splitext(os.path.basename(file))[0]
    return _SPLIT_WORD.sub("", stem) or stem or NO_VALUE


def _folder_part(file: str, level: str) -> str:
    """Return the folders of a file without those that name splits, or one of them by level."""
    folders = os.path.dirname(file).split(os.sep)
    folders = [name for name in folders if name and not _SPLIT_WORD.fullmatch(name)]
    if level:
        folders = folders[int(level) - 1 : int(level)]
    return os.sep.join(folders) or NO_VALUE
