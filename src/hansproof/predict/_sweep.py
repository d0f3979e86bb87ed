"""Many runs into a store, by one process or several; whoever is killed, finished runs are kept.

All workers walk the same list and take what is free; what another is at they come back to. A
worker whose parent is gone ends after the run it is in.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing.connection import Connection, wait
from typing import Any

from ..errors import HansproofError
from ..models import load
from ..predictions import Splits
from ..training.store import Entry, Metrics, Say, Store
from ..training.threads import one_thread
from ..types import Benchmark, Predictions
from ._entries import entries
from ._measures import measures
from ._plan import Run, part_of
from ._predict import carried_out

PAUSE = 0.2  # seconds between looks at what others are at


@dataclass(frozen=True, slots=True)
class _Errand:
    """All that a worker needs to know."""

    benchmark: Benchmark
    folder: str
    runs: tuple[Run, ...]
    places: tuple[Entry, ...]


def sweep(
    benchmark: Benchmark,
    runs: Sequence[Run],
    folder: str,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    say: Say = lambda text: None,
) -> tuple[Predictions, ...]:
    """What each run says, from the store where it is finished, else done now by so many processes.

    `progress` is told how many are done; `say` gets a line for each damaged record. With several
    `jobs`, a script calls this under `if __name__ == "__main__"`, as always where processes spawn.
    """
    errand = _Errand(benchmark, folder, tuple(runs), entries(benchmark, runs))
    with Store(folder, say) as store:
        store.tidy()
        done = {at for at, place in enumerate(errand.places) if store.holds(place)}
        progress(len(done))
        try:
            for at in _done(errand, store, min(max(jobs, 1), len(runs) - len(done)), say):
                done.add(at)
                progress(len(done))
        finally:
            store.tidy()
        _mention(store, errand.places, say)
        splits = Splits(benchmark)
        return tuple(store.read(place, splits) for place in errand.places)


def _done(errand: _Errand, store: Store, jobs: int, say: Say) -> Iterator[int]:
    """Positions of runs as they are finished, by whomever; some may come twice."""
    if jobs > 1:
        yield from _side_by_side(errand, jobs, say)
    elif jobs == 1:
        yield from _walk(errand, store, wanted=lambda: True)


def _walk(errand: _Errand, store: Store, wanted: Callable[[], bool]) -> Iterator[int]:
    """Do what is free, then wait for what others are at, and do it if they do not."""
    loaded = cache(load)
    left = list(range(len(errand.runs)))
    while left:
        others = []
        for at in left:
            if not wanted():
                return
            run, place = errand.runs[at], errand.places[at]
            if store.finish(place, partial(_work, errand.benchmark, run, place, loaded)):
                yield at
            else:
                others.append(at)
        left = others
        if left:
            time.sleep(PAUSE)


def _work(
    benchmark: Benchmark, run: Run, place: Entry, loaded: Callable[[str], Any]
) -> tuple[Predictions, Metrics]:
    said = carried_out(benchmark, run, loaded(run.model), place.parts["version"])
    return said, measures(said, part_of(benchmark, run.split))


def _side_by_side(errand: _Errand, jobs: int, say: Say) -> Iterator[int]:
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
        yield from _heard(ears, say)
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


def _heard(ears: list[Connection], say: Say) -> Iterator[int]:
    """What workers tell, until all have ended."""
    while ears:
        for ear in wait(ears):
            assert isinstance(ear, Connection)
            try:
                heard = ear.recv()
            except (EOFError, ConnectionResetError):
                ears.remove(ear)
                continue
            if isinstance(heard, int):
                yield heard
            elif isinstance(heard, str):
                say(heard)
            else:
                raise heard.error()


@dataclass(frozen=True, slots=True)
class _Trouble:
    """An error on its way to the parent: of ours the line, of others the traceback."""

    kind: type[HansproofError] | None
    text: str

    def error(self) -> Exception:
        if self.kind is None:
            return RuntimeError(f"in a worker:\n{self.text}")
        made = self.kind.__new__(self.kind)  # its own arguments are in the line already
        made.args = (self.text,)
        return made


def _worker(errand: _Errand, mouth: Connection, parent: int) -> None:
    """Walk, and tell the parent; end when it is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is asked, and ends its workers
    with suppress(BrokenPipeError):  # nobody listens any more
        try:
            with Store(errand.folder, mouth.send) as store:
                for at in _walk(errand, store, wanted=lambda: os.getppid() == parent):
                    mouth.send(at)
        except BrokenPipeError:
            raise
        except HansproofError as error:
            mouth.send(_Trouble(type(error), str(error)))
        except Exception:
            mouth.send(_Trouble(None, traceback.format_exc()))


def _mention(store: Store, places: Sequence[Entry], say: Say) -> None:
    """Say which records would be read twice by who reads the whole folder."""
    old = store.outdated(places)
    if old:
        runs = "a record" if len(old) == 1 else f"{len(old)} records"
        what = f"also holds {runs} of the same runs by other code, such as {old[0]}"
        say(f"{store.folder}: {what}: move them away before you read '*.jsonl'")
