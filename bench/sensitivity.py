"""Attribute the scores of models trained on COPA and on Balanced COPA to cues, with many seeds.

Follows Kavumba et al. 2019, table 7 and figure 2, with other weights: trained by `models/hf` with
its default recipe, the best epoch selected on a tenth of the items. Measures how much the scores of
COPA's test items depend on each cue of its training half, by gradient, integrated gradients and
occlusion. There are three steps, since the GPU machine may have only torch, transformers and numpy.
The last two methods need captum in PYTHONPATH; it is pure Python, and matplotlib may be missing:

    python -m bench.sensitivity pack build/sensitivity.json              items and cues
    PYTHONPATH=src python -m bench.sensitivity run WEIGHTS build/sensitivity.json OUT.json --seeds 8
    python -m bench.sensitivity page OUT.json DATE       bench/sensitivity.json, docs/results
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

from hansproof import models
from hansproof.probes.sensitivity.cue_attributions import (
    AttributionTotals,
    CueFinder,
    total_attributions,
)
from hansproof.scoring import expected_credit
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.splits import hold_out
from hansproof.training.training_task import TrainingTask
from hansproof.types import Item, Items
from hansproof.views import apply_view, fields_of, parse_view

GROUPS = ("copa", "balanced_copa")  # before, and after balancing
MIN_APPLICABILITY = 4  # that of the rarest words in the paper's table
METHODS = ("gradient", "integrated", "occlusion")
MATPLOTLIB_MODULES = (
    "matplotlib",
    "matplotlib.axes",
    "matplotlib.collections",
    "matplotlib.colors",
    "matplotlib.figure",
    "matplotlib.image",
    "matplotlib.pyplot",
    "mpl_toolkits",
    "mpl_toolkits.axes_grid1",
)


def pack(output: str) -> None:
    """Write the training items, the test items, and the cues of COPA's training half."""
    from hansproof import load
    from hansproof.probes.sensitivity.cue_shares import count_word_cues

    benchmarks = {name: load(name) for name in GROUPS}
    train = {
        name: benchmark.splits[benchmark.roles["train"]] for name, benchmark in benchmarks.items()
    }
    words = get_tokenizer("word")
    cues = count_word_cues(train["copa"], words, MIN_APPLICABILITY)
    data = {
        "tokenizer": words.name,
        "cues": cues,
        "test": items_to_rows(benchmarks["copa"].splits["test"]),
        "train": {name: items_to_rows(items) for name, items in train.items()},
    }
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    Path(output).write_text(json.dumps(data))


def items_to_rows(items: Items) -> list[dict[str, Any]]:
    return [asdict(item) for item in items]


def items_from_rows(rows: Sequence[dict[str, Any]]) -> Items:
    return tuple(Item(**{**row, "choices": tuple(row["choices"])}) for row in rows)


def run(weights: str, data_json: str, out: str, args: argparse.Namespace) -> None:
    """Train all seeds of a training set in parallel; save after each result."""
    stub_matplotlib()
    data = json.loads(Path(data_json).read_text())
    test = items_from_rows(data["test"])[: args.items or None]
    finder = CueFinder(get_tokenizer(data["tokenizer"]), frozenset(data["cues"]))
    results: list[dict[str, Any]] = []
    for group in GROUPS:
        start = time.perf_counter()
        for seed, fitted in fit_seeds(weights, items_from_rows(data["train"][group]), args):
            train_seconds = time.perf_counter() - start
            result = attribute_items(fitted, test, finder, args)
            result |= {"group": group, "seed": seed, "seconds_trained": round(train_seconds, 1)}
            results.append(result)
            print(group, seed, f"accuracy {result['accuracy']:.3f},", result["seconds"], flush=True)
            header = {
                "model": Path(weights).name,
                "tokenizer": data["tokenizer"],
                "cues": data["cues"],
                "items": len(test),
                "steps": args.steps,
            }
            Path(out).write_text(json.dumps({**header, "runs": results}))
            start = time.perf_counter()


def fit_seeds(weights: str, items: Items, args: argparse.Namespace) -> Iterator[tuple[int, Any]]:
    """Yield seeds and fitted models, trained as in `bench/mpnet.py`."""
    options = [f"epochs={args.epochs}"] * bool(args.epochs) + ["device=cpu"] * args.cpu
    model = models.load(",".join([f"hf:source={weights}", *options]))
    parsed_view = parse_view("full", fields_of(items))
    tasks = []
    for seed in range(args.seeds):
        train_items, select = hold_out(items, seed)
        tasks.append(
            TrainingTask(
                apply_view(parsed_view, train_items, seed),
                apply_view(parsed_view, select, seed),
                seed,
            )
        )
    fitted_models = model.fit_many(tasks, lambda progress, accuracy: None)
    return ((task.seed, fitted) for task, fitted in zip(tasks, fitted_models, strict=True))


def attribute_items(
    fitted: Any, test: Items, finder: CueFinder, args: argparse.Namespace
) -> dict[str, Any]:
    """Total the attributions of a model by method, over all choices and over its picks."""
    viewed = apply_view(parse_view("full", fields_of(test)), test, answers=False)
    scores = fitted.score(viewed)
    item_credits = [
        expected_credit(tuple(s), item.answer or 0) for s, item in zip(scores, test, strict=True)
    ]
    tallies, seconds = {}, {}
    for method in args.methods.split(","):
        start = time.perf_counter()
        shares = fitted.gradients(viewed, method, args.steps)
        seconds[method] = round(time.perf_counter() - start, 1)
        for name, picks in (("average", None), ("predicted", scores)):
            totals = total_attributions(shares, finder, picks)
            tallies[f"{method} {name}"] = totals_to_json(totals)
    tokens = statistics.fmean(
        len(choice_shares.tokens) for item_shares in shares for choice_shares in item_shares
    )
    return {
        "accuracy": statistics.fmean(item_credits), "mean_tokens": tokens, "chosen": fitted.chosen,
        "device": fitted.fit_info.device, "reads": fitted.fit_info.tokenizer, "seconds": seconds,
        "tallies": tallies,
    }  # fmt: skip


def totals_to_json(totals: AttributionTotals) -> dict[str, Any]:
    """Convert totals to the keys of bench/sensitivity.json."""
    return {
        "items": totals.n_items,
        "skipped": totals.n_skipped,
        "counts": totals.counts,
        "sums": totals.sums,
    }


def totals_from_json(tally: dict[str, Any]) -> AttributionTotals:
    """Read totals that `totals_to_json` wrote."""
    return AttributionTotals(tally["items"], tally["skipped"], tally["counts"], tally["sums"])


def stub_matplotlib() -> None:
    """Stub matplotlib if it is missing: captum imports it even if nothing is drawn."""
    if importlib.util.find_spec("matplotlib") is None:
        sys.modules.update({name: MagicMock(__version__="3.9") for name in MATPLOTLIB_MODULES})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("pack").add_argument("into")
    run_parser = steps.add_parser("run")
    for name in ("weights", "data", "out"):
        run_parser.add_argument(name)
    run_parser.add_argument("--seeds", type=int, default=8)
    run_parser.add_argument(
        "--epochs", type=int, default=0, help="number of epochs; 0: the recipe's"
    )
    run_parser.add_argument("--items", type=int, default=0, help="number of test items; 0: all")
    run_parser.add_argument("--steps", type=int, default=32, help="steps of integrated gradients")
    run_parser.add_argument("--methods", default=",".join(METHODS))
    run_parser.add_argument("--cpu", action="store_true")
    page_parser = steps.add_parser("page")
    page_parser.add_argument("found")
    page_parser.add_argument("date")
    args = parser.parse_args()
    if args.step == "pack":
        pack(args.into)
    elif args.step == "run":
        run(args.weights, args.data, args.out, args)
    else:
        from bench.sensitivity_page import write_page

        write_page(args.found, args.date)


if __name__ == "__main__":
    main()
