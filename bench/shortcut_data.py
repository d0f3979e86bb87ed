"""The benchmarks on which the probe `shortcuts` is measured, and what models say of them.

    python -m bench.shortcut_data WEIGHTS MODEL [BENCHMARK...]

writes the likelihoods of all choices under WEIGHTS/MODEL, a folder of a causal language model, to
WEIGHTS/MODEL.jsonl, and continues such a file. The model runs in bfloat16, four times as fast on
this CPU as in single precision. If MODEL is `minilm`, writes the vectors of all choices to the
cache instead. Needs HANSPROOF_DATA.
"""

from __future__ import annotations

import glob
import json
import os
import sys
from itertools import chain
from pathlib import Path

from bench.clauses import ngram_pool, read_clauses
from hansproof import load
from hansproof.inputs.choice_texts import list_choice_texts
from hansproof.inputs.choice_vectors import load_vectors
from hansproof.inputs.likelihood_files import write_likelihoods
from hansproof.models._transformers.likelihood import load_scorer
from hansproof.types import Benchmark, Item, Items

BENCHMARKS = {  # by the name that a page gives it: a name, or a pattern in HANSPROOF_DATA
    "COPA": "copa",
    "Balanced COPA": "balanced_copa:dev",
    "ARCT": "arct",
    "adversarial ARCT": "arct_adversarial",
    "ARC-Challenge": "arc_challenge",
    "PIQA": "piqa",
    "CSQA": "csqa",
    "HellaSwag": "benchmarker/HellaSwag_*.jsonl",
    "GoldenSwag": "benchmarker/GoldenSwag_*.jsonl",
    "TruthfulQA": "benchmarker/truthful_qa_*.jsonl",
    "MMLU-Pro": "benchmarker/MMLU_Pro_*.jsonl",
    "quiz course": "quizzes",
}
LABELS = "benchmarker/shortcut_labels_half.jsonl"
BATCH, ENCODER = 64, "minilm"


def data_path(name: str) -> str:
    return os.path.join(os.environ["HANSPROOF_DATA"], name)


def load_benchmark(name: str) -> Benchmark:
    """Load a benchmark by the name that pages give it."""
    source = BENCHMARKS[name]
    is_path = "/" in source or source == "quizzes"
    return load(sorted(glob.glob(data_path(source))) if is_path else source)


def pool_splits(benchmark: Benchmark) -> Items:
    return tuple(
        item for split_items in benchmark.labelled_splits().values() for item in split_items
    )


def read_labels() -> list[dict[str, object]]:
    """Read the items of which people said whether a shortcut answers them."""
    with open(data_path(LABELS)) as file:
        return [json.loads(line) for line in file]


def label_choices(row: dict[str, object]) -> list[str]:
    choices = row["choices"]
    assert isinstance(choices, list)
    return [str(choice) for choice in choices]


def list_texts(name: str) -> list[str]:
    """List the choices of a benchmark, of the items with labels, or of planted and clean items."""
    if name == "labels":
        return [choice for row in read_labels() for choice in label_choices(row)]
    if name == "clauses":
        return [*read_clauses()]
    if name == "n-gram texts":
        return [*chain.from_iterable(ngram_pool().values())]
    return list_choice_texts(load_benchmark(name))


def load_clauses() -> Benchmark:
    """Return a benchmark with all texts of clean items among its choices."""
    texts = list_texts("clauses")
    items = tuple(Item(text, {"question": ""}, (text, ""), 0) for text in dict.fromkeys(texts))
    return Benchmark("clauses", {"all": items})


def main(weights: str, model: str, *names: str) -> None:
    import torch

    folder = os.path.join(weights, model)
    if model == ENCODER:
        for name in names or (*BENCHMARKS, "clauses"):
            load_vectors([folder], load_clauses() if name == "clauses" else load_benchmark(name))
            print(name, flush=True)
        return
    load_scorer(folder, "auto").model.to(torch.bfloat16)  # stays in memory for write_likelihoods
    for name in names or (*BENCHMARKS, "labels", "n-gram texts", "clauses"):
        path = str(Path(weights) / f"{model}.jsonl")
        write_likelihoods(path, f"lm:source={folder},batch={BATCH}", list_texts(name))
        print(name, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
