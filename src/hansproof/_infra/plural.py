"""Numbers with their nouns: `1 run`, `3 runs`, `1,200 runs`."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
