"""Runs a sweep with Ray: groups of runs are tasks, on this machine or on a cluster.

All tasks write to one store, so its folder must be on a filesystem that all machines share, and
hansproof must be installed wherever Ray runs. Ray repeats a task whose worker is killed; the task
then skips the runs that were finished before.
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

from ..capabilities import batch_capacity, gpu_request, uses_accelerator
from ..executors.ray import (
    MAX_RETRIES,
    WorkerContext,
    ray_failure,
    ray_session,
    share_payload,
    start_event_board,
)  # fmt: skip
from ..executors.remote_error import RemoteError
from ..models import load
from .progress import RunDone, SweepProgress, throttle_events
from .store import MessageCallback, RunStore
from .worker import RETRY_SECONDS, SweepSpec, Worker, group_key

EVENT_POLL_SECONDS = 0.3  # between looks at the events of tasks
PROBE_GPU_SHARE = 0.01  # of a GPU: to ask a model how many runs it can train at once
SINGLE_RUN_GPU_SHARE = 0.25  # of a GPU: for a model that trains one run at a time on it

TaskResources = dict[str, float]
_SweepContext = WorkerContext[SweepSpec]


def run_on_ray(
    spec: SweepSpec, jobs: int, progress: SweepProgress, notify: MessageCallback
) -> None:
    """Do all runs with Ray; a session that is started here has as many cores as `jobs`."""
    with ray_session(jobs) as ray:
        scheduler = _RayScheduler(ray, spec, progress, notify)
        pending = [index for index in range(len(spec.runs)) if index not in progress.finished]
        while pending:
            pending = scheduler.run_available(pending)
            if pending:  # other processes are doing these
                time.sleep(RETRY_SECONDS)


class _RayScheduler:
    """Submits groups of runs as tasks, and reads their events."""

    def __init__(
        self, ray: Any, spec: SweepSpec, progress: SweepProgress, notify: MessageCallback
    ) -> None:
        self._ray, self._spec, self._progress, self._notify = ray, spec, progress, notify
        self._context = share_payload(ray, _with_absolute_paths(spec))
        self._board = start_event_board(ray)
        self._group_numbers = count()
        self._group_needs = cache(self._query_needs)

    def run_available(self, indices: Sequence[int]) -> list[int]:
        """Do the runs that nobody else is doing; return the others."""
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
        """Yield groups of runs that differ by seed only, as many as a model can train at once."""
        runs = self._spec.runs
        for _, members in groupby(indices, key=lambda index: group_key(runs[index])):
            similar = [*members]
            capacity, resources = self._group_needs(runs[similar[0]].model)
            # with all orders of the choices, which share a trained model
            by_seed = [
                [*seed_group]
                for _, seed_group in groupby(similar, key=lambda index: runs[index].seed)
            ]
            for start in range(0, len(by_seed), capacity):
                group = by_seed[start : start + capacity]
                yield [index for indices in group for index in indices], resources

    def _query_needs(self, model_spec: str) -> tuple[int, TaskResources]:
        """Ask a worker how many runs a model can train at once, and which resources they need."""
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
            raise ray_failure(self._spec.folder, "some runs", "finished runs are", error) from None

    def _read_events(self) -> None:
        with suppress(self._ray.exceptions.RayError):  # losing progress events is no failure
            for group_number, event in self._ray.get(self._board.take_events.remote()):
                self._progress.update(group_number, event)

    def _close_group(
        self, result: _GroupResult, group_number: int, group: Sequence[int]
    ) -> list[int]:
        """Report the result of a group; return its runs that others are doing."""
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
    """Return the same sweep for processes that work in another folder."""
    runs = tuple(replace(run, model=_absolute_model_spec(run.model)) for run in spec.runs)
    models_folder = None if spec.models_folder is None else os.path.abspath(spec.models_folder)
    return replace(
        spec, runs=runs, folder=os.path.abspath(spec.folder), models_folder=models_folder
    )


def _absolute_model_spec(model_spec: str) -> str:
    name, colon, parameters = model_spec.partition(":")
    return (os.path.abspath(name) if name.endswith(".py") else name) + colon + parameters


# code that runs in Ray's workers


@dataclass(frozen=True, slots=True)
class _GroupResult:
    """The runs of a group that others are doing, messages for the user, and an error."""

    busy: list[int]
    messages: list[str]
    error: RemoteError | None = None


_load_cached = cache(load)  # a worker runs many groups


def _run_group(
    context: _SweepContext, group: list[int], group_number: int, board: Any
) -> _GroupResult:
    """Do the runs of a group that nobody else is doing."""
    messages: list[str] = []
    try:
        spec = context.open_payload()
        send_event = throttle_events(lambda event: board.post_event.remote(group_number, event))
        with RunStore(spec.folder, messages.append) as store:
            worker = Worker(spec, store, send_event, load_model=_load_cached)
            busy = worker.run_available(group)
    except Exception as error:
        return _GroupResult([], messages, RemoteError.from_exception(error))
    return _GroupResult(busy, messages)


def _query_model(context: _SweepContext, model_spec: str) -> tuple[int, float] | RemoteError:
    """Return how many runs a model can train at once here, and the share of a GPU they need."""
    try:
        context.open_payload()  # models may be named by relative paths
        model = _load_cached(model_spec)
        capacity = batch_capacity(model)
        return capacity, gpu_share(model, capacity)
    except Exception as error:
        return RemoteError.from_exception(error)


def gpu_share(model: Any, capacity: int) -> float:
    """Return the share of a GPU for a group: as its model says, else all of it for several runs."""
    requested = gpu_request(model)
    if requested is not None:
        return requested
    if capacity > 1:
        return 1.0
    return SINGLE_RUN_GPU_SHARE if uses_accelerator(model) else 0.0
