"""Reads the splits of a benchmark from its files."""

from __future__ import annotations

from ..download import DataFile, find_file, is_downloaded
from ..errors import BadInput
from ..formats import ColumnMapping, read_items
from ..types import Items, fingerprint


def read_splits(sources: dict[str, DataFile], folder: str | None) -> dict[str, Items]:
    """Read one split per source."""
    return {
        split: read_items(find_file(source, folder), split) for split, source in sources.items()
    }


def read_labelled_split(
    source: DataFile, labels: DataFile, split: str, folder: str | None, expected: str | None = None
) -> Items:
    """Read a split whose labels are in a second file."""
    path = find_file(source, folder)
    items = read_items(path, split, ColumnMapping(labels=find_file(labels, folder)))
    if expected is not None:
        check_fingerprint(path, items, expected)
    return items


def check_fingerprint(path: str, items: Items, expected: str) -> None:
    """Raise if a downloaded file without a checksum does not contain the expected items.

    Copies of the user are not checked, since they may be other versions.
    """
    if is_downloaded(path) and fingerprint(items) != expected:
        message = "not the items that were published; put your own copy into HANSPROOF_DATA"
        raise BadInput(path, message)
