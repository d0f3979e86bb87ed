"""Measure what the remedies do: subset, aflite and priority on COPA, ARCT and PIQA.

    python -m bench.fixing     writes bench/fixing.json and docs/results/fixing.md

All labelled splits of a benchmark are pooled. Blind accuracy is that of models that see only the
choices, cross-validated in five folds that keep copies together, with three seeds. `subset` counts
words, so a bag of words is closely related to it and the other models are not. `aflite` looks at
MiniLM's vectors, so `encoder_linear` sees what it used and the other models do not. Neither edit
uses GloVe, the vectors of `bov`.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.fixing_page import JSON, write_page
from hansproof import load
from hansproof.edits.aflite import Aflite
from hansproof.edits.subset import Subset
from hansproof.models.bov import Bov
from hansproof.models.bow import Bow
from hansproof.models.encoder_linear import EncoderLinear
from hansproof.probes.priority import Priority
from hansproof.scoring import chance_level, expected_credit
from hansproof.stats import mean_interval
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.training.splits import hold_out, iter_folds
from hansproof.types import Benchmark, EditResult, Items, View
from hansproof.views import apply_view
from tests.support.markers import minilm_folder

BENCHMARKS = ("copa", "arct", "piqa")
SEEDS, FOLDS = 3, 5
CACHE = "build/fixing/features"
Row = dict[str, Any]


def blind_models() -> dict[str, Any]:
    """Return the blind models, each with its usual settings."""
    return {
        "bow": Bow(),
        "bov": Bov(),
        "encoder_linear": EncoderLinear(minilm_folder(), cache=CACHE),
    }


def build_edits() -> dict[str, Callable[[Benchmark], EditResult]]:
    """Return the edits that keep a part of a benchmark."""
    encoder = minilm_folder()
    return {
        "subset --until significant": Subset(until="significant"),
        "subset --until null": Subset(until="null"),
        "aflite --view choices": Aflite(encoder, view="choices", cache=CACHE),
        "aflite --view full": Aflite(encoder, view="full", cache=CACHE),
    }


def measure_blind(items: Items) -> dict[str, Row]:
    """Return the accuracy of each model when it sees only the choices."""
    viewed = apply_view(View(("choices",)), items)
    accuracies = {}
    for name, model in blind_models().items():
        item_credits = np.zeros((SEEDS, len(items)))
        for seed in range(SEEDS):
            for train_rows, test_rows in iter_folds(items, FOLDS, seed):
                train_items = tuple(viewed[i] for i in train_rows)
                train_items, select = (
                    hold_out(train_items, seed) if model.selects else (train_items, ())
                )
                scores = model.fit(train_items, select, seed).score(
                    tuple(viewed[i] for i in test_rows)
                )
                for i, row in zip(test_rows, scores, strict=True):
                    item_credits[seed, i] = expected_credit(row, items[i].answer or 0)
        low, high = mean_interval(item_credits.mean(axis=0), find_leakage_groups(items))
        accuracies[name] = {"accuracy": float(item_credits.mean()), "low": low, "high": high}
    return accuracies


def pool_splits(benchmark: Benchmark) -> Items:
    return tuple(
        item for split_items in benchmark.labelled_splits().values() for item in split_items
    )


def measure_edits(name: str) -> Row:
    """Measure a benchmark as it is, and after each edit."""
    benchmark = load(name)
    items = pool_splits(benchmark)
    rows: list[Row] = [{"edit": "as it is", "kept": len(items), "blind": measure_blind(items)}]
    print(name, rows[-1], flush=True)
    for edit, apply_edit in build_edits().items():
        start = time.perf_counter()
        edited = apply_edit(benchmark)
        seconds = time.perf_counter() - start
        kept_items = pool_splits(edited.benchmark)
        rows.append(
            {
                "edit": edit,
                "kept": len(kept_items),
                "seconds": seconds,
                "blind": measure_blind(kept_items),
                "said": edited.report.summary,
            }
        )
        print(name, rows[-1], flush=True)
    return {"items": len(items), "chance": chance_level(items),
            "rows": rows}  # fmt: skip


def measure_priority(spec: str) -> Row:
    """Count the items to mirror, by priority and at random."""
    start = time.perf_counter()
    result = Priority()(load(spec))
    tables = {
        name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        for name, table in result.tables.items()
        if name != "order"
    }
    seconds = time.perf_counter() - start
    return {"said": result.summary, "seconds": seconds, "params": dict(result.params), **tables}


def main() -> None:
    encode_everything()
    report = {
        "command": "python -m bench.fixing",
        "machine": {"cores": os.cpu_count(), "python": platform.python_version()},
        "encoder": "all-MiniLM-L6-v2",
        "priority": {spec: measure_priority(spec) for spec in ("copa:dev", "copa", "arct:train")},
        "remedies": {name: measure_edits(name) for name in BENCHMARKS},
    }
    JSON.write_text(json.dumps(report, indent=1) + "\n")
    write_page(report)


def encode_everything() -> None:
    """Encode all texts in advance, so that only the edits themselves are timed."""
    Path(CACHE).mkdir(parents=True, exist_ok=True)
    for name in BENCHMARKS:
        benchmark = load(name)
        Aflite(minilm_folder(), view="full", cache=CACHE, partitions=2)._prepare_setup(
            pool_splits(benchmark)
        )


if __name__ == "__main__":
    main()
