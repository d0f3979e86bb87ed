"""Helpers for the sentences that probes write."""

from __future__ import annotations

from ..types import POOLED, UNNAMED_SPLIT

POOLED_NOTE = "Runs are pooled: an item counts once for each, so p and intervals are too small."


def name_location(split: str) -> str:
    """Return a split for a sentence: `test`, or in words if it has no name of its own."""
    return {POOLED: "all splits", UNNAMED_SPLIT: "all items"}.get(split, split)


def plural(count: int, noun: str) -> str:
    """Return a number with its noun: `1 run`, `3 runs`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
