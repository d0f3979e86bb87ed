"""Numbers in sentences."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """`1 run`, `3 runs`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
