"""Reads items from files and from the hub: one file per format."""

from __future__ import annotations

import os
import re

from ..errors import BadInput
from ..types import Benchmark, Card, Items
from ._mapping import Mapping

__all__ = ["Mapping", "read_benchmark", "read_items"]

SPLITS = ("train", "dev", "valid", "validation", "test")
_HUB = "hf:"


def read_items(path: str, split: str, mapping: Mapping | None = None) -> Items:
    """The items of one file."""
    from ._items import build
    from ._open import records

    return build(path, records(path), split, mapping or Mapping())


def read_benchmark(source: str, mapping: Mapping | None = None) -> Benchmark:
    """A file, a folder with one file per split, or `hf:org/name[/config]`."""
    mapping = mapping or Mapping()
    if source.startswith(_HUB):
        splits = _hub(source, mapping)
        name = source.removeprefix(_HUB)
        home = "" if name.startswith((".", "/", "~")) else f"https://huggingface.co/datasets/{name}"
    else:
        splits = _files(source, mapping)
        name, home = source, ""
    _unique_ids(source, splits)
    name = os.path.splitext(os.path.basename(os.path.abspath(name)))[0]
    return Benchmark(name, splits, _roles(splits), Card(title=name, home=home))


def _hub(source: str, mapping: Mapping) -> dict[str, Items]:
    from . import hub
    from ._items import build

    if mapping.labels is not None:
        raise BadInput(source, "--labels goes with a single file")
    return {
        name: build(f"{source}:{name}", records, name, mapping)
        for name, records in hub.splits(source).items()
    }


def _files(source: str, mapping: Mapping) -> dict[str, Items]:
    if not os.path.isdir(source):
        split = _split_of(source) or "all"
        return {split: read_items(source, split, mapping)}
    if mapping.labels is not None:
        raise BadInput(source, "--labels goes with a single file")
    return {name: read_items(path, name, mapping) for name, path in _folder(source).items()}


def _folder(source: str) -> dict[str, str]:
    """The files of a folder by split; the whole stem where two would have the same name."""
    from ._open import known
    from ._record import suffix

    paths = sorted(os.path.join(source, name) for name in os.listdir(source) if name[0] != ".")
    endings = known()
    paths = [path for path in paths if suffix(path) in endings]
    if not paths:
        raise BadInput(source, f"no file of a known kind ({', '.join(endings)})")
    short = [_split_of(path) or _stem(path) for path in paths]
    names = short if len(set(short)) == len(short) else [_stem(path) for path in paths]
    if len(set(names)) < len(names):
        raise BadInput(source, f"two files have the same stem: {', '.join(names)}")
    return dict(zip(names, paths, strict=True))


def _stem(path: str) -> str:
    stem = os.path.splitext(os.path.basename(path))[0]
    return re.sub(r"[+:]", "-", stem)  # `name:a+b` asks for the splits a and b


def _split_of(path: str) -> str | None:
    words = re.split(r"[^a-z]+", _stem(path).lower())
    return next((word for word in words if word in SPLITS), None)


def _roles(splits: dict[str, Items]) -> dict[str, str]:
    """Train on train, test on test; where test has no answers, on the development split."""
    labelled = [name for name, items in splits.items() if items[0].answer is not None]
    dev = next((name for name in ("dev", "valid", "validation") if name in labelled), None)
    roles = {"train": "train"} if "train" in labelled else {}
    if "test" in labelled:
        return roles | ({"select": dev} if dev else {}) | {"test": "test"}
    return roles | ({"test": dev} if dev else {})


def _unique_ids(source: str, splits: dict[str, Items]) -> None:
    seen: dict[str, str] = {}
    for split, items in splits.items():
        for item in items:
            if item.id in seen:
                what = f"{item.id!r} is in {seen[item.id]} and in {split}"
                raise BadInput(source, what, field="id")
            seen[item.id] = split
