"""Checks of the values of flags."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from typing import Any

from ..errors import BadInput


def check_range(flag: str, value: float, minimum: float, maximum: float | None = None) -> None:
    """Raise BadInput if a flag's value is out of range or not a number (NaN)."""
    if not (minimum <= value and (maximum is None or value <= maximum)):
        allowed = f"at least {minimum}" if maximum is None else f"between {minimum} and {maximum}"
        raise BadInput(f"--{flag}", f"is {value}, must be {allowed}")


def refuse_settings(flag: str, options: Any, names: Collection[str]) -> None:
    """Raise BadInput if a setting that is not used differs from its default."""
    for field in fields(options):
        if field.name in names and getattr(options, field.name) != field.default:
            raise BadInput(flag, f"{field.name} has no effect here: leave it out")


def check_choice(flag: str, value: str, allowed: tuple[str, ...]) -> None:
    """Raise BadInput if a flag's value is not one of the allowed words."""
    if value not in allowed:
        raise BadInput(f"--{flag}", f"is {value!r}, must be {' or '.join(allowed)}")
