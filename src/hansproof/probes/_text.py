"""Helpers for the sentences that probes write."""

from __future__ import annotations

ORDINALS = ("first", "second", "third", "fourth", "fifth")
POOLED_NOTE = (
    "Runs are pooled: each item counts once per run, so p-values and intervals are too small."
)


def name_ordinal(position: int) -> str:
    """Return the name of a place that is counted from 1: `first`, `6th`."""
    return ORDINALS[position - 1] if position <= len(ORDINALS) else f"{position}th"
