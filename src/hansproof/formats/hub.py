"""Datasets of the Hugging Face hub: hf:org/name[/config], or hf:./folder for a local one."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput, MissingExtra
from ..records.location import Records

PREFIX = "hf:"


@dataclass(frozen=True, slots=True)
class HubSplit:
    """The records of a split, and its columns of class labels, which count from 0."""

    records: Records
    class_columns: frozenset[str] = frozenset()


def read_splits(source: str) -> dict[str, HubSplit]:
    """Read every split.

    Only data files are read: from version 4 on, `datasets` does not run code of a dataset.
    """
    try:
        import datasets
    except ImportError:
        raise MissingExtra("hub", f"reading {source}") from None
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()
    path, config = parse_name(source.removeprefix(PREFIX))
    try:
        dataset = datasets.load_dataset(path, config)
    except MemoryError:
        raise
    # Broken files raise errors of many types, such as TypeError for a card with other values.
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise BadInput(source, f"cannot be loaded: {reason}") from None
    return {str(name): _numbered_split(split) for name, split in dataset.items()}


def parse_name(name: str) -> tuple[str, str | None]:
    """Split a name into the path and the configuration of a dataset."""
    if name.startswith((".", "/", "~")):
        path = os.path.expanduser(name)
        if not os.path.isdir(path):
            raise BadInput(PREFIX + name, "no such folder")
        return path, None
    parts = name.split("/")
    if len(parts) > 3 or not all(parts):
        raise BadInput(PREFIX + name, "is not of the form hf:org/name or hf:org/name/config")
    return "/".join(parts[:2]), parts[2] if len(parts) == 3 else None


def find_class_columns(table: Any) -> frozenset[str]:
    """Return the columns of class labels of a Dataset, which count from 0; none of other tables."""
    features = getattr(table, "features", None)
    if not isinstance(features, Mapping):
        return frozenset()
    return frozenset(
        name for name, feature in features.items() if type(feature).__name__ == "ClassLabel"
    )


def _numbered_split(split: Any) -> HubSplit:
    return HubSplit(iter(enumerate(split, start=1)), find_class_columns(split))
