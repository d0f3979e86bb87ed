"""Rerun the papers' models with MPNet-base on a GPU machine, for `hansproof reproduce`.

That machine may have only torch, transformers and numpy. It gets items and a list of runs, and
returns a store of predictions in which `reproduce --model` finds all runs finished:

    python -m bench.papers pack build/papers                                  here
    PYTHONPATH=src python -m bench.papers run build/papers STORE PAPER...     on the GPU machine
    python -m bench.papers table STORE DATE                                   here again

Run it from the root of the repository. MODEL must be at the same path on both machines. `run
branco2021` also saves the models trained on the whole input, applies them to the other tasks, and
writes STORE/transfer.json.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hansproof import models
from hansproof.scoring import expected_credit
from hansproof.sweeps import RunSpec, plan_runs, run_sweep
from hansproof.sweeps.run_keys import build_run_keys
from hansproof.sweeps.saved_models import model_folder
from hansproof.types import FULL, Benchmark, Item
from hansproof.views import apply_view, fields_of, parse_view

MODEL = "hf:build/mpnet/weights,pooling=mean"
SEEDS = range(3)
# Branco et al. search for a hundred epochs per run; here: one rate, one batch size, five epochs
MODELS = {
    "kavumba2019": MODEL, "kavumba2020": MODEL, "niven2019": MODEL,
    "branco2021": f"{MODEL},rates=2e-5,batches=32,epochs=5",
}  # fmt: skip
TRANSFER = "transfer.json"


def pack(folder: str) -> None:
    """Write the benchmarks and the runs as JSON."""
    from hansproof.papers import load_paper
    from hansproof.papers.paper_data import PaperData
    from hansproof.papers.retrain import load_job_benchmark, load_model_rows, model_spec

    released = PaperData()
    benchmarks: dict[str, Any] = {}
    runs: dict[str, list[Any]] = {}
    for paper, model in MODELS.items():
        tuned_jobs = (
            row.job for row in load_model_rows(load_paper(paper)) if row.job.use == "tuned"
        )
        jobs = dict.fromkeys(job for job in tuned_jobs if not job.paper_only)
        runs[paper] = []
        for job in jobs:
            benchmark = load_job_benchmark(job.benchmark, released)
            benchmarks[benchmark.name] = {
                "splits": {s: [*map(asdict, items)] for s, items in benchmark.splits.items()},
                "roles": benchmark.roles,
            }
            spec = model_spec(job, model)
            planned = plan_runs(benchmark, [str(spec)], [job.view], SEEDS, "train-test")
            runs[paper].append([benchmark.name, [*map(asdict, planned)]])
    Path(folder).mkdir(parents=True, exist_ok=True)
    packed = gzip.compress(json.dumps(benchmarks).encode())
    Path(folder, "benchmarks.json.gz").write_bytes(packed)
    Path(folder, "runs.json").write_text(json.dumps(runs))


def read_benchmarks(folder: str) -> dict[str, Benchmark]:
    data = json.loads(gzip.decompress(Path(folder, "benchmarks.json.gz").read_bytes()))
    return {
        name: Benchmark(name, {
            split: tuple(Item(**{**row, "choices": tuple(row["choices"])}) for row in rows)
            for split, rows in packed["splits"].items()
        }, packed["roles"])
        for name, packed in data.items()
    }  # fmt: skip


def run(folder: str, store: str, *papers: str) -> None:
    """Run all jobs of these papers."""
    benchmarks = read_benchmarks(folder)
    listed = json.loads(Path(folder, "runs.json").read_text())
    for paper in papers:
        for name, specs in listed[paper]:
            runs = [RunSpec(**spec) for spec in specs]
            models_folder = "/tmp/kept" if paper == "branco2021" and runs[0].view == FULL else None
            start = time.perf_counter()
            predictions = run_sweep(
                benchmarks[name], runs, store, notify=print, models_folder=models_folder
            )
            seconds = time.perf_counter() - start
            accuracies = [_accuracy(prediction, benchmarks[name]) for prediction in predictions]
            figures = " ".join(f"{accuracy:.3f}" for accuracy in accuracies)
            print(f"{paper} {name} {runs[0].view} {runs[0].model}: {figures} in {seconds:.0f} s",
                  flush=True)  # fmt: skip
        if paper == "branco2021":
            transfer = [*_measure_transfer(listed[paper], benchmarks, "/tmp/kept")]
            Path(store, TRANSFER).write_text(json.dumps(transfer))


def _accuracy(prediction: Any, benchmark: Benchmark) -> float:
    items = benchmark.splits[prediction.split]
    return sum(expected_credit(prediction.scores[i.id], i.answer or 0) for i in items) / len(items)


def _measure_transfer(
    listed: Any, benchmarks: dict[str, Benchmark], models_folder: str
) -> Iterator[Any]:
    """Score each saved model on the test items of each task; yields the credit of each item."""
    full_runs = [
        (name, [RunSpec(**r) for r in specs]) for name, specs in listed if specs[0]["view"] == FULL
    ]
    targets = {name: (runs[0].split, runs[0].view) for name, runs in full_runs}
    for name, runs in full_runs:
        for spec, key in zip(runs, build_run_keys(benchmarks[name], runs), strict=True):
            model = models.load(f"saved:{model_folder(models_folder, key)}")
            for target, (split, view) in targets.items():
                items = benchmarks[target].splits[split]
                scores = model.score(
                    apply_view(parse_view(view, fields_of(items)), items, answers=False)
                )
                item_credits = [
                    expected_credit(s, i.answer or 0) for s, i in zip(scores, items, strict=True)
                ]
                yield {"trained_on": name, "tested_on": target, "split": split, "seed": spec.seed,
                       "model": spec.model, "credits": item_credits}  # fmt: skip
                accuracy = sum(item_credits) / len(item_credits)
                print(f"{name} -> {target}, seed {spec.seed}: {accuracy:.3f}", flush=True)


def write_page(store: str, date: str) -> None:
    """Write the page; its imports are missing on the GPU machine."""
    from bench.papers_page import write_page

    write_page(store, date)


if __name__ == "__main__":
    steps: dict[str, Callable[..., None]] = {"pack": pack, "run": run, "table": write_page}
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    steps[sys.argv[1]](*sys.argv[2:])
