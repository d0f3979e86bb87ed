"""Helpers for the sentences that probes write."""

from __future__ import annotations

from ..types import POOLED, UNNAMED_SPLIT

POOLED_NOTE = (
    "Runs are pooled: each item counts once per run, so p-values and intervals are too small."
)


def name_location(split: str) -> str:
    """Return a split as it reads in a sentence: `test`, or `all items` if it has no name."""
    return {POOLED: "all splits", UNNAMED_SPLIT: "all items"}.get(split, split)
