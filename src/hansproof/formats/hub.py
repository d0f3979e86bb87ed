"""Datasets of the Hugging Face hub: hf:org/name[/config], or hf:./folder for a local one."""

from __future__ import annotations

import os
import sys
from typing import Any

from ..errors import BadInput, MissingExtra
from ..records.location import Records

PREFIX = "hf:"


def read_splits(source: str) -> dict[str, Records]:
    """Read the records of every split.

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
    # Problems with a name, a file or the network are raised as one of these.
    except (OSError, ValueError, RuntimeError, datasets.exceptions.DatasetsError) as error:
        raise BadInput(source, " ".join(str(error).split())) from None
    return {str(name): _numbered_records(split) for name, split in dataset.items()}


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


def _numbered_records(split: Any) -> Records:
    yield from enumerate(split, start=1)
