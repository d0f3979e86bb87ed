"""Flags that make sense."""

from __future__ import annotations

from .errors import BadInput


def check(flag: str, value: float, least: float, most: float | None = None) -> None:
    """Refuse a value that is out of range, or no number at all."""
    if not (least <= value and (most is None or value <= most)):
        allowed = f"at least {least}" if most is None else f"between {least} and {most}"
        raise BadInput(f"--{flag}", f"is {value}, must be {allowed}")


def check_one(flag: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse a word that means nothing there."""
    if value not in allowed:
        raise BadInput(f"--{flag}", f"is {value!r}, must be {' or '.join(allowed)}")
