"""Joins names into a phrase: `cues`, `cues and surface`, `cues, surface and balance`."""

from __future__ import annotations

from collections.abc import Sequence


def join_names(names: Sequence[str], conjunction: str = "and") -> str:
    """Join at least one name: commas between them, and a conjunction before the last."""
    *first_names, last_name = names
    return f"{', '.join(first_names)} {conjunction} {last_name}" if first_names else last_name
