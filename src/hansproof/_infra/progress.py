"""A bar with the time left, on stderr, when somebody is looking."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

_open_bars: list[Progress] = []  # the bar on screen, if any: a terminal has room for one


@contextmanager
def step_bar(total: int) -> Iterator[Callable[[str], None]]:
    """A bar over named steps; call what it yields as each begins."""
    with _shared_bar() as bar:
        task = bar.add_task("", total=total)
        n_started = 0

        def start_step(name: str) -> None:
            nonlocal n_started
            bar.update(task, description=name, completed=n_started)
            n_started += 1

        yield start_step


def track(sequence: Iterable[T], total: int, name: str) -> Iterator[T]:
    """The same sequence, with a line of the bar for it while it lasts."""
    with _shared_bar() as bar:
        task = bar.add_task(name, total=total)
        for element in sequence:
            yield element
            bar.advance(task)
        bar.remove_task(task)


class CountCallback(Protocol):
    """Told how many are done, some in part, and how accurate the last was, if that is known."""

    def __call__(self, n_done: float, accuracy: float | None = None) -> None: ...


@contextmanager
def count_bar(total: int, name: str) -> Iterator[CountCallback]:
    """A bar over what several may be at; call what it yields as they get on."""
    with _shared_bar() as bar:
        task = bar.add_task(name, total=total)

        def update_bar(n_done: float, accuracy: float | None = None) -> None:
            description = name if accuracy is None else f"{name} ({accuracy:.1%} right)"
            bar.update(task, description=description, completed=n_done)

        yield update_bar
        bar.remove_task(task)


@contextmanager
def amount_bar(total: int, name: str) -> Iterator[Callable[[int, str], None]]:
    """A bar over an amount; call what it yields with how much is done, and what to say."""
    with _shared_bar() as bar:
        task = bar.add_task(name, total=total)

        def update_bar(n_done: int, description: str) -> None:
            bar.update(task, description=description, completed=n_done)

        yield update_bar
        bar.remove_task(task)


@contextmanager
def _shared_bar() -> Iterator[Progress]:
    """The bar that is open, or a new one."""
    if _open_bars:
        yield _open_bars[-1]
        return
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    bar = progress.Progress(
        progress.TextColumn("{task.description}"), progress.BarColumn(),
        progress.MofNCompleteColumn(), progress.TimeElapsedColumn(), progress.TextColumn("left"),
        progress.TimeRemainingColumn(),
        console=console, transient=True, disable=not console.is_terminal,
        speed_estimate_period=3600,  # seconds: some steps take minutes
    )  # fmt: skip
    with bar:
        _open_bars.append(bar)
        try:
            yield bar
        finally:
            _open_bars.remove(bar)
