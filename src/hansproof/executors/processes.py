"""Runs the same work in several processes of this machine, and receives their events.

The work divides itself among the processes (by record locks, for example): a process that is
killed leaves its share to the others.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from .._infra.threads import single_threaded
from .remote_error import RemoteError

SendEvent = Callable[[Any], None]
KeepGoing = Callable[[], bool]  # whether the parent process is still alive
Work = Callable[[SendEvent, KeepGoing], None]  # must be picklable
HandleEvent = Callable[[Hashable, Any], None]  # the process; its event, or None when it has ended


def run_in_processes(work: Work, n_processes: int, handle_event: HandleEvent) -> list[int | None]:
    """Run `work(send_event, keep_going)` in each of several spawned processes.

    Calls `handle_event` for every event, until all processes have ended, and returns their exit
    codes. An exception in a process is raised here, after the other processes are terminated.
    """
    context = multiprocessing.get_context("spawn")
    workers, receivers = [], []
    try:
        # what a worker inherits: its libraries use one thread, and Ctrl-C reaches only this process
        with single_threaded(), _interrupts_blocked():
            for _ in range(n_processes):
                receiver, sender = context.Pipe(duplex=False)
                worker = context.Process(target=_run_worker, args=(work, sender, os.getpid()))
                worker.start()
                sender.close()  # so that the pipe closes when the worker ends
                workers.append(worker)
                receivers.append(receiver)
        for receiver, event in _receive_events(receivers):
            if isinstance(event, RemoteError):
                raise event.to_exception()
            handle_event(receiver, event)
    except BaseException:
        for worker in workers:
            worker.terminate()
        raise
    finally:
        for worker in workers:
            worker.join()
    return [worker.exitcode for worker in workers]


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Hold Ctrl-C back until the block ends; processes that are started in it never receive it."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    resource_tracker.ensure_running()  # else it starts with the first worker and lifts the block
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with _interrupts_deferred():
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


@contextmanager
def _interrupts_deferred() -> Iterator[None]:
    """Raise KeyboardInterrupt only when the block ends.

    A mask is not enough: if another thread receives the signal, Python raises in the main thread
    all the same, and a worker that is being started would print a traceback.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    received: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if received:
            signal.raise_signal(signal.SIGINT)


def _receive_events(receivers: list[Connection]) -> Iterator[tuple[Connection, Any]]:
    """Yield the events of all workers until the last has ended; None is the last of each."""
    while receivers:
        for receiver in wait(receivers):
            assert isinstance(receiver, Connection)
            try:
                yield receiver, receiver.recv()
            except (EOFError, ConnectionResetError):
                receivers.remove(receiver)
                yield receiver, None


def _run_worker(work: Work, sender: Connection, parent_pid: int) -> None:
    """Do the work in this process; the work should end soon after the parent has."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles it and ends its workers

    def send_event(event: Any) -> None:
        with suppress(BrokenPipeError):  # the parent is gone
            sender.send(event)

    try:
        work(send_event, lambda: os.getppid() == parent_pid)
    except Exception as error:
        send_event(RemoteError.from_exception(error))
