"""Checks of the values of flags."""

from __future__ import annotations

from ..errors import BadInput


def check_range(flag: str, value: float, minimum: float, maximum: float | None = None) -> None:
    """Raise BadInput if a flag's value is out of range or not a number (NaN)."""
    if not (minimum <= value and (maximum is None or value <= maximum)):
        allowed = f"at least {minimum}" if maximum is None else f"between {minimum} and {maximum}"
        raise BadInput(f"--{flag}", f"is {value}, must be {allowed}")


def check_choice(flag: str, value: str, allowed: tuple[str, ...]) -> None:
    """Raise BadInput if a flag's value is not one of the allowed words."""
    if value not in allowed:
        raise BadInput(f"--{flag}", f"is {value!r}, must be {' or '.join(allowed)}")
