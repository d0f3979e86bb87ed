"""Runs numbered jobs in threads of this process; all their events arrive in one queue."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

Event = TypeVar("Event")
SendEvent = Callable[[Event], bool]  # returns whether the job should go on
EventQueue = queue.Queue[tuple[int, Event | BaseException]]  # with the number of the job


@contextmanager
def run_in_threads(
    numbers: Sequence[int], run_job: Callable[[int, SendEvent[Event]], None], n_threads: int
) -> Iterator[EventQueue[Event]]:
    """Start threads that call `run_job(number, send_event)` for each number, in order.

    Yields the queue of events. An exception of a job is its last event and ends its thread.
    Leaving the context stops the threads: `send_event` returns False from then on.
    """
    pending, events, stop = deque(numbers), EventQueue[Event](), threading.Event()

    def run_pending() -> None:
        while not stop.is_set():
            try:
                number = pending.popleft()
            except IndexError:
                return

            def send_event(event: Event, number: int = number) -> bool:
                events.put((number, event))
                return not stop.is_set()

            try:
                run_job(number, send_event)
            except BaseException as error:  # raised again by the reader of the queue
                events.put((number, error))
                return

    workers = [threading.Thread(target=run_pending, daemon=True) for _ in range(max(1, n_threads))]
    for worker in workers:
        worker.start()
    try:
        yield events
    finally:
        stop.set()
        for worker in workers:
            worker.join()
