"""Reads the splits of a benchmark from its sources."""

from __future__ import annotations

from ..errors import BadInput
from ..fetch import Source, downloaded, find
from ..formats import Mapping, read_items
from ..types import Items, fingerprint


def read(sources: dict[str, Source], folder: str | None) -> dict[str, Items]:
    """One split per source."""
    return {split: read_items(find(source, folder), split) for split, source in sources.items()}


def read_labelled(
    source: Source, labels: Source, split: str, folder: str | None, expected: str | None = None
) -> Items:
    """A split whose labels stand in a second file."""
    path = find(source, folder)
    items = read_items(path, split, Mapping(labels=find(labels, folder)))
    if expected is not None:
        check(path, items, expected)
    return items


def check(path: str, items: Items, expected: str) -> None:
    """A download whose bytes cannot be pinned must hold the items that are known.

    The user's own copies are not checked: they may be versions of their own.
    """
    if downloaded(path) and fingerprint(items) != expected:
        what = "not the items that were published; put your own copy into HANSPROOF_DATA"
        raise BadInput(path, what)
