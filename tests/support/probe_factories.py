"""What models and people might have said about a benchmark, made up from a seed."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hansproof.capabilities import Attributions
from hansproof.inputs.accuracies import SeedAccuracy
from hansproof.inputs.ratings import Ratings
from hansproof.sweeps import TrainedModel
from hansproof.types import Benchmark, Item, Items, Predictions, Result, fingerprint

from .scan_factories import some_of

# model, view, how often it knows the answer
MODELS = (("good", "full", 0.8), ("fair", "full", 0.4), ("blind", "choices", 0.3))


def run(
    items: Items, model: str, view: str = "full", knows: float = 0.8, seed: int = 0, **more: Any
) -> Predictions:
    """A run that knows some answers and guesses the others."""
    rng = np.random.default_rng([seed, zlib.crc32(model.encode())])
    scores = {}
    for item in items:
        row = rng.random(len(item.choices))
        if item.answer is not None and rng.random() < knows:
            row[item.answer] += 1
        scores[item.id] = tuple(row.tolist())
    split = more.pop("split", "all")
    return Predictions("b", split, fingerprint(items), model, view, scores, seed, **more)


def predictions(benchmark: Benchmark, seeds: int = 2) -> tuple[Predictions, ...]:
    return tuple(
        run(items, model, view, knows, seed, split=split, train_accuracy=0.9)
        for split, items in benchmark.labelled_splits().items()
        for model, view, knows in MODELS
        for seed in range(seeds)
    )


def ratings(benchmark: Benchmark) -> Ratings:
    """Three raters, of whom one skips every fourth item, and all err now and then."""
    rng = np.random.default_rng(0)
    rows = [
        (item.id, rater, int((item.answer or 0) + (rng.random() < 0.1)) % len(item.choices))
        for items in benchmark.labelled_splits().values()
        for at, item in enumerate(items)
        for rater in ("ann", "bob", "cyd")
        if rater != "cyd" or at % 4
    ]
    return Ratings("crowd.csv", tuple(rows))


def accuracies(benchmark: Benchmark) -> tuple[SeedAccuracy, ...]:
    values = (0.7, 0.72, 0.69, 0.5, 0.75)
    return tuple(
        SeedAccuracy("made", seed, value, dict.fromkeys(benchmark.labelled_splits(), value))
        for seed, value in enumerate(values)
    )


class Weighing:
    """A choice is worth a number drawn for each of its words."""

    def score(self, items: Items) -> list[tuple[float, ...]]:
        return [tuple(map(self._worth, item.choices)) for item in items]

    def gradients(
        self, items: Items, method: str = "gradient", steps: int = 32
    ) -> list[tuple[Attributions, ...]]:
        return [tuple(self._shares(item, choice) for choice in item.choices) for item in items]

    def _shares(self, item: Item, choice: str) -> Attributions:
        texts = (" ".join(item.fields.values()), choice)
        found = [(at, m) for at, text in enumerate(texts) for m in re.finditer(r"\w+", text)]
        worth = [1.0, *(0.1 + self._worth(one.group()) for _, one in found)]
        tokens = ((-1, 0, 0), *((at, *one.span()) for at, one in found))
        return Attributions(texts, tokens, tuple(one / sum(worth) for one in worth))

    def _worth(self, choice: str) -> float:
        return sum(zlib.crc32(word.encode()) / 2**32 for word in choice.lower().split())


def trained(benchmark: Benchmark) -> tuple[TrainedModel, ...]:
    return (TrainedModel("weighing", Weighing(), "0"),)


def others(benchmark: Benchmark) -> tuple[Benchmark, ...]:
    """One to learn from, and one that is too small for it."""
    items = tuple(
        Item(f"o{at}", {"q": f"how {at % 5}"}, (f"sand {at % 7}", f"indeed wood {at % 3}"), 1)
        for at in range(40)
    )
    learnt = Benchmark("learnt", {"train": items[:24], "test": items[24:]}, {"train": "train"})
    return learnt, Benchmark("small", {"all": items[:1]})


def given(benchmark: Benchmark, needs: Sequence[str]) -> dict[str, Sequence[Any]]:
    """All that a probe asks for."""
    makers: dict[str, Callable[[Benchmark], Sequence[Any]]] = {
        "predictions": predictions,
        "accuracies": accuracies,
        "ratings": lambda benchmark: [ratings(benchmark)],
        "trained": trained,
        "others": others,
        "scans": lambda benchmark: [("found.json", some_of(benchmark))],
    }
    return {need: makers[need](benchmark) for need in needs}


def records(result: Result, table: str = "systems") -> list[dict[str, Any]]:
    """The rows of a table by column."""
    columns, rows = result.tables[table].columns, result.tables[table].rows
    return [dict(zip(columns, row, strict=True)) for row in rows]
