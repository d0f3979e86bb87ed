"""A scan by as many threads as there are cores; the compiled part holds no lock of Python's."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from . import checkpoint
from .checkpoint import Begun, Progress
from .found import Found, found, write
from .job import Job, Reached
from .tally import Tally

WRITING = 0.05  # of the time, at most, goes into writing down how far it is

Show = Callable[[int, int], None]  # bytes done, hits so far


def run(
    job: Job, output: str, threads: int = 1, every: float = 3.0,
    show: Show = lambda done, hits: None,
) -> Found:  # fmt: skip
    """Scan all that is not done yet, and write the result.

    How far it is lies beside the output until all is done.
    """
    progress = checkpoint.read(output, job)
    left = [number for number in range(len(job.parts)) if number not in progress.numbered]
    keeper = Keeper(job, output, progress, every, show)
    with _workers(job, left, progress, threads, every) as events:
        keeper.listen(events, len(left))
    return keeper.finish()


class Keeper:
    """Takes in what is done, and writes down how far it is."""

    def __init__(self, job: Job, output: str, progress: Progress, every: float, show: Show) -> None:
        self.job, self.output, self.progress = job, output, progress
        self._every, self._show = every, show
        self._written, self._took = time.monotonic(), 0.0
        self._at: dict[int, int] = {}  # bytes of parts that are begun
        self._done = sum(map(job.size, progress.numbered))
        self._hits = progress.tally.hits()

    def listen(self, events: queue.Queue[Event], left: int) -> None:
        """Until all parts are done."""
        while left:
            try:
                number, event = events.get(timeout=0.2)
            except queue.Empty:
                self.look()
                continue
            if isinstance(event, BaseException):
                self.write()
                raise event
            if isinstance(event, Tally):
                left -= 1
                self.take(number, event)
            elif isinstance(event, Reached):
                self.progress.begun[number] = Begun.of(event)
            else:
                self._at[number] = event
            self.look()

    def take(self, number: int, tally: Tally) -> None:
        """A part is done."""
        self.progress.begun.pop(number, None)
        self.progress.numbered[number] = tally.numbered
        self.progress.tally.add(tally)
        self._hits += tally.hits()
        self._at.pop(number, None)
        self._done += self.job.size(number)

    def look(self) -> None:
        """Show how far it is, and write it down if it is time."""
        self._show(self._done + sum(self._at.values()), self._hits)
        pause = max(self._every, self._took / WRITING)
        if time.monotonic() - self._written >= pause:
            self.write()

    def write(self) -> None:
        """Write down how far it is."""
        began = time.monotonic()
        checkpoint.write(self.output, self.job, self.progress)
        self._written = time.monotonic()
        self._took = self._written - began

    def finish(self) -> Found:
        """All is done: write the result, and forget how far it was."""
        numbered = [self.progress.numbered[at] for at in range(len(self.job.parts))]
        result = found(self.job, self.progress.tally, numbered)
        write(self.output, result)
        checkpoint.remove(self.output)
        return result


Event = tuple[int, Tally | Reached | int | BaseException]


@contextmanager
def _workers(
    job: Job, left: list[int], progress: Progress, threads: int, every: float
) -> Iterator[queue.Queue[Event]]:
    """Threads at work on some parts; they stop when this is left."""
    todo, events, stop = deque(left), queue.Queue[Event](), threading.Event()
    begun = dict(progress.begun)
    assert job.finder  # made once, before there are several

    def work() -> None:
        while not stop.is_set():
            try:
                number = todo.popleft()
            except IndexError:
                return
            try:
                known = begun[number].reached() if number in begun else None

                def tell(at: int, reached: Reached | None, number: int = number) -> bool:
                    events.put((number, at))
                    if reached is not None:
                        events.put((number, reached))
                    return not stop.is_set()

                tally = job.done(number, known, tell, every)
                if tally is not None:
                    events.put((number, tally))
            except BaseException as error:  # said where the scan was asked for
                events.put((number, error))
                return

    crew = [threading.Thread(target=work, daemon=True) for _ in range(max(1, threads))]
    for one in crew:
        one.start()
    try:
        yield events
    finally:
        stop.set()
        for one in crew:
            one.join()
