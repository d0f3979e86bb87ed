"""Says what a source of items has to be, where an object of another kind is given."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Never

from .. import plugins
from ..errors import BadInput
from ..records.column_mapping import ColumnMapping
from ..types import SPLIT_NAMES, Audit, Benchmark, Item

EXPECTED = (
    "must be the name of a benchmark, a path, a list of paths, a list of dicts, a DataFrame, or a "
    "dict with one of these for each split"
)
FILE_HINT = "no such file"


def check_source(source: Any, mapping: object = None) -> Any:
    """Return a source with paths as text and iterators as lists; raise BadInput if it is none."""
    if mapping is not None and not isinstance(mapping, ColumnMapping):
        _refuse_mapping(mapping)
    if isinstance(source, str):
        return source
    if isinstance(source, os.PathLike):
        return _check_path(os.fspath(source))
    if isinstance(source, Mapping):
        return _check_splits(source)
    if isinstance(source, Iterator):
        source = list(source)
    return _check_list(source) if isinstance(source, list | tuple) else _check_table(source)


def _refuse_mapping(mapping: object) -> Never:
    kind = type(mapping).__name__
    message = f"is of type {kind}, must be a ColumnMapping"
    if isinstance(mapping, Mapping):
        arguments = ", ".join(f"{name}={value!r:.60}" for name, value in mapping.items())
        message = f"is a dict: write hansproof.ColumnMapping({arguments})"
    raise BadInput("mapping", message)


def _check_path(path: str) -> str:
    """Return a path that was given as one: it is never the name of a benchmark."""
    source = path if os.path.exists(path) else path.rpartition(":")[0] or path
    if not (os.path.exists(source) or glob.has_magic(source)):
        raise BadInput(path, FILE_HINT)
    is_name = path.partition(":")[0].replace("-", "_") in plugins.names("benchmarks")
    return os.path.join(os.curdir, path) if is_name else path


def _check_splits(splits: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """Return a dict of tables with paths as text; refuse a dict of columns or of one record."""
    if not splits:
        raise BadInput("benchmark", f"is an empty dict, {EXPECTED}")
    values = list(splits.values())
    are_paths = [isinstance(value, str | os.PathLike) for value in values]
    if all(are_paths) and _name_files(splits):
        return {split: _require_file(os.fspath(path)) for split, path in splits.items()}
    has_cells = any(are_paths) or not all(map(_is_table, values))
    if has_cells and not {str(name).lower() for name in splits} <= {*SPLIT_NAMES}:
        raise BadInput("benchmark", "is a single record: put it in a list, [record]")
    if any(isinstance(value, list | tuple) and _is_column(value) for value in values):
        raise BadInput(
            "benchmark", "is a dict of columns: give a list of dicts, or pandas.DataFrame(columns)"
        )
    return {split: check_source(table) for split, table in splits.items()}


def _name_files(splits: Mapping[Any, Any]) -> bool:
    """Tell whether the texts of a dict are paths: of files that exist, or by names of splits."""
    return all(
        isinstance(path, os.PathLike) or str(split).lower() in SPLIT_NAMES or os.path.isfile(path)
        for split, path in splits.items()
    )


def _require_file(path: str) -> str:
    if not os.path.isfile(path):
        raise BadInput(path, FILE_HINT)
    return path


def _is_table(value: object) -> bool:
    return isinstance(value, Iterable) or hasattr(value, "to_pylist")  # an Arrow table


def _is_column(values: list[Any] | tuple[Any, ...]) -> bool:
    """Tell whether a list contains the cells of a column rather than records."""
    return bool(values) and not isinstance(values[0], Mapping | Item)


def _check_list(sources: list[Any] | tuple[Any, ...]) -> list[Any]:
    """Return a list of paths or of records, with paths as text."""
    texts = [os.fspath(s) if isinstance(s, os.PathLike) else s for s in sources]
    n_paths = sum(isinstance(text, str) for text in texts)
    if 0 < n_paths < len(texts):
        raise BadInput("benchmark", "is a list of paths and other things: give only one kind")
    if any(isinstance(value, Item) for value in texts):
        raise BadInput(
            "benchmark",
            "is a list of Items: give hansproof.Benchmark(name, {split: tuple(items)})",
        )
    return texts


def _check_table(source: Any) -> Any:
    """Return a table; say what to do with an object that is none."""
    kind = type(source).__name__
    if isinstance(source, Audit):
        raise BadInput("benchmark", "is an Audit: give the benchmark that was audited")
    if isinstance(source, Benchmark):
        message = "is loaded already: a mapping or a folder applies only to files and tables"
        raise BadInput("benchmark", message)
    if hasattr(source, "collect") and hasattr(source, "collect_schema"):
        raise BadInput("benchmark", f"is a {kind}: give {kind}.collect()")
    if isinstance(source, type) or not _is_table(source) or isinstance(source, bytes):
        description = "is None" if source is None else f"is of type {kind}"
        raise BadInput("benchmark", f"{description}, {EXPECTED}")
    return source
