"""The same sweep by Ray: groups of runs as tasks, on this machine or on a cluster.

All work in one store, so its folder must be the same for all (a shared filesystem), and hansproof
be installed wherever Ray runs. A task whose worker is killed is done again by Ray, and finds
finished what was finished. Ray pickles our own objects between our own processes; nothing that
somebody else wrote is unpickled.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, groupby
from typing import Any

from ..cluster import cluster, move
from ..errors import HansproofError
from ..models import load
from ..training.store import Say, Store
from ._fits import room
from ._tally import Done, Step, Tally, sparing
from ._trouble import Trouble
from ._walk import PAUSE, Errand, Walker, alike

RETRIES = 3  # of a task whose worker was killed
LOOK = 0.3  # seconds between looks at what tasks tell
GLANCE = 0.01  # of a GPU: for asking a model what it wants
QUARTER = 0.25  # of a GPU: for a model that trains one run at a time on it

Needs = dict[str, float]


def scattered(errand: Errand, jobs: int, tally: Tally, say: Say) -> None:
    """Have all runs done by Ray; by so many at a time, where Ray is not there already."""
    with cluster(jobs) as ray:
        sweep = _Scatter(ray, errand, tally, say)
        left = [at for at in range(len(errand.runs)) if at not in tally.done]
        while left:
            left = sweep.round(left)
            if left:  # other processes are at these
                time.sleep(PAUSE)


class _Scatter:
    """Hands out groups of runs, and listens."""

    def __init__(self, ray: Any, errand: Errand, tally: Tally, say: Say) -> None:
        self._ray, self._errand, self._tally, self._say = ray, errand, tally, say
        self._parcel = ray.put(_Parcel(_absolute(errand), os.getcwd()))
        self._board = ray.remote(num_cpus=0, max_restarts=-1)(_Board).remote()
        self._numbers = count()
        self._wants = cache(self._asked)

    def round(self, left: Sequence[int]) -> list[int]:
        """Have what is free of these done; those that others are at."""
        task = self._ray.remote(max_retries=RETRIES)(_group)
        pending = {}
        for group, needs in self._groups(left):
            number = next(self._numbers)
            ref = task.options(**needs).remote(self._parcel, group, number, self._board)
            pending[ref] = (number, group)
        others: list[int] = []
        try:
            while pending:
                refs = [*pending]
                ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=LOOK)
                self._listen()
                for ref in ready:
                    others += self._ended(self._got(ref), *pending.pop(ref))
        finally:
            for ref in pending:
                self._ray.cancel(ref, force=True)
        return others

    def _groups(self, left: Sequence[int]) -> Iterator[tuple[list[int], Needs]]:
        """Runs that differ by seed only, as many as their model wants where it will run."""
        runs = self._errand.runs
        for _, some in groupby(left, key=lambda at: alike(runs[at])):
            same = [*some]
            most, needs = self._wants(runs[same[0]].model)
            for start in range(0, len(same), most):
                yield same[start : start + most], needs

    def _asked(self, spec: str) -> tuple[int, Needs]:
        """How many runs a model wants at once, and what they need: a worker is asked."""
        gpus = self._ray.cluster_resources().get("GPU", 0)
        task = self._ray.remote(max_retries=RETRIES)(_wants)
        glance = task.options(num_cpus=1, num_gpus=GLANCE if gpus else 0)
        found = self._got(glance.remote(self._parcel, _spec(spec)))
        if isinstance(found, Trouble):
            raise found.error()
        most, share = found
        return most, {"num_cpus": 1, **({"num_gpus": share} if gpus and share else {})}

    def _got(self, ref: Any) -> Any:
        try:
            return self._ray.get(ref)
        except self._ray.exceptions.RayError as error:
            what = f"Ray gave up on some runs ({type(error).__name__})"
            where = self._errand.folder
            raise HansproofError(f"{where}: {what}; finished runs are kept: start again") from None

    def _listen(self) -> None:
        with suppress(self._ray.exceptions.RayError):  # a bar that stands still is no failure
            for number, step in self._ray.get(self._board.heard.remote()):
                self._tally.hear(number, step)

    def _ended(self, outcome: _Outcome, number: int, group: Sequence[int]) -> list[int]:
        """Make known what became of a group; what others are at."""
        for line in outcome.lines:
            self._say(line)
        if outcome.trouble is not None:
            raise outcome.trouble.error()
        for at in group:
            if at not in outcome.left:
                self._tally.hear(number, Done(at))
        self._tally.ended(number)
        return outcome.left


def _absolute(errand: Errand) -> Errand:
    """The same for who works in another folder."""
    runs = tuple(replace(run, model=_spec(run.model)) for run in errand.runs)
    keep = None if errand.keep is None else os.path.abspath(errand.keep)
    return replace(errand, runs=runs, folder=os.path.abspath(errand.folder), keep=keep)


def _spec(spec: str) -> str:
    name, colon, given = spec.partition(":")
    return (os.path.abspath(name) if name.endswith(".py") else name) + colon + given


# what runs in Ray's workers


@dataclass(frozen=True, slots=True)
class _Parcel:
    """What all tasks get, and the folder from which files of models are named."""

    errand: Errand
    cwd: str


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Runs of a group that others are at, what there is to say, and what went wrong."""

    left: list[int]
    lines: list[str]
    trouble: Trouble | None = None


class _Board:
    """Where tasks write how far they are, for the driver to read."""

    def __init__(self) -> None:
        self._heard: list[tuple[int, Step]] = []

    def tell(self, number: int, step: Step) -> None:
        """By a task."""
        self._heard.append((number, step))

    def heard(self) -> list[tuple[int, Step]]:
        """What came since it was last asked."""
        heard, self._heard = self._heard, []
        return heard


_loaded = cache(load)  # a worker does many groups


def _group(parcel: _Parcel, group: list[int], number: int, board: Any) -> _Outcome:
    """Do what is free of a group."""
    lines: list[str] = []
    try:
        move(parcel.cwd)
        tell = sparing(lambda step: board.tell.remote(number, step))
        with Store(parcel.errand.folder, lines.append) as store:
            left = Walker(parcel.errand, store, tell, loaded=_loaded).round(group)
    except Exception as error:
        return _Outcome([], lines, Trouble.of(error))
    return _Outcome(left, lines)


def _wants(parcel: _Parcel, spec: str) -> tuple[int, float] | Trouble:
    """How many runs a model wants at once here, and how much of a GPU for them."""
    try:
        move(parcel.cwd)
        model = _loaded(spec)
        most = room(model)
        return most, gpu_share(model, most)
    except Exception as error:
        return Trouble.of(error)


def gpu_share(model: Any, most: int) -> float:
    """How much of a GPU a group takes: what its model says, else all if it trains many at once."""
    if hasattr(model, "gpu"):
        return float(model.gpu)
    if most > 1:
        return 1.0
    return QUARTER if str(getattr(model, "device", "cpu")) != "cpu" else 0.0
