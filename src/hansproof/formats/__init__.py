"""Reads items from files and from the hub: one file per format."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .._infra.garbage import pause_collection
from ..errors import BadInput
from ..records.column_mapping import ColumnMapping
from ..types import Benchmark, Card, Items

if TYPE_CHECKING:
    from ._build_items import SplitItems

__all__ = ["ColumnMapping", "read_benchmark", "read_files", "read_items"]

_HUB_PREFIX = "hf:"
DEV_SPLITS = ("dev", "val", "valid", "validation")


def read_items(path: str, split: str, mapping: ColumnMapping | None = None) -> Items:
    """Read the items of one file."""
    return read_files({split: (path, mapping or ColumnMapping())}).splits[split]


def read_files(files: dict[str, tuple[str, ColumnMapping]]) -> SplitItems:
    """Read one file per split; how answers are read is decided over all files together."""
    from ._build_items import build_splits
    from ._parse_file import parse_file
    from ._read_sources import read_file

    return build_splits(
        [
            parse_file(read_file(path, os.path.basename(path), split, mapping), mapping)
            for split, (path, mapping) in files.items()
        ]
    )


def read_benchmark(source: Any, mapping: ColumnMapping | None = None) -> Benchmark:
    """Read a benchmark from paths or data.

    `source` is a file, a folder, a wildcard, an `https://` address, a list of these,
    `hf:org/name[/config]`, or data: a list of dicts, a DataFrame, a `datasets.Dataset`, or a dict
    with one of these for each split.
    """
    from ._separate_ids import separate_ids

    mapping = mapping or ColumnMapping()
    with pause_collection():
        name, home, items = _read_source(source, mapping)
        splits, id_notes = separate_ids(items.splits)
    card = Card(title=mapping.name or name, home=home)
    notes = (*items.notes, *id_notes)
    return Benchmark(mapping.name or name, splits, _default_roles(splits), card, notes=notes)


def _read_source(source: Any, mapping: ColumnMapping) -> tuple[str, str, SplitItems]:
    """Return the name and the home of a benchmark, and its items."""
    from ._read_sources import read_sources
    from ._records_in_memory import read_objects
    from ._source_files import name_benchmark

    sources = [source] if isinstance(source, str) else source
    if not (isinstance(sources, list | tuple) and sources and isinstance(sources[0], str)):
        return "items", "", read_objects(source, mapping)
    hub_sources = [name for name in sources if name.startswith(_HUB_PREFIX)]
    if not hub_sources:
        return name_benchmark(sources), "", read_sources(sources, mapping)
    if len(sources) > 1:
        raise BadInput(
            hub_sources[0],
            "a dataset of the hub cannot be combined with other sources: leave them out",
        )
    hub_name = sources[0].removeprefix(_HUB_PREFIX)
    is_local = hub_name.startswith((".", "/", "~"))
    home = "" if is_local else f"https://huggingface.co/datasets/{hub_name}"
    return name_benchmark([hub_name]), home, _read_hub_splits(sources[0], mapping)


def _read_hub_splits(source: str, mapping: ColumnMapping) -> SplitItems:
    from ..records.location import Location
    from . import hub
    from ._build_items import build_splits
    from ._parse_file import FileRecords, parse_file

    if mapping.labels is not None:
        raise BadInput(source, "--labels needs a single file of items")
    if mapping.header is not None:
        raise BadInput(source, "--header and --no-header apply only to files")
    files = []
    for name, split in hub.read_splits(source).items():
        path = f"{source}:{name}"
        rows = [(Location(path, line), record) for line, record in split.records]
        files.append(FileRecords(path, path, name, rows, split.class_columns))
    return build_splits([parse_file(file, mapping) for file in files])


def _default_roles(splits: dict[str, Items]) -> dict[str, str]:
    """Train on train and test on test, or on the development split if test has no answers."""
    labelled = [name for name, items in splits.items() if items[0].answer is not None]
    dev = next((name for name in DEV_SPLITS if name in labelled), None)
    roles = {"train": "train"} if "train" in labelled else {}
    if "test" in labelled:
        return roles | ({"select": dev} if dev else {}) | {"test": "test"}
    return roles | ({"test": dev} if dev else {})
