"""MPNet-base fine-tuned on COPA, Balanced COPA and ARCT, from parts of the input, many seeds.

Trained by `models/hf` with its default recipe, the best epoch by a tenth (ARCT: by dev), tested on
COPA's test half, Easy and Hard apart, and on ARCT's test split. In three steps, since the runs are
for a GPU machine that may have torch, transformers and numpy and nothing else:

    python -m bench.mpnet pack build/mpnet                       items, to be carried there
    PYTHONPATH=src python -m bench.mpnet run build/mpnet WEIGHTS runs.json
    python -m bench.mpnet table runs.json EASY_HARD.json DATE    bench/mpnet.json, docs/results

WEIGHTS is the folder of all-mpnet-base-v2. `run` ends with COPA in single precision by
a plain loop over transformers, to see that nothing is lost.
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
from hansproof.training.task import TrainingTask
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
    """Items as JSON."""
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


def read(folder: str) -> dict[str, dict[str, Items]]:
    data = json.loads(Path(folder, "items.json").read_text())
    return {
        name: {
            part: tuple(Item(**{**row, "choices": tuple(row["choices"])}) for row in rows)
            for part, rows in parts.items()
        }
        for name, parts in data.items()
    }


def run(folder: str, weights: str, out: str, seeds: str = str(SEEDS)) -> None:
    """All runs of a benchmark and view at once; written after each."""
    found: list[dict[str, Any]] = []
    data = read(folder)
    for name, views in VIEWS.items():
        for view in views:
            start = time.perf_counter()
            found += list(runs(weights, name, view, data[name], int(seeds)))
            seconds = time.perf_counter() - start
            print(f"{name} {view}: {seeds} runs in {seconds:.0f} s, mean "
                  f"{statistics.fmean(one['accuracy'] for one in found[-int(seeds):]):.4f}",
                  flush=True)  # fmt: skip
            found[-1]["seconds_of_all"] = round(seconds, 1)
            Path(out).write_text(json.dumps(found))
    for seed in range(min(int(seeds), PLAIN_SEEDS)):
        found.append(plain(weights, data["copa"], seed))
        print("plain", seed, found[-1]["accuracy"], flush=True)
        Path(out).write_text(json.dumps(found))


def parted(data: dict[str, Items], seed: int) -> tuple[Items, Items]:
    """What is learnt from, and what is selected by."""
    return (data["train"], data["select"]) if "select" in data else hold_out(data["train"], seed)


def runs(weights: str, name: str, view: str, data: dict[str, Items], seeds: int) -> Any:
    model = models.load(f"hf:source={weights}")
    shown = parse_view(view, fields_of(data["train"]))
    tasks, learnt = [], []
    for seed in range(seeds):
        items, select = parted(data, seed)
        tasks.append(
            TrainingTask(apply_view(shown, items, seed), apply_view(shown, select, seed), seed)
        )
        learnt.append(items)
    test = apply_view(shown, data["test"], answers=False)
    for task, items, fitted in zip(
        tasks, learnt, model.fit_many(tasks, lambda done, now: None), strict=True
    ):
        scores = fitted.score(test)
        yield {
            "way": "engine", "benchmark": name, "view": view, "seed": task.seed,
            **right(scores, data["test"]), "chosen": fitted.chosen, "cut": fitted.fit_info.cut,
            "train_accuracy": right(
                fitted.score(apply_view(shown, items, task.seed, answers=False)), items
            )["accuracy"],
            "n_train": len(items), "device": fitted.fit_info.device, "tokenizer": fitted.fit_info.tokenizer,
        }  # fmt: skip


def right(scores: Sequence[Sequence[float]], items: Items) -> dict[str, Any]:
    """How many, and which: a letter for each item, `?` where several share the lead."""
    each = [
        expected_credit(tuple(s), item.answer or 0) for s, item in zip(scores, items, strict=True)
    ]
    told = "".join({0.0: "0", 1.0: "1"}.get(one, "?") for one in each)
    return {"accuracy": statistics.fmean(each), "right": told}


def plain(weights: str, data: dict[str, Items], seed: int) -> dict[str, Any]:
    """The same recipe by transformers and torch alone: padded, single precision, one at a time."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    from hansproof.pretrained.input_formats import format_pair

    torch.manual_seed(seed)
    tokenizer = AutoTokenizer.from_pretrained(weights)
    encoder = AutoModel.from_pretrained(weights, dtype=torch.float32).cuda().train()
    head = torch.nn.Linear(encoder.config.hidden_size, 1).cuda()
    adam = torch.optim.AdamW([*encoder.parameters(), *head.parameters()], lr=2e-5)
    items, select = parted(data, seed)

    def logits(some: Items) -> torch.Tensor:
        texts = [format_pair(item, choice) for item in some for choice in item.choices]
        batch = tokenizer(*map(list, zip(*texts, strict=True)), padding=True,
                          return_tensors="pt").to("cuda")  # fmt: skip
        said = encoder(**batch).last_hidden_state
        mask = batch["attention_mask"][:, :, None]
        mean = (said * mask).sum(1) / mask.sum(1)
        return head(torch.nn.functional.dropout(mean, 0.1, encoder.training)).view(len(some), -1)

    def scores(some: Items) -> list[list[float]]:
        encoder.eval()
        with torch.no_grad():
            found = [row for at in range(0, len(some), 50)
                     for row in logits(some[at : at + 50]).tolist()]  # fmt: skip
        encoder.train()
        return found

    best: tuple[float, dict[str, Any]] = (-1.0, {})
    for _ in range(10):
        order = torch.randperm(len(items)).tolist()
        for at in range(0, len(order), 32):
            some = tuple(items[i] for i in order[at : at + 32])
            answers = torch.tensor([item.answer for item in some], device="cuda")
            adam.zero_grad()
            torch.nn.functional.cross_entropy(logits(some), answers).backward()
            adam.step()
        judged = right(scores(select), select)["accuracy"]
        if judged > best[0]:
            best = judged, right(scores(data["test"]), data["test"])
    return {"way": "plain", "benchmark": "copa", "view": "full", "seed": seed, **best[1]}


if __name__ == "__main__":
    from bench.mpnet_table import table

    steps: dict[str, Callable[..., None]] = {"pack": pack, "run": run, "table": table}
    steps[sys.argv[1]](*sys.argv[2:])
