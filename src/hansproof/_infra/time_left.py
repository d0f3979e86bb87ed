"""Estimates how long work will still take, from how far it is."""

from __future__ import annotations


def estimate_time_left(
    elapsed: float, share_done: float, since_update: float = 0.0
) -> float | None:
    """Return the seconds left if the rest goes at the same speed; None if nobody can tell.

    `elapsed` is the time that `share_done` of the work took, and `since_update` the time that has
    passed since then. A step that takes longer than expected leaves no estimate, not zero.
    """
    if not 0 < share_done <= 1:
        return None
    remaining = elapsed * (1 - share_done) / share_done - since_update
    return remaining if remaining > 0 or share_done == 1 else None


def format_seconds(seconds: float) -> str:
    """Format a time as `0:07`, `12:40` or `3:02:10`."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
