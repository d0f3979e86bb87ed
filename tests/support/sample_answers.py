"""What the probes of answers say of `toy`, with models and people that were made up."""

from __future__ import annotations

import random
from functools import cache

from hansproof.benchmarks import toy
from hansproof.inputs.ratings import Ratings
from hansproof.probes.accuracy import Accuracy
from hansproof.probes.agreement import Agreement
from hansproof.probes.compare import Compare
from hansproof.probes.easy_hard import EasyHard
from hansproof.probes.seeds import Seeds
from hansproof.types import Audit, Items, Predictions, Result

from .report_sample import audit

BENCHMARK = toy.load()
ORIGINAL, MIRRORED = BENCHMARK.splits["original"], BENCHMARK.splits["mirrored"]


def run(
    model: str,
    right: float,
    seed: int,
    view: str = "full",
    split: str = "original",
    alike: bool = False,
) -> Predictions:
    """A run that is right so often; those that err alike are right on the same items."""
    chosen = random.Random(f"{'' if alike else model} {seed}")
    scores: dict[str, tuple[float, ...]] = {}
    for item in BENCHMARK.splits[split]:
        picked = item.answer if chosen.random() < right else 1 - (item.answer or 0)
        scores[item.id] = (1.0, 0.0) if picked == 0 else (0.0, 1.0)
    trained = min(right + 0.25, 1.0)
    return Predictions("toy", split, "", model, view, scores, seed, train_accuracy=trained)


def runs(names: tuple[str, ...] = ("Hans", "Muhamed", "Zarif")) -> tuple[Predictions, ...]:
    """Three horses, the last of which errs as a blind one does and once learns nothing."""
    seeing = [run(name, 0.95 - at / 5, s) for at, name in enumerate(names[:2]) for s in (1, 2, 3)]
    relying = [run(names[2], right, s, alike=True) for s, right in ((1, 0.6), (2, 0.65), (3, 0.5))]
    blind = [run(names[0], 0.8, seed, "choices", alike=True) for seed in (1, 2)]
    mirrored = [run(name, 0.7, 1, split="mirrored") for name in names[:2]]
    return (*seeing, *relying, *blind, *mirrored)


def rated(raters: tuple[str, ...] = ("Krall", "Osten", "Pfungst", "Stumpf")) -> Ratings:
    chosen = random.Random(0)
    rows = [
        (item.id, rater, (item.answer or 0) ^ (chosen.random() < 0.2))
        for item in ORIGINAL[:60]
        for rater in raters
    ]
    return Ratings("made up", tuple(rows))


def results(predictions: tuple[Predictions, ...], ratings: Ratings | None) -> tuple[Result, ...]:
    """Those of the probes that find what they need."""
    people = (Agreement()(BENCHMARK, ratings=[ratings]),) if ratings else ()
    return (
        Accuracy()(BENCHMARK, predictions),
        *people,
        Compare(randomisations=999)(BENCHMARK, predictions),
        EasyHard(randomisations=999)(BENCHMARK, predictions),
        Seeds(rule="niven2019")(BENCHMARK, predictions),
    )


def told(found: tuple[Result, ...]) -> Audit:
    splits: dict[str, Items] = {"original": ORIGINAL, "mirrored": MIRRORED}
    return audit(found, splits)


@cache
def answered() -> Audit:
    """All five, plain."""
    return told(results(runs(), rated()))
