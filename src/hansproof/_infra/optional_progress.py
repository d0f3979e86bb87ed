"""A bar for long work, where there is what draws it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

Element = TypeVar("Part")


def track_optional(steps: Sequence[Element], label: str) -> Iterable[Element]:
    """The parts, one after the other, with a bar beside them."""
    try:
        import rich  # noqa: F401
    except ImportError:
        return steps
    from .progress import track

    return track(steps, len(steps), label)
