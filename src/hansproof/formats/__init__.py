"""Reads items from files and from the hub: one file per format."""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from .._infra.json_bytes import escape_surrogates
from ..errors import BadInput
from ..records.column_mapping import ColumnMapping
from ..types import Benchmark, Card, Items

if TYPE_CHECKING:
    from ._build_items import SplitItems

__all__ = ["ColumnMapping", "read_benchmark", "read_files", "read_items"]

SPLITS = ("train", "dev", "valid", "validation", "test")
_HUB_PREFIX = "hf:"


def read_items(path: str, split: str, mapping: ColumnMapping | None = None) -> Items:
    """Read the items of one file."""
    return read_files({split: (path, mapping or ColumnMapping())}).splits[split]


def read_files(files: dict[str, tuple[str, ColumnMapping]]) -> SplitItems:
    """Read one file per split; how answers are read is decided over all files together."""
    from ..records.by_extension import read_records
    from ._build_items import build_splits, parse_split

    return build_splits(
        {
            split: parse_split(path, read_records(path, mapping.header), split, mapping)
            for split, (path, mapping) in files.items()
        }
    )


def read_benchmark(source: str, mapping: ColumnMapping | None = None) -> Benchmark:
    """Read a file, a folder with one file per split, or `hf:org/name[/config]`."""
    mapping = mapping or ColumnMapping()
    if source.startswith(_HUB_PREFIX):
        items = _read_hub_splits(source, mapping)
        name = source.removeprefix(_HUB_PREFIX)
        home = "" if name.startswith((".", "/", "~")) else f"https://huggingface.co/datasets/{name}"
    else:
        items = _read_local_splits(source, mapping)
        name, home = source, ""
    splits, id_notes = _separate_ids(items.splits)
    name = escape_surrogates(os.path.splitext(os.path.basename(os.path.abspath(name)))[0])
    card, notes = Card(title=name, home=home), (*items.notes, *id_notes)
    return Benchmark(name, splits, _default_roles(splits), card, notes=notes)


def _read_hub_splits(source: str, mapping: ColumnMapping) -> SplitItems:
    from . import hub
    from ._build_items import build_splits, parse_split

    if mapping.labels is not None:
        raise BadInput(source, "--labels goes with a single file")
    if mapping.header is not None:
        raise BadInput(source, "--header and --no-header are for files")
    return build_splits(
        {
            name: parse_split(f"{source}:{name}", split.records, name, mapping, split.class_columns)
            for name, split in hub.read_splits(source).items()
        }
    )


def _read_local_splits(source: str, mapping: ColumnMapping) -> SplitItems:
    if not os.path.isdir(source):
        split = _split_from_name(source) or "all"
        return read_files({split: (source, mapping)})
    if mapping.labels is not None:
        raise BadInput(source, "--labels goes with a single file")
    return read_files({name: (path, mapping) for name, path in _split_files(source).items()})


def _split_files(source: str) -> dict[str, str]:
    """Map split names to the files of a folder; use full stems if two names would be equal."""
    from ..records.by_extension import known_extensions
    from ..records.location import file_extension

    try:
        names = os.listdir(source)
    except OSError as error:
        raise BadInput(source, f"cannot be read: {error.strerror}") from None
    paths = sorted(os.path.join(source, name) for name in names if name[0] != ".")
    extensions = known_extensions()
    paths = [path for path in paths if file_extension(path) in extensions]
    if not paths:
        raise BadInput(source, f"no file of a known kind ({', '.join(extensions)})")
    short_names = [_split_from_name(path, len(paths) > 1) or _file_stem(path) for path in paths]
    splits = (
        short_names
        if len(set(short_names)) == len(short_names)
        else [_file_stem(path) for path in paths]
    )
    if len(set(splits)) < len(splits):
        raise BadInput(source, f"two files have the same stem: {', '.join(splits)}")
    return dict(zip(splits, paths, strict=True))


def _file_stem(path: str) -> str:
    stem = escape_surrogates(os.path.splitext(os.path.basename(path))[0])
    return re.sub(r"[+:]", "-", stem)  # `name:a+b` selects the splits a and b


def _split_from_name(path: str, is_one_of_many: bool = False) -> str | None:
    """Return the split in a file's name; of many files, only at its beginning or end.

    `01-dev-environment.json` is a chapter of a course, not its development split.
    """
    words = [
        word.rstrip("0123456789") for word in re.findall(r"[a-z0-9]+", _file_stem(path).lower())
    ]
    candidates = [*words[:1], *words[-1:]] if is_one_of_many else words
    return next((word for word in candidates if word in SPLITS), None)


def _default_roles(splits: dict[str, Items]) -> dict[str, str]:
    """Train on train and test on test, or on the development split if test has no answers."""
    labelled = [name for name, items in splits.items() if items[0].answer is not None]
    dev = next((name for name in ("dev", "valid", "validation") if name in labelled), None)
    roles = {"train": "train"} if "train" in labelled else {}
    if "test" in labelled:
        return roles | ({"select": dev} if dev else {}) | {"test": "test"}
    return roles | ({"test": dev} if dev else {})


def _separate_ids(splits: dict[str, Items]) -> tuple[dict[str, Items], tuple[str, ...]]:
    """Put the split before all ids if two splits share one; also return a note that says so."""
    id_counts = Counter(item.id for items in splits.values() for item in items)
    shared_id = next((id for id, count in id_counts.items() if count > 1), None)
    if shared_id is None:
        return splits, ()
    separated = {
        split: tuple(replace(item, id=f"{split}/{item.id}") for item in items)
        for split, items in splits.items()
    }
    shared_ids = [
        item.id
        for items in separated.values()
        for item in items
        if item.id.partition("/")[2] == shared_id
    ]
    examples = " and ".join(shared_ids[:2])
    note = f"ids: splits use the same ids, so each is preceded by its split: {examples}"
    return separated, (note,)
