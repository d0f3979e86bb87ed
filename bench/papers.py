"""The papers' model rows with MPNet-base: trained on a GPU machine, read by `hansproof reproduce`.

That machine may have torch, transformers and numpy and nothing else, so it gets items and a list of
runs, and gives back a store of predictions, in which `reproduce --model` finds all of them done:

    python -m bench.papers pack build/papers                                  to be carried there
    PYTHONPATH=src python -m bench.papers run build/papers STORE PAPER...     there, from the root
    python -m bench.papers table STORE DATE                                   here again

MODEL must lie at the same place on both. `run branco2021` also keeps what it trains on the whole
input and applies it to the other tasks: STORE/transfer.json.
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
# the search of Branco et al. is a hundred epochs a run: here one rate, one batch, five epochs
MODELS = {
    "kavumba2019": MODEL, "kavumba2020": MODEL, "niven2019": MODEL,
    "branco2021": f"{MODEL},rates=2e-5,batches=32,epochs=5",
}  # fmt: skip
TRANSFER = "transfer.json"


def pack(folder: str) -> None:
    """Benchmarks and runs as JSON."""
    from hansproof.papers import load_paper
    from hansproof.papers.paper_data import PaperData
    from hansproof.papers.retrain import load_job_benchmark, load_model_rows, model_spec

    released = PaperData()
    benchmarks: dict[str, Any] = {}
    runs: dict[str, list[Any]] = {}
    for paper, model in MODELS.items():
        tuned = (row.job for row in load_model_rows(load_paper(paper)) if row.job.use == "tuned")
        jobs = dict.fromkeys(job for job in tuned if not job.paper_only)
        runs[paper] = []
        for job in jobs:
            one = load_job_benchmark(job.benchmark, released)
            benchmarks[one.name] = {
                "splits": {s: [*map(asdict, items)] for s, items in one.splits.items()},
                "roles": one.roles,
            }
            spec = model_spec(job, model)
            planned = plan_runs(one, [str(spec)], [job.view], SEEDS, "train-test")
            runs[paper].append([one.name, [*map(asdict, planned)]])
    Path(folder).mkdir(parents=True, exist_ok=True)
    packed = gzip.compress(json.dumps(benchmarks).encode())
    Path(folder, "benchmarks.json.gz").write_bytes(packed)
    Path(folder, "runs.json").write_text(json.dumps(runs))


def read_back(folder: str) -> dict[str, Benchmark]:
    data = json.loads(gzip.decompress(Path(folder, "benchmarks.json.gz").read_bytes()))
    return {
        name: Benchmark(name, {
            split: tuple(Item(**{**row, "choices": tuple(row["choices"])}) for row in rows)
            for split, rows in one["splits"].items()
        }, one["roles"])
        for name, one in data.items()
    }  # fmt: skip


def run(folder: str, store: str, *papers: str) -> None:
    """Everything of these papers, job by job."""
    benchmarks = read_back(folder)
    listed = json.loads(Path(folder, "runs.json").read_text())
    for paper in papers:
        for name, some in listed[paper]:
            runs = [RunSpec(**one) for one in some]
            keep = "/tmp/kept" if paper == "branco2021" and runs[0].view == FULL else None
            start = time.perf_counter()
            said = run_sweep(benchmarks[name], runs, store, notify=print, models_folder=keep)
            seconds = time.perf_counter() - start
            right = [_accuracy(one, benchmarks[name]) for one in said]
            told = " ".join(f"{one:.3f}" for one in right)
            print(f"{paper} {name} {runs[0].view} {runs[0].model}: {told} in {seconds:.0f} s",
                  flush=True)  # fmt: skip
        if paper == "branco2021":
            found = [*_transferred(listed[paper], benchmarks, "/tmp/kept")]
            Path(store, TRANSFER).write_text(json.dumps(found))


def _accuracy(said: Any, benchmark: Benchmark) -> float:
    items = benchmark.splits[said.split]
    return sum(expected_credit(said.scores[i.id], i.answer or 0) for i in items) / len(items)


def _transferred(listed: Any, benchmarks: dict[str, Benchmark], kept: str) -> Iterator[Any]:
    """Each kept model on the items that each task is tested on: what it earns on every one."""
    wholes = [
        (name, [RunSpec(**r) for r in some]) for name, some in listed if some[0]["view"] == FULL
    ]
    tested = {name: (runs[0].split, runs[0].view) for name, runs in wholes}
    for name, runs in wholes:
        for one, place in zip(runs, build_run_keys(benchmarks[name], runs), strict=True):
            model = models.load(f"saved:{model_folder(kept, place)}")
            for target, (split, view) in tested.items():
                items = benchmarks[target].splits[split]
                scores = model.score(
                    apply_view(parse_view(view, fields_of(items)), items, answers=False)
                )
                earned = [
                    expected_credit(s, i.answer or 0) for s, i in zip(scores, items, strict=True)
                ]
                yield {"trained_on": name, "tested_on": target, "split": split, "seed": one.seed,
                       "model": one.model, "credits": earned}  # fmt: skip
                right = sum(earned) / len(earned)
                print(f"{name} -> {target}, seed {one.seed}: {right:.3f}", flush=True)


def page(store: str, date: str) -> None:
    """Read back and written up; what it imports is not on the other machine."""
    from bench.papers_page import table

    table(store, date)


if __name__ == "__main__":
    steps: dict[str, Callable[..., None]] = {"pack": pack, "run": run, "table": page}
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    steps[sys.argv[1]](*sys.argv[2:])
