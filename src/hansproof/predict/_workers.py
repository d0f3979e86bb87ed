"""Several processes on this machine, each a walker; as long as one is left, all gets done."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait

from ..errors import HansproofError
from ..training.store import Say, Store
from ..training.threads import one_thread
from ._tally import Step, Tally, sparing
from ._trouble import Trouble
from ._walk import Errand, Walker


def side_by_side(errand: Errand, jobs: int, tally: Tally, say: Say) -> None:
    """Have all runs done by so many processes."""
    context = multiprocessing.get_context("spawn")
    workers, ears = [], []
    try:
        with one_thread():  # what is loaded in a worker starts with that
            for _ in range(jobs):
                ear, mouth = context.Pipe(duplex=False)
                worker = context.Process(target=_worker, args=(errand, mouth, os.getpid()))
                worker.start()
                mouth.close()  # so that its end is heard
                workers.append(worker)
                ears.append(ear)
        for ear, heard in _heard(ears):
            _attend(ear, heard, tally, say)
    except BaseException:
        for worker in workers:
            worker.terminate()
        raise
    finally:
        for worker in workers:
            worker.join()
    ends = [worker.exitcode for worker in workers]
    if all(ends):  # as long as one is left, it does what the others leave
        what = f"all workers were killed (exit codes {', '.join(map(str, ends))})"
        raise HansproofError(f"{errand.folder}: {what}; finished runs are kept: start again")


def _heard(ears: list[Connection]) -> Iterator[tuple[Connection, Step | Trouble | str | None]]:
    """What workers tell, until all have ended; None is the last word of each."""
    while ears:
        for ear in wait(ears):
            assert isinstance(ear, Connection)
            try:
                yield ear, ear.recv()
            except (EOFError, ConnectionResetError):
                ears.remove(ear)
                yield ear, None


def _attend(who: Connection, heard: Step | Trouble | str | None, tally: Tally, say: Say) -> None:
    if heard is None:
        tally.ended(who)
    elif isinstance(heard, str):
        say(heard)
    elif isinstance(heard, Trouble):
        raise heard.error()
    else:
        tally.hear(who, heard)


def _worker(errand: Errand, mouth: Connection, parent: int) -> None:
    """Walk, and tell the parent; end when it is gone, but not in the middle of a group."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is asked, and ends its workers

    def tell(what: Step | Trouble | str) -> None:
        with suppress(BrokenPipeError):  # nobody listens any more
            mouth.send(what)

    try:
        with Store(errand.folder, tell) as store:
            Walker(errand, store, sparing(tell), lambda: os.getppid() == parent).walk()
    except Exception as error:
        tell(Trouble.of(error))
