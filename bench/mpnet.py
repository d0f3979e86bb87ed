"""Fine-tune MPNet-base on COPA, Balanced COPA and ARCT from parts of the input, with many seeds.

Trained by `models/hf` with its default recipe. The best epoch is selected on a tenth of the
training items (ARCT: on dev). Tested on COPA's test half, separately for Easy and Hard, and on
ARCT's test split. There are three steps, since the GPU machine may have only torch, transformers
and numpy:

    python -m bench.mpnet pack build/mpnet                       writes items to copy there
    PYTHONPATH=src python -m bench.mpnet run build/mpnet WEIGHTS runs.json
    python -m bench.mpnet table runs.json EASY_HARD.json DATE    bench/mpnet.json, docs/results

WEIGHTS is the folder of all-mpnet-base-v2. At its end, `run` trains on COPA in single precision
with a plain loop over transformers, to check that the engine loses nothing.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hansproof import models
from hansproof.scoring import expected_credit
from hansproof.training.splits import hold_out
from hansproof.training.training_task import TrainingTask
from hansproof.types import Item, Items
from hansproof.views import apply_view, fields_of, parse_view

SEEDS = 20
PLAIN_SEEDS = 20
VIEWS = {
    "copa": ("full", "choices"),
    "balanced_copa": ("full", "choices"),
    "arct": ("full", "choices", "reason+choices", "claim+choices"),
}


def pack(folder: str) -> None:
    """Write the items as JSON."""
    from hansproof import load

    data = {}
    for name in VIEWS:
        benchmark = load(name)
        test = load("copa") if name == "balanced_copa" else benchmark
        parts = {"train": benchmark.splits[benchmark.roles["train"]], "test": test.splits["test"]}
        if "select" in benchmark.roles:
            parts["select"] = benchmark.splits[benchmark.roles["select"]]
        data[name] = {part: [asdict(item) for item in items] for part, items in parts.items()}
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(folder, "items.json").write_text(json.dumps(data))


def read_items(folder: str) -> dict[str, dict[str, Items]]:
    data = json.loads(Path(folder, "items.json").read_text())
    return {
        name: {
            part: tuple(Item(**{**row, "choices": tuple(row["choices"])}) for row in rows)
            for part, rows in parts.items()
        }
        for name, parts in data.items()
    }


def run(folder: str, weights: str, out: str, seeds: str = str(SEEDS)) -> None:
    """Train all runs of a benchmark and view in parallel; save after each."""
    results: list[dict[str, Any]] = []
    data = read_items(folder)
    for name, views in VIEWS.items():
        for view in views:
            start = time.perf_counter()
            results += list(train_seeds(weights, name, view, data[name], int(seeds)))
            seconds = time.perf_counter() - start
            print(f"{name} {view}: {seeds} runs in {seconds:.0f} s, mean "
                  f"{statistics.fmean(result['accuracy'] for result in results[-int(seeds):]):.4f}",
                  flush=True)  # fmt: skip
            results[-1]["seconds_of_all"] = round(seconds, 1)
            Path(out).write_text(json.dumps(results))
    for seed in range(min(int(seeds), PLAIN_SEEDS)):
        results.append(train_plain(weights, data["copa"], seed))
        print("plain", seed, results[-1]["accuracy"], flush=True)
        Path(out).write_text(json.dumps(results))


def split_train(data: dict[str, Items], seed: int) -> tuple[Items, Items]:
    """Return the items to train on and the items to select the epoch on."""
    return (data["train"], data["select"]) if "select" in data else hold_out(data["train"], seed)


def train_seeds(weights: str, name: str, view: str, data: dict[str, Items], seeds: int) -> Any:
    model = models.load(f"hf:source={weights}")
    parsed_view = parse_view(view, fields_of(data["train"]))
    tasks, train_sets = [], []
    for seed in range(seeds):
        items, select = split_train(data, seed)
        tasks.append(
            TrainingTask(
                apply_view(parsed_view, items, seed), apply_view(parsed_view, select, seed), seed
            )
        )
        train_sets.append(items)
    test = apply_view(parsed_view, data["test"], answers=False)
    for task, items, fitted in zip(
        tasks, train_sets, model.fit_many(tasks, lambda progress, accuracy: None), strict=True
    ):
        scores = fitted.score(test)
        yield {
            "way": "engine",
            "benchmark": name,
            "view": view,
            "seed": task.seed,
            **grade_items(scores, data["test"]),
            "chosen": fitted.chosen,
            "cut": fitted.fit_info.cut,
            "train_accuracy": grade_items(
                fitted.score(apply_view(parsed_view, items, task.seed, answers=False)), items
            )["accuracy"],
            "n_train": len(items),
            "device": fitted.fit_info.device,
            "tokenizer": fitted.fit_info.tokenizer,
        }


def grade_items(scores: Sequence[Sequence[float]], items: Items) -> dict[str, Any]:
    """Return the accuracy, and a letter for each item: `1`, `0`, or `?` for a tie."""
    item_credits = [
        expected_credit(tuple(s), item.answer or 0) for s, item in zip(scores, items, strict=True)
    ]
    letters = "".join({0.0: "0", 1.0: "1"}.get(credit, "?") for credit in item_credits)
    return {"accuracy": statistics.fmean(item_credits), "right": letters}


def train_plain(weights: str, data: dict[str, Items], seed: int) -> dict[str, Any]:
    """Train with transformers and torch only: padded, single precision, one run at a time."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    from hansproof.pretrained.input_formats import format_pair

    torch.manual_seed(seed)
    tokenizer = AutoTokenizer.from_pretrained(weights)
    encoder = AutoModel.from_pretrained(weights, dtype=torch.float32).cuda().train()
    head = torch.nn.Linear(encoder.config.hidden_size, 1).cuda()
    adam = torch.optim.AdamW([*encoder.parameters(), *head.parameters()], lr=2e-5)
    items, select = split_train(data, seed)

    def compute_logits(batch_items: Items) -> torch.Tensor:
        texts = [format_pair(item, choice) for item in batch_items for choice in item.choices]
        batch = tokenizer(*map(list, zip(*texts, strict=True)), padding=True,
                          return_tensors="pt").to("cuda")  # fmt: skip
        hidden = encoder(**batch).last_hidden_state
        mask = batch["attention_mask"][:, :, None]
        mean = (hidden * mask).sum(1) / mask.sum(1)
        return head(torch.nn.functional.dropout(mean, 0.1, encoder.training)).view(
            len(batch_items), -1
        )

    def score_items(scored_items: Items) -> list[list[float]]:
        encoder.eval()
        with torch.no_grad():
            rows = [
                row
                for start in range(0, len(scored_items), 50)
                for row in compute_logits(scored_items[start : start + 50]).tolist()
            ]
        encoder.train()
        return rows

    best: tuple[float, dict[str, Any]] = (-1.0, {})
    for _ in range(10):
        order = torch.randperm(len(items)).tolist()
        for start in range(0, len(order), 32):
            batch_items = tuple(items[i] for i in order[start : start + 32])
            answers = torch.tensor([item.answer for item in batch_items], device="cuda")
            adam.zero_grad()
            torch.nn.functional.cross_entropy(compute_logits(batch_items), answers).backward()
            adam.step()
        accuracy = grade_items(score_items(select), select)["accuracy"]
        if accuracy > best[0]:
            best = accuracy, grade_items(score_items(data["test"]), data["test"])
    return {"way": "plain", "benchmark": "copa", "view": "full", "seed": seed, **best[1]}


if __name__ == "__main__":
    from bench.mpnet_table import write_table

    steps: dict[str, Callable[..., None]] = {"pack": pack, "run": run, "table": write_table}
    steps[sys.argv[1]](*sys.argv[2:])
