"""Many runs into a store, by one process or several; whoever is killed, finished runs are kept.

All workers walk the same list and take what is free; what another is at they come back to. A
worker whose parent is gone ends after the runs it is in.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

from ..predictions import BenchmarkSplits
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
) -> tuple[Predictions, ...]:
    """What each run says, from the store where it is finished, else done now by so many processes.

    `progress` is told how many are done, and the last accuracy known; `say` gets a line for each
    damaged record; what is trained is saved in the folder `keep`. With several `jobs`, a script
    calls this under `if __name__ == "__main__"`, as always where processes spawn.
    """
    spec = SweepSpec(benchmark, folder, tuple(runs), build_run_keys(benchmark, runs), models_folder)
    if models_folder is not None:
        saved_models.check_saveable(models_folder, runs)
    with RunStore(folder, notify) as store:
        store.remove_partial_files()
        finished = [
            index for index, run_key in enumerate(spec.run_keys) if store.has_record(run_key)
        ]
        sweep_progress = SweepProgress(progress, finished)
        try:
            if len(finished) < len(runs):
                _run_missing(
                    spec,
                    store,
                    min(max(jobs, 1), len(runs) - len(finished)),
                    sweep_progress,
                    notify,
                    engine,
                )
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
    """Say which records would be read twice by who reads the whole folder."""
    outdated = store.outdated_records(run_keys)
    if outdated:
        records = "a record" if len(outdated) == 1 else f"{len(outdated)} records"
        message = f"also holds {records} of the same runs by other code, such as {outdated[0]}"
        notify(f"{store.folder}: {message}: move them away before you read '*.jsonl'")
