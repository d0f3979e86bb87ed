"""Progress as plain lines, for logs and pipes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from .time_left import Pace, estimate_time_left, format_seconds

SECONDS_BETWEEN_LINES = 10.0  # work that takes less prints nothing


@dataclass(slots=True)
class LineTask:
    """How far one piece of work is."""

    label: str
    pace: Pace
    count: str = ""  # how far it is, in words; else completed and total


class ProgressLines:
    """Prints a line on stderr now and then; the outermost task is the one it is about."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tasks: list[LineTask] = []
        self._last_line = clock()

    def add_task(self, label: str, total: float, step: float = 0.0) -> LineTask:
        """Add a task; tasks that are added later are steps of it."""
        task = LineTask(label, Pace(total, self._clock(), step))
        self._tasks.append(task)
        return task

    def update(
        self, task: LineTask, completed: float, label: str, count: str = "",
        step: float | None = None,
    ) -> None:  # fmt: skip
        """Note how far a task is, and print it if the last line was long ago."""
        now = self._clock()
        task.label, task.count = label, count
        task.pace.update(completed, now, step)
        if now - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = now
            print(self._describe(now), file=sys.stderr, flush=True)  # noqa: T201

    def advance(self, task: LineTask) -> None:
        """Note that one more step of a task is done."""
        self.update(task, task.pace.completed + 1, task.label)

    def remove_task(self, task: LineTask) -> None:
        """Forget a task that has ended."""
        self._tasks.remove(task)

    def _describe(self, now: float) -> str:
        elapsed = now - self._tasks[0].pace.started
        steps = " > ".join(f"{task.label} {_format_count(task)}".strip() for task in self._tasks)
        remaining = estimate_time_left([task.pace for task in self._tasks], now)
        estimate = f", about {format_seconds(remaining)} left" if remaining is not None else ""
        return f"hansproof: {steps}, {format_seconds(elapsed)} so far{estimate}"


def _format_count(task: LineTask) -> str:
    return task.count or f"{task.pace.completed:,.0f} of {task.pace.total:,.0f}"
