"""Progress as bars on a terminal, drawn by rich."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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

from .time_left import Pace, estimate_time_left, format_seconds


class TimeLeftColumn(ProgressColumn):
    """The time left, counted down between two updates."""

    def render(self, task: Task) -> Text:
        """Render the time left; nothing where nobody can tell."""
        remaining = task.fields["estimate"]()
        return Text("" if remaining is None else f"about {format_seconds(remaining)} left", "dim")


class ProgressBars:
    """Draws one bar for each task."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._paces: dict[TaskID, Pace] = {}  # in the order in which bars were opened

    def add_task(self, label: str, total: float, step: float = 0.0) -> TaskID:
        """Add a bar."""
        pace = Pace(total, self._progress.get_time(), step)
        task = self._progress.add_task(
            label,
            total=total,
            count=_format_count(0, total),
            estimate=lambda: self._estimate_from(pace),
        )
        self._paces[task] = pace
        return task

    def update(
        self, task: TaskID, completed: float, label: str, count: str = "",
        step: float | None = None,
    ) -> None:  # fmt: skip
        """Move a bar, and note when."""
        pace = self._paces[task]
        pace.update(completed, self._progress.get_time(), step)
        count = count or _format_count(completed, pace.total)
        self._progress.update(task, description=label, completed=completed, count=count)

    def advance(self, task: TaskID) -> None:
        """Move a bar by one."""
        drawn = self._progress.tasks[self._progress.task_ids.index(task)]
        self.update(task, drawn.completed + 1, drawn.description)

    def remove_task(self, task: TaskID) -> None:
        """Take a bar away."""
        self._progress.remove_task(task)
        del self._paces[task]

    def _estimate_from(self, pace: Pace) -> float | None:
        """Estimate the time left of a bar; the bars below it are about its steps."""
        paces = [*self._paces.values()]  # drawn by another thread, while bars come and go
        first = next((i for i, other in enumerate(paces) if other is pace), len(paces))
        return (
            estimate_time_left(paces[first:], self._progress.get_time()) if paces[first:] else None
        )


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
