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

from ..errors import HansproofError
from ..executors.ray import chdir_if_present, ray_session
from ..executors.remote_error import RemoteError
from ..models import load
from .fitting import batch_capacity
from .progress import ProgressEvent, RunDone, SweepProgress, throttle_events
from .store import MessageCallback, RunStore
from .worker import RETRY_SECONDS, SweepSpec, Worker, group_key

MAX_RETRIES = 3  # of a task whose worker was killed
EVENT_POLL_SECONDS = 0.3  # seconds between looks at what tasks tell
PROBE_GPU_SHARE = 0.01  # of a GPU: for asking a model what it wants
SINGLE_RUN_GPU_SHARE = 0.25  # of a GPU: for a model that trains one run at a time on it

TaskResources = dict[str, float]


def run_on_ray(
    spec: SweepSpec, jobs: int, progress: SweepProgress, notify: MessageCallback
) -> None:
    """Have all runs done by Ray; by so many at a time, where Ray is not there already."""
    with ray_session(jobs) as ray:
        scheduler = _RayScheduler(ray, spec, progress, notify)
        pending = [index for index in range(len(spec.runs)) if index not in progress.finished]
        while pending:
            pending = scheduler.run_available(pending)
            if pending:  # other processes are at these
                time.sleep(RETRY_SECONDS)


class _RayScheduler:
    """Hands out groups of runs, and listens."""

    def __init__(
        self, ray: Any, spec: SweepSpec, progress: SweepProgress, notify: MessageCallback
    ) -> None:
        self._ray, self._spec, self._progress, self._notify = ray, spec, progress, notify
        self._context = ray.put(_SweepContext(_with_absolute_paths(spec), os.getcwd()))
        self._board = ray.remote(num_cpus=0, max_restarts=-1)(_EventBoard).remote()
        self._group_numbers = count()
        self._group_needs = cache(self._query_needs)

    def run_available(self, indices: Sequence[int]) -> list[int]:
        """Have what is free of these done; those that others are at."""
        remote_task = self._ray.remote(max_retries=MAX_RETRIES)(_run_group)
        pending = {}
        for group, resources in self._split_groups(indices):
            group_number = next(self._group_numbers)
            ref = remote_task.options(**resources).remote(
                self._context, group, group_number, self._board
            )
            pending[ref] = (group_number, group)
        busy: list[int] = []
        try:
            while pending:
                refs = [*pending]
                ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=EVENT_POLL_SECONDS)
                self._read_events()
                for ref in ready:
                    busy += self._close_group(self._get_result(ref), *pending.pop(ref))
        finally:
            for ref in pending:
                self._ray.cancel(ref, force=True)
        return busy

    def _split_groups(self, indices: Sequence[int]) -> Iterator[tuple[list[int], TaskResources]]:
        """Runs that differ by seed only, as many as their model wants where it will run."""
        runs = self._spec.runs
        for _, members in groupby(indices, key=lambda index: group_key(runs[index])):
            similar = [*members]
            capacity, resources = self._group_needs(runs[similar[0]].model)
            for start in range(0, len(similar), capacity):
                yield similar[start : start + capacity], resources

    def _query_needs(self, model_spec: str) -> tuple[int, TaskResources]:
        """How many runs a model wants at once, and what they need: a worker is asked."""
        gpus = self._ray.cluster_resources().get("GPU", 0)
        remote_task = self._ray.remote(max_retries=MAX_RETRIES)(_query_model)
        probe_task = remote_task.options(num_cpus=1, num_gpus=PROBE_GPU_SHARE if gpus else 0)
        answer = self._get_result(
            probe_task.remote(self._context, _absolute_model_spec(model_spec))
        )
        if isinstance(answer, RemoteError):
            raise answer.to_exception()
        capacity, gpu = answer
        return capacity, {"num_cpus": 1, **({"num_gpus": gpu} if gpus and gpu else {})}

    def _get_result(self, ref: Any) -> Any:
        try:
            return self._ray.get(ref)
        except self._ray.exceptions.RayError as error:
            message = f"Ray gave up on some runs ({type(error).__name__})"
            folder = self._spec.folder
            raise HansproofError(
                f"{folder}: {message}; finished runs are kept: start again"
            ) from None

    def _read_events(self) -> None:
        with suppress(self._ray.exceptions.RayError):  # a bar that stands still is no failure
            for group_number, event in self._ray.get(self._board.heard.remote()):
                self._progress.update(group_number, event)

    def _close_group(
        self, result: _GroupResult, group_number: int, group: Sequence[int]
    ) -> list[int]:
        """Make known what became of a group; what others are at."""
        for message in result.messages:
            self._notify(message)
        if result.error is not None:
            raise result.error.to_exception()
        for index in group:
            if index not in result.busy:
                self._progress.update(group_number, RunDone(index))
        self._progress.close_worker(group_number)
        return result.busy


def _with_absolute_paths(spec: SweepSpec) -> SweepSpec:
    """The same for who works in another folder."""
    runs = tuple(replace(run, model=_absolute_model_spec(run.model)) for run in spec.runs)
    models_folder = None if spec.models_folder is None else os.path.abspath(spec.models_folder)
    return replace(spec, runs=runs, folder=os.path.abspath(spec.folder), keep=models_folder)


def _absolute_model_spec(model_spec: str) -> str:
    name, colon, parameters = model_spec.partition(":")
    return (os.path.abspath(name) if name.endswith(".py") else name) + colon + parameters


# what runs in Ray's workers


@dataclass(frozen=True, slots=True)
class _SweepContext:
    """What all tasks get, and the folder from which files of models are named."""

    spec: SweepSpec
    cwd: str


@dataclass(frozen=True, slots=True)
class _GroupResult:
    """Runs of a group that others are at, what there is to say, and what went wrong."""

    busy: list[int]
    messages: list[str]
    error: RemoteError | None = None


class _EventBoard:
    """Where tasks write how far they are, for the driver to read."""

    def __init__(self) -> None:
        self._events: list[tuple[int, ProgressEvent]] = []

    def post_event(self, group_number: int, event: ProgressEvent) -> None:
        """By a task."""
        self._events.append((group_number, event))

    def take_events(self) -> list[tuple[int, ProgressEvent]]:
        """What came since it was last asked."""
        events, self._events = self._events, []
        return events


_load_cached = cache(load)  # a worker does many groups


def _run_group(
    context: _SweepContext, group: list[int], group_number: int, board: Any
) -> _GroupResult:
    """Do what is free of a group."""
    messages: list[str] = []
    try:
        chdir_if_present(context.cwd)
        send_event = throttle_events(lambda event: board.tell.remote(group_number, event))
        with RunStore(context.spec.folder, messages.append) as store:
            busy = Worker(context.spec, store, send_event, load_model=_load_cached).run_available(
                group
            )
    except Exception as error:
        return _GroupResult([], messages, RemoteError.from_exception(error))
    return _GroupResult(busy, messages)


def _query_model(context: _SweepContext, model_spec: str) -> tuple[int, float] | RemoteError:
    """How many runs a model wants at once here, and how much of a GPU for them."""
    try:
        chdir_if_present(context.cwd)
        model = _load_cached(model_spec)
        capacity = batch_capacity(model)
        return capacity, gpu_share(model, capacity)
    except Exception as error:
        return RemoteError.from_exception(error)


def gpu_share(model: Any, capacity: int) -> float:
    """How much of a GPU a group takes: what its model says, else all if it trains many at once."""
    if hasattr(model, "gpu"):
        return float(model.gpu)
    if capacity > 1:
        return 1.0
    return SINGLE_RUN_GPU_SHARE if str(getattr(model, "device", "cpu")) != "cpu" else 0.0
