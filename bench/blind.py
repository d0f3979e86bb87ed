"""Blind cross-validation of a bag of words on PIQA: 17,951 items, five folds, beside scikit-learn.

The peer does the same: words and pairs of words of the solutions that stand in two texts or more,
present or not, logistic regression on the difference of the two, the same penalty. Folds are given.
It is given three ways: the usual pipeline, fitted in every fold, with either of two solvers; and
with the texts vectorised once for all folds. Ways take turns, ratios are medians of the rounds; one
thread. The floor is reading the texts into token ids and nothing else.

    python bench/blind.py            writes bench/blind.json; needs HANSPROOF_DATA
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from hansproof import load
from hansproof.linear.ranker import lane_credits
from hansproof.models.bow import Bow
from hansproof.probes.partial_input.ranker import ViewRanker
from hansproof.probes.partial_input.splits import FoldTask
from hansproof.stats import assign_folds, mean_interval
from hansproof.text.encoding import encode_texts
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Items
from hansproof.views import apply_view, parse_view

FOLDS, TURNS, PENALTY = 5, 5, 3.0
Floats = NDArray[np.float64]
Folds = NDArray[np.int64]


def ours(items: Items, fold: Folds) -> Floats:
    """What each item earns, from texts to credits."""
    shown = Bow(penalty=PENALTY).extract_bags(apply_view(parse_view("choices", ()), items))
    cut = [FoldTask(fold != held, fold == held) for held in range(FOLDS)]
    answers = np.array([[item.answer] for item in items], np.int16)
    scores = ViewRanker(shown, shown.first, [cut], PENALTY).cross_validated_scores(answers)[0]
    found: Floats = lane_credits(shown.first, scores[:, None], answers)[:, 0]
    return found


def pipeline(items: Items, fold: Folds, solver: str, once: bool) -> Floats:
    """The same with scikit-learn, vectorised in every fold or once for all."""
    sides = [[item.choices[side] for item in items] for side in (0, 1)]
    y = np.array([item.answer == 0 for item in items])
    out = np.zeros(len(items))

    def fresh() -> CountVectorizer:
        return CountVectorizer(
            ngram_range=(1, 2), binary=True, min_df=2, token_pattern=r"(?u)\w+", lowercase=True
        )

    whole = None
    if once:
        made = fresh().fit(sides[0] + sides[1])
        whole = made.transform(sides[0]) - made.transform(sides[1])
    for held in range(FOLDS):
        train, test = np.flatnonzero(fold != held), np.flatnonzero(fold == held)
        if whole is None:
            made = fresh().fit([side[i] for side in sides for i in train])
            x = [
                made.transform([sides[0][i] for i in some])
                - made.transform([sides[1][i] for i in some])
                for some in (train, test)
            ]
        else:
            x = [whole[train], whole[test]]
        model = LogisticRegression(C=1 / PENALTY, fit_intercept=False, solver=solver, max_iter=500)
        z = model.fit(x[0], y[train]).decision_function(x[1])
        out[test] = np.where(z == 0, 0.5, (z > 0) == y[test])
    return out


def floor(items: Items, fold: Folds) -> Floats:
    encode_texts([choice for item in items for choice in item.choices], get_tokenizer("word"))
    return np.zeros(len(items))


def main() -> None:
    items = load("piqa:pooled").splits["pooled"]
    ways: dict[str, Callable[[Items, Folds], Floats]] = {
        "ours": ours,
        "pipeline, lbfgs": lambda items, fold: pipeline(items, fold, "lbfgs", once=False),
        "pipeline, liblinear": lambda items, fold: pipeline(items, fold, "liblinear", once=False),
        "vectorised once, lbfgs": lambda items, fold: pipeline(items, fold, "lbfgs", once=True),
        "vectorised once, liblinear": lambda items, fold: pipeline(
            items, fold, "liblinear", once=True
        ),
        "floor": floor,
    }
    groups = find_leakage_groups(items)
    fold = assign_folds(groups, FOLDS, 0)
    ours(items[:200], fold[:200])  # compiled
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    scores: dict[str, Floats] = {}
    for turn in range(TURNS):
        for name, way in ways.items():
            start = time.perf_counter()
            scores[name] = way(items, fold)
            seconds[name].append(time.perf_counter() - start)
        print(turn, {name: round(values[-1], 2) for name, values in seconds.items()}, flush=True)
    result: dict[str, Any] = {
        "command": "python bench/blind.py",
        "items": len(items), "folds": FOLDS, "turns": TURNS,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, one thread",
        "accuracy": {
            name: [float(s.mean()), *mean_interval(s, groups)]
            for name, s in scores.items() if name != "floor"
        },
        "seconds_median": {name: statistics.median(values) for name, values in seconds.items()},
        "seconds": seconds,
        "ratio_to_ours": {
            name: {"median": statistics.median(ratios), "least": min(ratios)}
            for name, values in seconds.items()
            for ratios in [[a / b for a, b in zip(values, seconds["ours"], strict=True)]]
        },
    }  # fmt: skip
    Path("bench/blind.json").write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps({k: v for k, v in result.items() if k != "seconds"}, indent=1))


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
