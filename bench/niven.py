"""Train bag of vectors and BiLSTM on ARCT, as in Niven and Kao 2019, table 3.

Twenty seeds of each model and view, trained on train, the best epoch by dev, scored on test.
Architecture and learning rates are the paper's, but the vectors are GloVe 6B with 50 dimensions
instead of 840B with 300. There are three steps, since the GPU machine may have only torch and
numpy:

    python bench/niven.py pack build/niven            writes items and vectors to copy there
    python bench/niven.py run build/niven runs.json   on the GPU machine: 160 runs, several at once
    python bench/niven.py table runs.json             writes bench/niven.json
"""

from __future__ import annotations

import json
import math
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hansproof import models
from hansproof.types import Item, Items
from hansproof.views import apply_view, fields_of, parse_view

MODELS = {"BoV": "bov", "BiLSTM": "bilstm"}
VIEWS = {"full": "full", "W": "choices", "R,W": "reason+choices", "C,W": "claim+choices"}
SEEDS = 20
SPLITS = ("train", "dev", "test")
SIDE_BY_SIDE = 12  # a single run uses a sixth of a GPU

Task = tuple[str, str, str, int]  # folder, model, view, seed


def pack(folder: str) -> None:
    """Write the items as JSON, and the vectors of their words."""
    from hansproof import load
    from hansproof.vectors import PACKAGE
    from hansproof.vectors.subset import save_subset

    benchmark = load("arct")
    Path(folder).mkdir(parents=True, exist_ok=True)
    items = {split: [asdict(item) for item in benchmark.splits[split]] for split in SPLITS}
    Path(folder, "arct.json").write_text(json.dumps(items))
    save_subset(PACKAGE, f"{folder}/vectors.npz", ["arct"])


def train_run(task: Task) -> dict[str, Any]:
    """Train one run, select the epoch on dev, and return the accuracy on each split."""
    folder, model, view, seed = task
    data = {
        split: tuple(Item(**{**row, "choices": tuple(row["choices"])}) for row in rows)
        for split, rows in json.loads(Path(folder, "arct.json").read_text()).items()
    }
    start = time.perf_counter()
    parsed_view = parse_view(view, fields_of(data["train"]))
    learner = models.load(f"{model}:vectors={folder}/vectors.npz")
    fitted = learner.fit(
        apply_view(parsed_view, data["train"]), apply_view(parsed_view, data["dev"]), seed
    )
    accuracies = {
        split: mean_accuracy(fitted.score(apply_view(parsed_view, items, answers=False)), items)
        for split, items in data.items()
    }
    return {
        "model": model, "view": view, "seed": seed, **accuracies, "chosen": fitted.chosen,
        "device": fitted.fit_info.device, "tokenizer": fitted.fit_info.tokenizer,
        "seconds": round(time.perf_counter() - start, 2),
    }  # fmt: skip


def mean_accuracy(scores: list[tuple[float, ...]], items: Items) -> float:
    """Return the accuracy; ties count by expectation."""
    return statistics.fmean(
        (row[item.answer or 0] == max(row)) / row.count(max(row))
        for row, item in zip(scores, items, strict=True)
    )


def run(folder: str, out: str) -> None:
    tasks = [(folder, m, v, s) for m in MODELS.values() for v in VIEWS.values()
             for s in range(SEEDS)]  # fmt: skip
    tasks.sort(key=lambda task: task[1] == "bov")  # the slowest runs start first
    results = []
    with multiprocessing.get_context("spawn").Pool(SIDE_BY_SIDE) as pool:
        for count, result in enumerate(pool.imap_unordered(train_run, tasks), 1):
            results.append(result)
            print(count, result, flush=True)
            Path(out).write_text(json.dumps(results))


def write_table(runs: str) -> None:
    """Write our results next to the printed ones, with intervals of the differences."""
    results = json.loads(Path(runs).read_text())
    paper = json.loads(Path("src/hansproof/papers/figures/niven2019.json").read_text())
    (printed,) = (t for t in paper["tables"] if t["id"] == "table-3")
    rows = []
    for row in printed["rows"]:
        if row["model"] in MODELS:
            our_runs = [
                r
                for r in results
                if (r["model"], r["view"]) == (MODELS[row["model"]], VIEWS[row["input"]])
            ]
            rows.append(_comparison_row(row, our_runs))
            print(rows[-1])
    result = {
        "command": "python bench/niven.py pack|run|table (see its docstring)",
        "vectors": "GloVe 6B, 50 dimensions (theirs: 840B, 300)",
        "device": sorted({r["device"] for r in results}),
        "tokenizer": sorted({r["tokenizer"] for r in results}),
        "rows": rows,
        "runs": sorted(results, key=lambda r: (r["model"], r["view"], r["seed"])),
    }
    Path("bench/niven.json").write_text(json.dumps(result, indent=1) + "\n")


def _comparison_row(row: dict[str, Any], our_runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    test = [r["test"] for r in our_runs]
    mean, sd = statistics.fmean(test), statistics.stdev(test)
    theirs, spread = row["test_mean"]["mean"], row["test_mean"]["spread"]
    error = math.sqrt(sd**2 / len(test) + spread**2 / SEEDS)  # of the difference of two means
    return {
        "model": row["model"], "input": row["input"], "seeds": len(test),
        "printed_mean": theirs, "printed_spread": spread, "printed_median": row["test_median"],
        "printed_max": row["test_max"], "mean": round(mean, 4), "sd": round(sd, 4),
        "median": round(statistics.median(test), 4), "max": round(max(test), 4),
        "train_mean": round(statistics.fmean(r["train"] for r in our_runs), 4),
        "difference": round(mean - theirs, 4),
        "difference_95": [round(mean - theirs - 1.96 * error, 4),
                          round(mean - theirs + 1.96 * error, 4)],
    }  # fmt: skip


if __name__ == "__main__":
    steps: dict[str, Callable[..., None]] = {"pack": pack, "run": run, "table": write_table}
    steps[sys.argv[1]](*sys.argv[2:])
