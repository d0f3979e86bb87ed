"""A scan by as many threads as there are cores; the compiled part holds no lock of Python's."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from . import checkpoint
from .checkpoint import SavedShardState, ScanProgress
from .result import ScanResult, build_result, write_result
from .scan import ScanPlan, ShardState
from .scanner.hits import ScanHits

MAX_SAVE_SHARE = 0.05  # of the time, at most, goes into writing down how far it is

ShowProgress = Callable[[int, int], None]  # bytes done, hits so far


def scan_in_threads(
    plan: ScanPlan, output: str, threads: int = 1, interval: float = 3.0,
    show_progress: ShowProgress = lambda bytes_done, hits: None,
) -> ScanResult:  # fmt: skip
    """Scan all that is not done yet, and write the result.

    How far it is lies beside the output until all is done.
    """
    progress = checkpoint.read_checkpoint(output, plan)
    remaining = [
        number for number in range(len(plan.shards)) if number not in progress.records_read
    ]
    coordinator = ScanCoordinator(plan, output, progress, interval, show_progress)
    with _worker_threads(plan, remaining, progress, threads, interval) as events:
        coordinator.handle_events(events, len(remaining))
    return coordinator.finish()


class ScanCoordinator:
    """Takes in what is done, and writes down how far it is."""

    def __init__(
        self,
        plan: ScanPlan,
        output: str,
        progress: ScanProgress,
        interval: float,
        show_progress: ShowProgress,
    ) -> None:
        self.plan, self.output, self.progress = plan, output, progress
        self._interval, self._show_progress = interval, show_progress
        self._last_saved, self._save_seconds = time.monotonic(), 0.0
        self._bytes_in_progress: dict[int, int] = {}  # bytes of parts that are begun
        self._bytes_done = sum(map(plan.shard_size, progress.records_read))
        self._n_hits = progress.scan_hits.count_hits()

    def handle_events(self, events: queue.Queue[WorkerEvent], n_remaining: int) -> None:
        """Until all parts are done."""
        while n_remaining:
            try:
                number, event = events.get(timeout=0.2)
            except queue.Empty:
                self.report_progress()
                continue
            if isinstance(event, BaseException):
                self.save_checkpoint()
                raise event
            if isinstance(event, ScanHits):
                n_remaining -= 1
                self.add_shard(number, event)
            elif isinstance(event, ShardState):
                self.progress.unfinished[number] = SavedShardState.from_state(event)
            else:
                self._bytes_in_progress[number] = event
            self.report_progress()

    def add_shard(self, number: int, scan_hits: ScanHits) -> None:
        """A part is done."""
        self.progress.unfinished.pop(number, None)
        self.progress.records_read[number] = scan_hits.records_read
        self.progress.scan_hits.merge(scan_hits)
        self._n_hits += scan_hits.count_hits()
        self._bytes_in_progress.pop(number, None)
        self._bytes_done += self.plan.shard_size(number)

    def report_progress(self) -> None:
        """Show how far it is, and write it down if it is time."""
        self._show_progress(self._bytes_done + sum(self._bytes_in_progress.values()), self._n_hits)
        pause = max(self._interval, self._save_seconds / MAX_SAVE_SHARE)
        if time.monotonic() - self._last_saved >= pause:
            self.save_checkpoint()

    def save_checkpoint(self) -> None:
        """Write down how far it is."""
        started = time.monotonic()
        checkpoint.write_checkpoint(self.output, self.plan, self.progress)
        self._last_saved = time.monotonic()
        self._save_seconds = self._last_saved - started

    def finish(self) -> ScanResult:
        """All is done: write the result, and forget how far it was."""
        records_read = [
            self.progress.records_read[number] for number in range(len(self.plan.shards))
        ]
        result = build_result(self.plan, self.progress.scan_hits, records_read)
        write_result(self.output, result)
        checkpoint.remove_checkpoint(self.output)
        return result


WorkerEvent = tuple[int, ScanHits | ShardState | int | BaseException]


@contextmanager
def _worker_threads(
    plan: ScanPlan, remaining: list[int], progress: ScanProgress, n_threads: int, interval: float
) -> Iterator[queue.Queue[WorkerEvent]]:
    """Threads at work on some parts; they stop when this is left."""
    pending, events, stop = deque(remaining), queue.Queue[WorkerEvent](), threading.Event()
    unfinished = dict(progress.unfinished)
    assert plan.prepared_index  # made once, before there are several

    def scan_pending() -> None:
        while not stop.is_set():
            try:
                number = pending.popleft()
            except IndexError:
                return
            try:
                resume_from = unfinished[number].to_state() if number in unfinished else None

                def on_progress(
                    bytes_done: int, state: ShardState | None, number: int = number
                ) -> bool:
                    events.put((number, bytes_done))
                    if state is not None:
                        events.put((number, state))
                    return not stop.is_set()

                scan_hits = plan.scan_shard(number, resume_from, on_progress, interval)
                if scan_hits is not None:
                    events.put((number, scan_hits))
            except BaseException as error:  # said where the scan was asked for
                events.put((number, error))
                return

    workers = [threading.Thread(target=scan_pending, daemon=True) for _ in range(max(1, n_threads))]
    for worker in workers:
        worker.start()
    try:
        yield events
    finally:
        stop.set()
        for worker in workers:
            worker.join()
