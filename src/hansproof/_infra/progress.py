"""Progress with the time left, on stderr: bars on a terminal, else a plain line now and then.

rich is imported when the first bar opens, not with this module. Bars that are opened while another
is open share its display: a terminal has room for one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

MIB_BITS = 20  # n >> MIB_BITS are the MiB of n bytes, the unit of bars over files


class _Display(Protocol):
    """Shows how far tasks are."""

    def add_task(self, label: str, total: float, step: float = 0.0) -> Any: ...
    def update(
        self, task: Any, completed: float, label: str, count: str = "", step: float | None = None
    ) -> None: ...
    def advance(self, task: Any) -> None: ...
    def remove_task(self, task: Any) -> None: ...


_open_displays: list[_Display] = []
_silences: list[bool] = []  # one for each `no_progress` that is open


@dataclass(frozen=True, slots=True)
class ProgressBar:
    """One line of the display: a label and how much of a total is done."""

    _display: _Display
    _task: Any

    def update(
        self, completed: float, label: str, count: str = "", step: float | None = None
    ) -> None:
        """Show that `completed` of the total is done, with a new label.

        `count` is shown instead of the two numbers. `step` is what the step in progress will add.
        """
        self._display.update(self._task, completed, label, count, step)

    def advance(self) -> None:
        """Show that one more is done."""
        self._display.advance(self._task)


@contextmanager
def no_progress() -> Iterator[None]:
    """Show no progress while the block runs."""
    _silences.append(True)
    try:
        yield
    finally:
        _silences.pop()


@contextmanager
def bar(total: float, label: str, step: float = 0.0) -> Iterator[ProgressBar]:
    """Open a bar; it disappears when the block ends.

    `step` is what each step adds, if that is known: bars that are opened meanwhile show how far
    the step is.
    """
    with _shared_display() as display:
        task = display.add_task(label, total, step)
        try:
            yield ProgressBar(display, task)
        finally:
            display.remove_task(task)


def track(sequence: Iterable[T], total: int, label: str) -> Iterator[T]:
    """Iterate over a sequence, with a bar while the iteration lasts."""
    with bar(total, label, step=1) as progress_bar:
        for element in sequence:
            yield element
            progress_bar.advance()


def track_optional(sequence: Sequence[T], label: str) -> Iterable[T]:
    """Iterate over a sequence, with a bar if rich is installed."""
    return track(sequence, len(sequence), label) if has_rich() else sequence


def has_rich() -> bool:
    """Whether bars can be drawn: a machine for training may lack rich."""
    try:
        import rich  # noqa: F401
    except ImportError:
        return False
    return True


@contextmanager
def step_bar(costs: Mapping[str, float]) -> Iterator[Callable[[str], None]]:
    """Open a bar over named steps; call the yielded function with a step's name as it begins.

    `costs` says how long steps take compared with each other, for the time left.
    """
    names = [*costs]
    with bar(sum(costs.values()), "") as progress_bar:
        progress_bar.update(0, "", f"0 of {len(names)}")

        def start_step(name: str) -> None:
            index = names.index(name)
            completed = sum(costs[earlier] for earlier in names[:index])
            count = f"{index + 1} of {len(names)}"
            progress_bar.update(completed, name.replace("_", " "), count, costs[name])

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
def _shared_display() -> Iterator[_Display]:
    """Yield the open display, or open one: bars on a terminal, else lines."""
    if _open_displays:
        yield _open_displays[-1]
        return
    with _open_display() as display:
        _open_displays.append(display)
        try:
            yield display
        finally:
            _open_displays.remove(display)


@contextmanager
def _open_display() -> Iterator[_Display]:
    if _silences:
        yield _NoDisplay()
    elif _is_terminal():
        from .progress_bars import open_bars

        with open_bars() as bars:
            yield bars
    else:
        from .progress_lines import ProgressLines

        yield ProgressLines()


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


class _NoDisplay:
    """Shows nothing."""

    def add_task(self, label: str, total: float, step: float = 0.0) -> None:
        pass

    def update(
        self, task: None, completed: float, label: str, count: str = "", step: float | None = None
    ) -> None:
        pass

    def advance(self, task: None) -> None:
        pass

    def remove_task(self, task: None) -> None:
        pass
