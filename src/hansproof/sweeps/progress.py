"""The progress of a sweep: finished runs, and the shares of runs that are in progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

MIN_EVENT_SECONDS = 0.2  # between two reports of runs in progress

# called with the number of finished runs, plus shares of those in progress, and the last accuracy
SweepCallback = Callable[[float, float | None], None]


@dataclass(frozen=True, slots=True)
class RunDone:
    """A run is finished, by any process; `accuracy` if it is known."""

    index: int  # of the run in the sweep
    accuracy: float | None = None


@dataclass(frozen=True, slots=True)
class RunsInProgress:
    """How much unfinished work a worker has done, as a number of runs."""

    runs: float
    accuracy: float | None = None


ProgressEvent = RunDone | RunsInProgress
EventCallback = Callable[[ProgressEvent], None]


class SweepProgress:
    """Adds up the progress of all workers and reports each change to a callback."""

    def __init__(self, callback: SweepCallback, finished: Iterable[int]) -> None:
        self.finished = set(finished)
        self._callback = callback
        self._in_progress: dict[Hashable, float] = {}
        self._closed: set[Hashable] = set()
        self._last_accuracy: float | None = None
        self._last_state: tuple[float, float | None] | None = None
        self._report_state()

    def update(self, worker: Hashable, event: ProgressEvent) -> None:
        """Take in an event of a worker; events may arrive twice or late."""
        if isinstance(event, RunsInProgress):
            self._in_progress[worker] = 0.0 if worker in self._closed else event.runs
        elif event.index not in self.finished:
            self.finished.add(event.index)
            self._in_progress[worker] = max(0.0, self._in_progress.get(worker, 0.0) - 1)
        if event.accuracy is not None:
            self._last_accuracy = event.accuracy
        self._report_state()

    def close_worker(self, worker: Hashable) -> None:
        """Drop a worker's share in progress: its runs are finished or lost."""
        self._closed.add(worker)
        self._in_progress.pop(worker, None)
        self._report_state()

    def _report_state(self) -> None:
        state = (len(self.finished) + sum(self._in_progress.values()), self._last_accuracy)
        if state != self._last_state:
            self._last_state = state
            self._callback(*state)


def throttle_events(send_event: EventCallback) -> EventCallback:
    """Limit how often runs in progress are reported, as a model may report every step."""
    last_sent = 0.0

    def send_throttled(event: ProgressEvent) -> None:
        nonlocal last_sent
        now = time.monotonic()
        if isinstance(event, RunDone) or now - last_sent >= MIN_EVENT_SECONDS:
            last_sent = now
            send_event(event)

    return send_throttled
