"""What the remedies do: subset, aflite and priority on COPA, ARCT and PIQA.

    python -m bench.fixing     writes bench/fixing.json and docs/results/fixing.md

Each benchmark's labelled splits are taken together. Blind accuracy is that of models that see the
choices alone, cross-validated in five folds that part no copies, three seeds. `subset` counts
words, so a bag of words is a near relative of it and the others are not; `aflite` looks at MiniLM's
vectors, so `encoder_linear` is what it used and the others are not. `bov` (GloVe) neither used.
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

from bench.fixing_page import JSON, write
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


def models() -> dict[str, Any]:
    """Blind models, each with its usual settings."""
    return {
        "bow": Bow(),
        "bov": Bov(),
        "encoder_linear": EncoderLinear(minilm_folder(), cache=CACHE),
    }


def edits() -> dict[str, Callable[[Benchmark], EditResult]]:
    """The ways to keep a part of a benchmark."""
    encoder = minilm_folder()
    return {
        "subset --until significant": Subset(until="significant"),
        "subset --until null": Subset(until="null"),
        "aflite --view choices": Aflite(encoder, view="choices", cache=CACHE),
        "aflite --view full": Aflite(encoder, view="full", cache=CACHE),
    }


def blind(items: Items) -> dict[str, Row]:
    """What each model answers of items whose choices alone it sees."""
    shown = apply_view(View(("choices",)), items)
    found = {}
    for name, model in models().items():
        earned = np.zeros((SEEDS, len(items)))
        for seed in range(SEEDS):
            for learnt, scored in iter_folds(items, FOLDS, seed):
                taught = tuple(shown[at] for at in learnt)
                taught, select = hold_out(taught, seed) if model.selects else (taught, ())
                scores = model.fit(taught, select, seed).score(tuple(shown[at] for at in scored))
                for at, row in zip(scored, scores, strict=True):
                    earned[seed, at] = expected_credit(row, items[at].answer or 0)
        low, high = mean_interval(earned.mean(axis=0), find_leakage_groups(items))
        found[name] = {"accuracy": float(earned.mean()), "low": low, "high": high}
    return found


def pooled(benchmark: Benchmark) -> Items:
    return tuple(item for some in benchmark.labelled_splits().values() for item in some)


def remedies(name: str) -> Row:
    """A benchmark before, and after each edit."""
    benchmark = load(name)
    items = pooled(benchmark)
    rows: list[Row] = [{"edit": "as it is", "kept": len(items), "blind": blind(items)}]
    print(name, rows[-1], flush=True)
    for edit, change in edits().items():
        begun = time.perf_counter()
        edited = change(benchmark)
        taken = time.perf_counter() - begun
        left = pooled(edited.benchmark)
        rows.append(
            {"edit": edit, "kept": len(left), "seconds": taken, "blind": blind(left),
             "said": edited.report.summary}
        )  # fmt: skip
        print(name, rows[-1], flush=True)
    return {"items": len(items), "chance": chance_level(items),
            "rows": rows}  # fmt: skip


def mirroring(spec: str) -> Row:
    """How many items to mirror, by priority and at random."""
    begun = time.perf_counter()
    result = Priority()(load(spec))
    tables = {
        name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        for name, table in result.tables.items()
        if name != "order"
    }
    seconds = time.perf_counter() - begun
    return {"said": result.summary, "seconds": seconds, "params": dict(result.params), **tables}


def main() -> None:
    encode_everything()
    found = {
        "command": "python -m bench.fixing",
        "machine": {"cores": os.cpu_count(), "python": platform.python_version()},
        "encoder": "all-MiniLM-L6-v2",
        "priority": {spec: mirroring(spec) for spec in ("copa:dev", "copa", "arct:train")},
        "remedies": {name: remedies(name) for name in BENCHMARKS},
    }
    JSON.write_text(json.dumps(found, indent=1) + "\n")
    write(found)


def encode_everything() -> None:
    """Vectors of all texts, so that the times below are those of the edits."""
    Path(CACHE).mkdir(parents=True, exist_ok=True)
    for name in BENCHMARKS:
        benchmark = load(name)
        Aflite(minilm_folder(), view="full", cache=CACHE, partitions=2)._prepare_setup(
            pooled(benchmark)
        )


if __name__ == "__main__":
    main()
