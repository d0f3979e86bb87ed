"""A worker of a sweep: it goes through the list of runs and trains unclaimed runs in groups.

A group consists of consecutive runs that differ by seed, as many as their model takes at once, or
by the order of the choices: such runs share one trained model.
The record of each run is written, and its claim released, as soon as the run is finished.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from .._infra.threads import single_threaded
from ..capabilities import AskingContext, batch_capacity
from ..errors import ModelError
from ..models import load
from ..scoring import compute_metrics
from ..spending import Spending
from ..types import Benchmark, Predictions
from ..views import without_order
from .fitting import fit_all
from .plan import RunSpec
from .prepared_run import PreparedRun, prepare_run
from .progress import EventCallback, RunDone, RunsInProgress
from .saved_models import model_folder, save_each
from .store import RunKey, RunStore

RETRY_SECONDS = 0.2  # between two checks of runs that other workers have claimed


@dataclass(frozen=True, slots=True)
class SweepSpec:
    """All that a worker needs to know about a sweep."""

    benchmark: Benchmark
    folder: str
    runs: tuple[RunSpec, ...]
    run_keys: tuple[RunKey, ...]
    models_folder: str | None = None  # for trained models; None: they are not saved
    spending: Spending | None = None  # on language models behind servers, of all runs


def group_key(run: RunSpec) -> tuple[object, ...]:
    """Return what all runs of a group have in common: everything but seed and order of choices."""
    view = without_order(run.view)
    return run.model, view, run.split, run.protocol, run.train, run.select, run.folds


def share_model(run: RunSpec, other: RunSpec) -> bool:
    """Whether two runs differ by nothing but the order of the choices."""
    return run.seed == other.seed and group_key(run) == group_key(other)


def _check_materials(predictions: Predictions, run_key: RunKey) -> None:
    """Raise ModelError if a file of the model was changed after the key of its run was made."""
    for name, digest in run_key.parts.get("materials", {}).items():
        if predictions.params.get(name) != digest:
            message = f"a file was changed while the command ran ({name}): repeat the command"
            raise ModelError(f"{predictions.model}: {message}")


class Worker:
    """Trains the runs of a sweep while `keep_going()` is true, and sends an event at each step."""

    def __init__(
        self,
        spec: SweepSpec,
        store: RunStore,
        send_event: EventCallback,
        keep_going: Callable[[], bool] = lambda: True,
        load_model: Callable[[str], Any] | None = None,
    ) -> None:
        self._spec, self._store = spec, store
        self._send_event, self._keep_going = send_event, keep_going
        self._load_model = load_model or cache(load)

    def run_all(self) -> None:
        """Run all unclaimed runs; then wait for claimed ones, and run those that are given up."""
        pending = [*range(len(self._spec.runs))]
        while pending and self._keep_going():
            pending = self.run_available(pending)
            if pending:
                time.sleep(RETRY_SECONDS)

    def run_available(self, indices: Sequence[int]) -> list[int]:
        """Run those of the given runs that are unclaimed; return those claimed by other workers."""
        queue, busy = deque(indices), list[int]()
        while queue and self._keep_going():
            group = self._claim_group(queue, busy)
            if group:
                self._train_group(group)
        return busy

    def _claim_group(self, queue: deque[int], busy: list[int]) -> list[int]:
        """Claim the next runs of the queue, as many as can be trained together."""
        runs, group, capacity = self._spec.runs, list[int](), 1
        key = group_key(runs[queue[0]])
        seeds: set[int] = set()
        while queue and group_key(runs[queue[0]]) == key:
            if len(seeds | {runs[queue[0]].seed}) > capacity:
                break
            index = queue.popleft()
            state = self._store.claim(self._spec.run_keys[index])
            if state == "finished":
                self._send_event(RunDone(index))
            elif state == "taken":
                busy.append(index)
                # whoever has it takes its other orders, too
                is_left_alone = runs[index].seed not in seeds
                while is_left_alone and queue and share_model(runs[index], runs[queue[0]]):
                    busy.append(queue.popleft())
            else:
                if not group:
                    capacity = batch_capacity(self._load_model(runs[index].model))
                group.append(index)
                seeds.add(runs[index].seed)
        return group

    def _train_group(self, group: Sequence[int]) -> None:
        """Train a group, write the record of each finished run, and release all claims."""
        spec, store = self._spec, self._store
        model = self._load_model(spec.runs[group[0]].model)
        n_finished = 0

        def report_progress(share: float, accuracy: float | None) -> None:
            runs_in_progress = min(max(share, 0.0), 1.0) * len(group) - n_finished
            self._send_event(RunsInProgress(max(runs_in_progress, 0.0), accuracy))

        try:
            by_seed: dict[int, list[int]] = {}
            for index in group:
                by_seed.setdefault(spec.runs[index].seed, []).append(index)
            prepared_runs = [
                prepare_run(spec.benchmark, spec.runs[first], model, [spec.runs[i] for i in orders])
                for first, *orders in by_seed.values()
            ]
            tasks = [task for prepared in prepared_runs for task in prepared.tasks]
            with closing(fit_all(model, tasks, report_progress)) as fitted:
                for indices, prepared in zip(by_seed.values(), prepared_runs, strict=True):
                    for index, accuracy in self._finish_runs(indices, prepared, fitted):
                        n_finished += 1
                        self._send_event(RunDone(index, accuracy))
        finally:
            for index in group:  # again for finished runs, which does no harm
                store.release(spec.run_keys[index])

    def _finish_runs(
        self, indices: Sequence[int], prepared: PreparedRun, fitted_models: Iterator[Any]
    ) -> Iterator[tuple[int, float | None]]:
        """Score with the fitted models of runs that share them, write each record as it is ready.

        Yields the index and the accuracy of each run.
        """
        spec = self._spec
        run_key = spec.run_keys[indices[0]]
        run_models: Iterator[Any] = islice(fitted_models, len(prepared.tasks))
        if spec.models_folder is not None:
            folder = model_folder(spec.models_folder, run_key)
            run_models = save_each(run_models, folder, spec.runs[indices[0]])
        context = AskingContext(spec.folder, spec.spending)
        predictions = prepared.finish_orders(run_models, run_key.parts["version"], context)
        for index in indices:
            with single_threaded():  # requesting a fitted model trains it
                run_predictions = next(predictions)
            _check_materials(run_predictions, spec.run_keys[index])
            metrics = compute_metrics(run_predictions, prepared.items)
            self._store.write_record(spec.run_keys[index], run_predictions, metrics)
            self._store.release(spec.run_keys[index])
            yield index, metrics["accuracy"]
