"""Several processes on this machine, each a walker; as long as one is left, all gets done."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from .._infra.threads import single_threaded
from ..errors import HansproofError
from ..executors.remote_error import RemoteError
from .progress import ProgressEvent, SweepProgress, throttle_events
from .store import MessageCallback, RunStore
from .worker import SweepSpec, Worker


def run_in_processes(
    spec: SweepSpec, jobs: int, progress: SweepProgress, notify: MessageCallback
) -> None:
    """Have all runs done by so many processes."""
    context = multiprocessing.get_context("spawn")
    workers, receivers = [], []
    try:
        with single_threaded():  # what is loaded in a worker starts with that
            for _ in range(jobs):
                receiver, sender = context.Pipe(duplex=False)
                worker = context.Process(target=_run_worker, args=(spec, sender, os.getpid()))
                worker.start()
                sender.close()  # so that its end is heard
                workers.append(worker)
                receivers.append(receiver)
        for receiver, event in _receive_events(receivers):
            _handle_event(receiver, event, progress, notify)
    except BaseException:
        for worker in workers:
            worker.terminate()
        raise
    finally:
        for worker in workers:
            worker.join()
    exit_codes = [worker.exitcode for worker in workers]
    if all(exit_codes):  # as long as one is left, it does what the others leave
        message = f"all workers were killed (exit codes {', '.join(map(str, exit_codes))})"
        raise HansproofError(f"{spec.folder}: {message}; finished runs are kept: start again")


def _receive_events(
    receivers: list[Connection],
) -> Iterator[tuple[Connection, ProgressEvent | RemoteError | str | None]]:
    """What workers tell, until all have ended; None is the last word of each."""
    while receivers:
        for receiver in wait(receivers):
            assert isinstance(receiver, Connection)
            try:
                yield receiver, receiver.recv()
            except (EOFError, ConnectionResetError):
                receivers.remove(receiver)
                yield receiver, None


def _handle_event(
    receiver: Connection,
    event: ProgressEvent | RemoteError | str | None,
    progress: SweepProgress,
    notify: MessageCallback,
) -> None:
    if event is None:
        progress.close_worker(receiver)
    elif isinstance(event, str):
        notify(event)
    elif isinstance(event, RemoteError):
        raise event.to_exception()
    else:
        progress.update(receiver, event)


def _run_worker(spec: SweepSpec, sender: Connection, parent_pid: int) -> None:
    """Walk, and tell the parent; end when it is gone, but not in the middle of a group."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is asked, and ends its workers

    def send_event(event: ProgressEvent | RemoteError | str) -> None:
        with suppress(BrokenPipeError):  # nobody listens any more
            sender.send(event)

    try:
        with RunStore(spec.folder, send_event) as store:
            Worker(
                spec, store, throttle_events(send_event), lambda: os.getppid() == parent_pid
            ).run_all()
    except Exception as error:
        send_event(RemoteError.from_exception(error))
