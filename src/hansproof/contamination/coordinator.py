"""Coordinates a scan: collects finished shards, saves checkpoints, writes the result.

Threads are enough, as the compiled scanner releases the interpreter lock.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable

from ..executors.threads import EventQueue, SendEvent, run_in_threads
from . import checkpoint
from .checkpoint import ScanProgress
from .result import ScanResult, build_result, write_result
from .scan import ScanPlan, ShardState
from .scanner.hits import ScanHits

MAX_SAVE_SHARE = 0.05  # largest share of the time that is spent on saving checkpoints

ShowProgress = Callable[[int, int], None]  # bytes done, hits so far
ShardEvent = ScanHits | ShardState | int  # final hits; state to resume from; bytes done


def scan_in_threads(
    plan: ScanPlan, output: str, threads: int = 1, interval: float = 3.0,
    show_progress: ShowProgress = lambda bytes_done, hits: None,
) -> ScanResult:  # fmt: skip
    """Scan all shards that are not finished yet, and write the result.

    A checkpoint is kept beside the output until the scan is finished.
    """
    progress = checkpoint.read_checkpoint(output, plan)
    coordinator = ScanCoordinator(plan, output, progress, interval, show_progress)
    remaining, unfinished = progress.remaining_shards(plan), dict(progress.unfinished)
    assert plan.prepared_index  # built once, before the threads start

    def scan_shard(number: int, send_event: SendEvent[ShardEvent]) -> None:
        def on_progress(bytes_done: int, state: ShardState | None) -> bool:
            keep_going = send_event(bytes_done)
            return keep_going if state is None else send_event(state)

        scan_hits = plan.scan_shard(number, unfinished.get(number), on_progress, interval)
        if scan_hits is not None:
            send_event(scan_hits)

    with run_in_threads(remaining, scan_shard, threads) as events:
        coordinator.handle_events(events, len(remaining))
    return coordinator.finish()


class ScanCoordinator:
    """Adds up the hits of finished shards, and saves checkpoints."""

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
        self._bytes_in_progress: dict[int, int] = {}  # bytes done of unfinished shards
        self._bytes_done = sum(map(plan.shard_size, progress.records_read))
        self._n_hits = progress.scan_hits.count_hits()

    def handle_events(self, events: EventQueue[ShardEvent], n_remaining: int) -> None:
        """Handle events of workers until all shards are finished."""
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
                self.progress.unfinished[number] = event
            else:
                self._bytes_in_progress[number] = event
            self.report_progress()

    def add_shard(self, number: int, scan_hits: ScanHits) -> None:
        """Add the hits of a finished shard."""
        self.progress.unfinished.pop(number, None)
        self.progress.records_read[number] = scan_hits.records_read
        self.progress.scan_hits.merge(scan_hits)
        self._n_hits += scan_hits.count_hits()
        self._bytes_in_progress.pop(number, None)
        self._bytes_done += self.plan.shard_size(number)

    def report_progress(self) -> None:
        """Show the progress, and save a checkpoint if one is due."""
        self._show_progress(self._bytes_done + sum(self._bytes_in_progress.values()), self._n_hits)
        pause = max(self._interval, self._save_seconds / MAX_SAVE_SHARE)
        if time.monotonic() - self._last_saved >= pause:
            self.save_checkpoint()

    def save_checkpoint(self) -> None:
        """Save a checkpoint, and measure how long that takes."""
        started = time.monotonic()
        checkpoint.write_checkpoint(self.output, self.plan, self.progress)
        self._last_saved = time.monotonic()
        self._save_seconds = self._last_saved - started

    def finish(self) -> ScanResult:
        """Write the result, and remove the checkpoint."""
        records_read = [
            self.progress.records_read[number] for number in range(len(self.plan.shards))
        ]
        result = build_result(self.plan, self.progress.scan_hits, records_read)
        write_result(self.output, result)
        checkpoint.remove_checkpoint(self.output)
        return result
