"""Runs a sweep in several processes of this machine, each with a worker."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from ..errors import HansproofError
from ..executors import processes
from .progress import ProgressEvent, SweepProgress, throttle_events
from .store import MessageCallback, RunStore
from .worker import SweepSpec, Worker


def run_in_processes(
    spec: SweepSpec, jobs: int, progress: SweepProgress, notify: MessageCallback
) -> None:
    """Do all runs in so many processes; the last one that is alive finishes what others leave."""

    def handle_event(process: Hashable, event: ProgressEvent | str | None) -> None:
        if event is None:
            progress.close_worker(process)
        elif isinstance(event, str):
            notify(event)
        else:
            progress.update(process, event)

    exit_codes = processes.run_in_processes(partial(_run_worker, spec), jobs, handle_event)
    if all(exit_codes):
        message = f"all workers were killed (exit codes {', '.join(map(str, exit_codes))})"
        raise HansproofError(
            f"{spec.folder}: {message}; finished runs are saved: start again to resume"
        )


def _run_worker(
    spec: SweepSpec, send_event: processes.SendEvent, keep_going: processes.KeepGoing
) -> None:
    """Do runs until none is left, or until the parent is gone and the current group is finished."""
    with RunStore(spec.folder, send_event) as store:
        Worker(spec, store, throttle_events(send_event), keep_going).run_all()
