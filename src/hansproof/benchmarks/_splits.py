"""Reads the splits of a benchmark from its sources."""

from __future__ import annotations

from ..download import DataFile, find_file, is_downloaded
from ..errors import BadInput
from ..formats import ColumnMapping, read_items
from ..types import Items, fingerprint


def read_splits(sources: dict[str, DataFile], folder: str | None) -> dict[str, Items]:
    """One split per source."""
    return {
        split: read_items(find_file(source, folder), split) for split, source in sources.items()
    }


def read_labelled_split(
    source: DataFile, labels: DataFile, split: str, folder: str | None, expected: str | None = None
) -> Items:
    """A split whose labels stand in a second file."""
    path = find_file(source, folder)
    items = read_items(path, split, ColumnMapping(labels=find_file(labels, folder)))
    if expected is not None:
        check_fingerprint(path, items, expected)
    return items


def check_fingerprint(path: str, items: Items, expected: str) -> None:
    """A download whose bytes cannot be pinned must hold the items that are known.

    The user's own copies are not checked: they may be versions of their own.
    """
    if is_downloaded(path) and fingerprint(items) != expected:
        message = "not the items that were published; put your own copy into HANSPROOF_DATA"
        raise BadInput(path, message)
