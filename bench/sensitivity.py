"""Where the gradient looks: a model trained on COPA and on Balanced COPA, many seeds of each.

Kavumba et al. 2019, table 7 and figure 2, on other weights: trained by `models/hf` with its default
recipe, the best epoch by a tenth; how much the scores of COPA's test items hang on each cue of its
training half, by the gradient, by integrated gradients and by occlusion. In three steps, since the
runs are for a GPU machine that may have torch, transformers and numpy and nothing else (the last
two methods need captum in PYTHONPATH, which is pure Python; matplotlib it can do without):

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
from hansproof.probes.sensitivity.cue_attributions import CueFinder, total_attributions
from hansproof.scoring import expected_credit
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.splits import hold_out
from hansproof.training.task import TrainingTask
from hansproof.types import Item, Items
from hansproof.views import apply_view, fields_of, parse_view

GROUPS = ("copa", "balanced_copa")  # before, and after balancing
LEAST = 4  # applicability: the rarest words of the paper's table have it
METHODS = ("gradient", "integrated", "occlusion")
PICTURES = ("matplotlib", "matplotlib.axes", "matplotlib.collections", "matplotlib.colors",
            "matplotlib.figure", "matplotlib.image", "matplotlib.pyplot",
            "mpl_toolkits", "mpl_toolkits.axes_grid1")  # fmt: skip


def pack(into: str) -> None:
    """Items to learn from, items to look at, and the cues of COPA's training half."""
    from hansproof import load
    from hansproof.probes.sensitivity.cue_shares import count_word_cues

    each = {name: load(name) for name in GROUPS}
    train = {name: one.splits[one.roles["train"]] for name, one in each.items()}
    words = get_tokenizer("word")
    cues = count_word_cues(train["copa"], words, LEAST)
    data = {
        "tokenizer": words.name, "cues": cues, "test": rows(each["copa"].splits["test"]),
        "train": {name: rows(items) for name, items in train.items()},
    }  # fmt: skip
    Path(into).parent.mkdir(parents=True, exist_ok=True)
    Path(into).write_text(json.dumps(data))


def rows(items: Items) -> list[dict[str, Any]]:
    return [asdict(item) for item in items]


def items_of(some: Sequence[dict[str, Any]]) -> Items:
    return tuple(Item(**{**row, "choices": tuple(row["choices"])}) for row in some)


def run(weights: str, data_json: str, out: str, given: argparse.Namespace) -> None:
    """All seeds of a training set at once; written after each."""
    without_pictures()
    data = json.loads(Path(data_json).read_text())
    test = items_of(data["test"])[: given.items or None]
    finder = CueFinder(get_tokenizer(data["tokenizer"]), frozenset(data["cues"]))
    found: list[dict[str, Any]] = []
    for group in GROUPS:
        start = time.perf_counter()
        for seed, fitted in fits(weights, items_of(data["train"][group]), given):
            trained = time.perf_counter() - start
            one = looked(fitted, test, finder, given)
            one |= {"group": group, "seed": seed, "seconds_trained": round(trained, 1)}
            found.append(one)
            print(group, seed, f"accuracy {one['accuracy']:.3f},", one["seconds"], flush=True)
            about = {"model": Path(weights).name, "tokenizer": data["tokenizer"],
                     "cues": data["cues"], "items": len(test), "steps": given.steps}  # fmt: skip
            Path(out).write_text(json.dumps({**about, "runs": found}))
            start = time.perf_counter()


def fits(weights: str, items: Items, given: argparse.Namespace) -> Iterator[tuple[int, Any]]:
    """Seeds and fitted models, as `bench/mpnet.py` has them."""
    more = [f"epochs={given.epochs}"] * bool(given.epochs) + ["device=cpu"] * given.cpu
    model = models.load(",".join([f"hf:source={weights}", *more]))
    shown = parse_view("full", fields_of(items))
    tasks = []
    for seed in range(given.seeds):
        learnt, select = hold_out(items, seed)
        tasks.append(
            TrainingTask(apply_view(shown, learnt, seed), apply_view(shown, select, seed), seed)
        )
    fitted = model.fit_many(tasks, lambda done, now: None)
    return ((task.seed, one) for task, one in zip(tasks, fitted, strict=True))


def looked(
    fitted: Any, test: Items, finder: CueFinder, given: argparse.Namespace
) -> dict[str, Any]:
    """What one model's scores hang on, by each method, over all choices and over its picks."""
    seen = apply_view(parse_view("full", fields_of(test)), test, answers=False)
    scores = fitted.score(seen)
    each = [
        expected_credit(tuple(s), item.answer or 0) for s, item in zip(scores, test, strict=True)
    ]
    tallies, seconds = {}, {}
    for method in given.methods.split(","):
        start = time.perf_counter()
        shares = fitted.gradients(seen, method, given.steps)
        seconds[method] = round(time.perf_counter() - start, 1)
        for name, picks in (("average", None), ("predicted", scores)):
            tallies[f"{method} {name}"] = asdict(total_attributions(shares, finder, picks))
    tokens = statistics.fmean(len(one.tokens) for some in shares for one in some)
    return {
        "accuracy": statistics.fmean(each), "mean_tokens": tokens, "chosen": fitted.chosen,
        "device": fitted.fit_info.device, "reads": fitted.fit_info.tokenizer, "seconds": seconds,
        "tallies": tallies,
    }  # fmt: skip


def without_pictures() -> None:
    """captum draws with matplotlib, and asks for it also where nothing is drawn."""
    if importlib.util.find_spec("matplotlib") is None:
        sys.modules.update({name: MagicMock(__version__="3.9") for name in PICTURES})


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    steps = asked.add_subparsers(dest="step", required=True)
    steps.add_parser("pack").add_argument("into")
    one = steps.add_parser("run")
    for name in ("weights", "data", "out"):
        one.add_argument(name)
    one.add_argument("--seeds", type=int, default=8)
    one.add_argument("--epochs", type=int, default=0, help="instead of the recipe's")
    one.add_argument("--items", type=int, default=0, help="test items; 0: all")
    one.add_argument("--steps", type=int, default=32, help="of integrated gradients")
    one.add_argument("--methods", default=",".join(METHODS))
    one.add_argument("--cpu", action="store_true")
    last = steps.add_parser("page")
    last.add_argument("found")
    last.add_argument("date")
    given = asked.parse_args()
    if given.step == "pack":
        pack(given.into)
    elif given.step == "run":
        run(given.weights, given.data, given.out, given)
    else:
        from bench.sensitivity_page import write

        write(given.found, given.date)


if __name__ == "__main__":
    main()
