"""Progress as bars on a terminal, drawn by rich."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from .time_left import estimate_time_left, format_seconds


class TimeLeftColumn(ProgressColumn):
    """The time left, counted down from the last step that ended."""

    def render(self, task: Task) -> Text:
        """Render the time left; nothing where nobody can tell."""
        elapsed, noted = task.elapsed, task.fields.get("elapsed_then", 0.0)
        if elapsed is None or not task.total:
            return Text()
        remaining = estimate_time_left(noted, task.completed / task.total, elapsed - noted)
        return Text("" if remaining is None else f"about {format_seconds(remaining)} left", "dim")


class ProgressBars:
    """Draws one bar for each task."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def add_task(self, label: str, total: float) -> TaskID:
        """Add a bar."""
        count = _format_count(0, total)
        return self._progress.add_task(label, total=total, count=count, elapsed_then=0.0)

    def update(self, task: TaskID, completed: float, label: str, count: str = "") -> None:
        """Move a bar, and note when."""
        drawn = self._progress.tasks[self._progress.task_ids.index(task)]
        fields: dict[str, Any] = {"count": count or _format_count(completed, drawn.total or 0)}
        if completed != drawn.completed:
            fields["elapsed_then"] = drawn.elapsed or 0.0
        self._progress.update(task, description=label, completed=completed, **fields)

    def advance(self, task: TaskID) -> None:
        """Move a bar by one."""
        drawn = self._progress.tasks[self._progress.task_ids.index(task)]
        self.update(task, drawn.completed + 1, drawn.description)

    def remove_task(self, task: TaskID) -> None:
        """Take a bar away."""
        self._progress.remove_task(task)


@contextmanager
def open_bars() -> Iterator[ProgressBars]:
    """Open the display; it disappears when the block ends."""
    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(),
        TextColumn("{task.fields[count]}"), TimeElapsedColumn(), TimeLeftColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        yield ProgressBars(progress)


def _format_count(completed: float, total: float) -> str:
    return f"{completed:,.0f} of {total:,.0f}"
