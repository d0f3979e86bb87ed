"""A bar for long work, where there is what draws it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

Part = TypeVar("Part")


def watched(parts: Sequence[Part], doing: str) -> Iterable[Part]:
    """The parts, one after the other, with a bar beside them."""
    try:
        import rich  # noqa: F401
    except ImportError:
        return parts
    from ..progress import track

    return track(parts, len(parts), doing)
