"""Reads items from files and from the hub: one file per format."""

from __future__ import annotations

import os
import re

from ..errors import BadInput
from ..records.column_mapping import ColumnMapping
from ..types import Benchmark, Card, Items

__all__ = ["ColumnMapping", "read_benchmark", "read_items"]

SPLITS = ("train", "dev", "valid", "validation", "test")
_HUB_PREFIX = "hf:"


def read_items(path: str, split: str, mapping: ColumnMapping | None = None) -> Items:
    """Read the items of one file."""
    from ..records.by_extension import read_records
    from ._build_items import build_items

    return build_items(path, read_records(path), split, mapping or ColumnMapping())


def read_benchmark(source: str, mapping: ColumnMapping | None = None) -> Benchmark:
    """Read a file, a folder with one file per split, or `hf:org/name[/config]`."""
    mapping = mapping or ColumnMapping()
    if source.startswith(_HUB_PREFIX):
        splits = _read_hub_splits(source, mapping)
        name = source.removeprefix(_HUB_PREFIX)
        home = "" if name.startswith((".", "/", "~")) else f"https://huggingface.co/datasets/{name}"
    else:
        splits = _read_local_splits(source, mapping)
        name, home = source, ""
    _check_unique_ids(source, splits)
    name = os.path.splitext(os.path.basename(os.path.abspath(name)))[0]
    return Benchmark(name, splits, _default_roles(splits), Card(title=name, home=home))


def _read_hub_splits(source: str, mapping: ColumnMapping) -> dict[str, Items]:
    from . import hub
    from ._build_items import build_items

    if mapping.labels is not None:
        raise BadInput(source, "--labels goes with a single file")
    return {
        name: build_items(f"{source}:{name}", records, name, mapping)
        for name, records in hub.read_splits(source).items()
    }


def _read_local_splits(source: str, mapping: ColumnMapping) -> dict[str, Items]:
    if not os.path.isdir(source):
        split = _split_from_name(source) or "all"
        return {split: read_items(source, split, mapping)}
    if mapping.labels is not None:
        raise BadInput(source, "--labels goes with a single file")
    return {name: read_items(path, name, mapping) for name, path in _split_files(source).items()}


def _split_files(source: str) -> dict[str, str]:
    """Map split names to the files of a folder; use full stems if two names would be equal."""
    from ..records.by_extension import known_extensions
    from ..records.location import file_extension

    paths = sorted(os.path.join(source, name) for name in os.listdir(source) if name[0] != ".")
    extensions = known_extensions()
    paths = [path for path in paths if file_extension(path) in extensions]
    if not paths:
        raise BadInput(source, f"no file of a known kind ({', '.join(extensions)})")
    short_names = [_split_from_name(path) or _file_stem(path) for path in paths]
    names = (
        short_names
        if len(set(short_names)) == len(short_names)
        else [_file_stem(path) for path in paths]
    )
    if len(set(names)) < len(names):
        raise BadInput(source, f"two files have the same stem: {', '.join(names)}")
    return dict(zip(names, paths, strict=True))


def _file_stem(path: str) -> str:
    stem = os.path.splitext(os.path.basename(path))[0]
    return re.sub(r"[+:]", "-", stem)  # `name:a+b` selects the splits a and b


def _split_from_name(path: str) -> str | None:
    words = re.split(r"[^a-z]+", _file_stem(path).lower())
    return next((word for word in words if word in SPLITS), None)


def _default_roles(splits: dict[str, Items]) -> dict[str, str]:
    """Train on train and test on test, or on the development split if test has no answers."""
    labelled = [name for name, items in splits.items() if items[0].answer is not None]
    dev = next((name for name in ("dev", "valid", "validation") if name in labelled), None)
    roles = {"train": "train"} if "train" in labelled else {}
    if "test" in labelled:
        return roles | ({"select": dev} if dev else {}) | {"test": "test"}
    return roles | ({"test": dev} if dev else {})


def _check_unique_ids(source: str, splits: dict[str, Items]) -> None:
    split_of_id: dict[str, str] = {}
    for split, items in splits.items():
        for item in items:
            if item.id in split_of_id:
                message = f"{item.id!r} is in {split_of_id[item.id]} and in {split}"
                raise BadInput(source, message, field="id")
            split_of_id[item.id] = split
