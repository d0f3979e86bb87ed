"""Progress bars with the time left, on stderr, drawn only on a terminal.

rich is imported when the first bar opens, not with this module. Bars that are opened while another
is open share its display: a terminal has room for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

T = TypeVar("T")

_open_displays: list[Progress] = []


@dataclass(frozen=True, slots=True)
class ProgressBar:
    """One line of the display: a label and how much of a total is done."""

    _display: Progress
    _task: TaskID

    def update(self, completed: float, label: str) -> None:
        """Show that `completed` of the total is done, with a new label."""
        self._display.update(self._task, description=label, completed=completed)

    def advance(self) -> None:
        """Show that one more is done."""
        self._display.advance(self._task)


@contextmanager
def bar(total: int, label: str) -> Iterator[ProgressBar]:
    """Open a bar; it disappears when the block ends."""
    with _shared_display() as display:
        task = display.add_task(label, total=total)
        yield ProgressBar(display, task)
        display.remove_task(task)


def track(sequence: Iterable[T], total: int, label: str) -> Iterator[T]:
    """Iterate over a sequence, with a bar while the iteration lasts."""
    with bar(total, label) as progress_bar:
        for element in sequence:
            yield element
            progress_bar.advance()


def track_optional(sequence: Sequence[T], label: str) -> Iterable[T]:
    """Iterate over a sequence, with a bar if rich is installed."""
    try:
        import rich  # noqa: F401
    except ImportError:
        return sequence
    return track(sequence, len(sequence), label)


@contextmanager
def step_bar(total: int) -> Iterator[Callable[[str], None]]:
    """Open a bar over named steps; call the yielded function with a step's name as it begins."""
    n_started = 0
    with bar(total, "") as progress_bar:

        def start_step(name: str) -> None:
            nonlocal n_started
            progress_bar.update(n_started, name)
            n_started += 1

        yield start_step


class CountCallback(Protocol):
    """Takes how many runs are done, fractions included, and the accuracy of the last, if known."""

    def __call__(self, n_done: float, accuracy: float | None = None) -> None: ...


@contextmanager
def count_bar(total: int, label: str) -> Iterator[CountCallback]:
    """Open a bar whose label shows an accuracy; call the yielded function to update it."""
    with bar(total, label) as progress_bar:

        def update_bar(n_done: float, accuracy: float | None = None) -> None:
            suffix = "" if accuracy is None else f" ({accuracy:.1%} right)"
            progress_bar.update(n_done, label + suffix)

        yield update_bar


@contextmanager
def _shared_display() -> Iterator[Progress]:
    """Yield the open display, or open one."""
    if _open_displays:
        yield _open_displays[-1]
        return
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    display = progress.Progress(
        progress.TextColumn("{task.description}"), progress.BarColumn(),
        progress.MofNCompleteColumn(), progress.TimeElapsedColumn(), progress.TextColumn("left"),
        progress.TimeRemainingColumn(),
        console=console, transient=True, disable=not console.is_terminal,
        speed_estimate_period=3600,  # seconds: some steps take minutes
    )  # fmt: skip
    with display:
        _open_displays.append(display)
        try:
            yield display
        finally:
            _open_displays.remove(display)
