"""Estimates how long work will still take, from how far it is and from how far its steps are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# work from which its speed can be told: a tenth of it or, of long work, so many units
ENOUGH_SHARE, ENOUGH_UNITS = 0.1, 10


@dataclass(slots=True)
class Pace:
    """How far one piece of work is, and when it got there."""

    total: float
    started: float
    step: float = 0.0  # what the step in progress will add to `completed`; 0 where unknown
    completed: float = 0.0
    changed: float = 0.0  # when `completed` last changed

    def update(self, completed: float, now: float, step: float | None = None) -> None:
        """Note how much is completed, and which step begins."""
        if completed != self.completed:
            self.completed, self.changed = completed, now
        if step is not None:
            self.step = step

    def seconds_per_unit(self) -> float | None:
        """Return the time that a unit took; None while too little is completed to tell."""
        enough = min(ENOUGH_SHARE * self.total, ENOUGH_UNITS)
        if not 0 < enough <= self.completed:
            return None
        return (self.changed - self.started) / self.completed


def estimate_time_left(paces: Sequence[Pace], now: float) -> float | None:
    """Return the seconds left of the first piece of work; None if nobody can tell.

    Each further pace is that of the step in progress of the one before it. Between two updates,
    the estimate counts down. Work that takes longer than expected leaves no estimate, not zero,
    unless the pace of the step in progress is known.
    """
    work, *steps = paces
    remaining_units = work.total - work.completed
    step_left = estimate_time_left(steps, now) if steps else None
    seconds = work.seconds_per_unit()
    if seconds is None:
        is_last_step = 0 < remaining_units <= work.step
        return step_left if is_last_step else None
    seconds_left = remaining_units * seconds - (now - work.changed)
    if step_left is not None:
        later = max(0.0, remaining_units - work.step) * seconds if work.step else 0.0
        seconds_left = max(seconds_left, later + step_left)
    return seconds_left if seconds_left > 0 or remaining_units <= 0 else None


def format_seconds(seconds: float) -> str:
    """Format a time as `0:07`, `12:40` or `3:02:10`."""
    minutes, second = divmod(round(max(0.0, seconds)), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
