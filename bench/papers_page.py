"""The page of `bench/papers.py`."""

from __future__ import annotations


def table(store: str, date: str) -> None:
    """Written when the runs are back."""
    raise NotImplementedError
