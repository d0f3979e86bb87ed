"""Sweeps: many runs into a store, by one process or several.

All workers go through the same list and claim runs; they come back to runs that another worker has
claimed. If a process is killed, finished runs stay in the store. A worker whose parent is gone ends
after its current group of runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from ..predictions import BenchmarkSplits
from ..spending import Spending
from ..types import Benchmark, Predictions
from . import saved_models
from .plan import RunSpec
from .progress import SweepCallback, SweepProgress
from .run_keys import build_run_keys
from .store import MessageCallback, RunKey, RunStore
from .worker import SweepSpec, Worker

Engine = Literal["local", "ray"]


def run_sweep(
    benchmark: Benchmark,
    runs: Sequence[RunSpec],
    folder: str,
    jobs: int = 1,
    progress: SweepCallback = lambda n_done, accuracy: None,
    notify: MessageCallback = lambda text: None,
    models_folder: str | None = None,
    engine: Engine = "local",
    spending: Spending | None = None,
) -> tuple[Predictions, ...]:
    """Return the predictions of each run; those that the store lacks are made by `jobs` processes.

    `progress` is called with the number of finished runs and the last accuracy, `notify` with a
    message for each damaged record. Trained models are saved in `models_folder`. With several jobs,
    a script must call this under `if __name__ == "__main__"`, as always when processes are spawned.
    `spending` limits what models behind servers may cost.
    """
    run_keys = build_run_keys(benchmark, runs)
    spec = SweepSpec(benchmark, folder, tuple(runs), run_keys, models_folder, spending)
    if models_folder is not None:
        saved_models.check_saveable(models_folder, runs)
    with RunStore(folder, notify) as store:
        store.remove_partial_files()
        finished = [i for i, run_key in enumerate(spec.run_keys) if store.has_record(run_key)]
        sweep_progress = SweepProgress(progress, finished)
        n_jobs = min(max(jobs, 1), len(runs) - len(finished))
        try:
            if n_jobs:
                _run_missing(spec, store, n_jobs, sweep_progress, notify, engine)
        finally:
            store.remove_partial_files()
        _note_outdated(store, spec.run_keys, notify)
        splits = BenchmarkSplits(benchmark)
        predictions = tuple(store.read_record(run_key, splits) for run_key in spec.run_keys)
    if models_folder is not None:
        saved_models.note_missing(models_folder, spec.run_keys, predictions, notify)
    return predictions


def _run_missing(
    spec: SweepSpec,
    store: RunStore,
    jobs: int,
    progress: SweepProgress,
    notify: MessageCallback,
    engine: Engine,
) -> None:
    if engine == "ray":
        from .ray_workers import run_on_ray

        run_on_ray(spec, jobs, progress, notify)
    elif jobs > 1:
        from .process_workers import run_in_processes

        run_in_processes(spec, jobs, progress, notify)
    else:
        Worker(spec, store, partial(progress.update, None)).run_all()


def _note_outdated(store: RunStore, run_keys: Sequence[RunKey], notify: MessageCallback) -> None:
    """Report outdated records, which a reader of the whole folder would count twice."""
    outdated = store.outdated_records(run_keys)
    if outdated:
        records = "a record" if len(outdated) == 1 else f"{len(outdated)} records"
        message = (
            f"also contains {records} of the same runs made by another version, such as "
            f"{outdated[0]}"
        )
        notify(f"{store.folder}: {message}: move them away before you read '*.jsonl'")
