"""Time the blind cross-validation of a bag of words on PIQA against scikit-learn.

17,951 items, five folds. Both use words and pairs of words that occur in at least two of the texts,
as binary features, and logistic regression on the difference of the two solutions with the same
penalty and folds. scikit-learn runs in four variants: the usual pipeline, fitted in each fold, or
texts vectorised once for all folds, each with two solvers. The methods take turns, on one thread;
ratios are medians over the rounds. The floor only converts the texts to token ids.

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


def score_ours(items: Items, fold: Folds) -> Floats:
    """Return the credit of each item, computed by hansproof from the texts."""
    bags = Bow(penalty=PENALTY).extract_bags(apply_view(parse_view("choices", ()), items))
    tasks = [FoldTask(fold != test_fold, fold == test_fold) for test_fold in range(FOLDS)]
    answers = np.array([[item.answer] for item in items], np.int16)
    scores = ViewRanker(bags, bags.first, [tasks], PENALTY).cross_validated_scores(answers)[0]
    item_credits: Floats = lane_credits(bags.first, scores[:, None], answers)[:, 0]
    return item_credits


def score_scikit(items: Items, fold: Folds, solver: str, vectorise_once: bool) -> Floats:
    """Return the same credits computed by scikit-learn."""
    sides = [[item.choices[side] for item in items] for side in (0, 1)]
    y = np.array([item.answer == 0 for item in items])
    out = np.zeros(len(items))

    def new_vectorizer() -> CountVectorizer:
        return CountVectorizer(
            ngram_range=(1, 2), binary=True, min_df=2, token_pattern=r"(?u)\w+", lowercase=True
        )

    differences = None
    if vectorise_once:
        vectorizer = new_vectorizer().fit(sides[0] + sides[1])
        differences = vectorizer.transform(sides[0]) - vectorizer.transform(sides[1])
    for test_fold in range(FOLDS):
        train, test = np.flatnonzero(fold != test_fold), np.flatnonzero(fold == test_fold)
        if differences is None:
            vectorizer = new_vectorizer().fit([side[i] for side in sides for i in train])
            x = [
                vectorizer.transform([sides[0][i] for i in rows])
                - vectorizer.transform([sides[1][i] for i in rows])
                for rows in (train, test)
            ]
        else:
            x = [differences[train], differences[test]]
        model = LogisticRegression(C=1 / PENALTY, fit_intercept=False, solver=solver, max_iter=500)
        z = model.fit(x[0], y[train]).decision_function(x[1])
        out[test] = np.where(z == 0, 0.5, (z > 0) == y[test])
    return out


def tokenize_only(items: Items, fold: Folds) -> Floats:
    encode_texts([choice for item in items for choice in item.choices], get_tokenizer("word"))
    return np.zeros(len(items))


def main() -> None:
    items = load("piqa:pooled").splits["pooled"]
    methods: dict[str, Callable[[Items, Folds], Floats]] = {
        "ours": score_ours,
        "pipeline, lbfgs": lambda items, fold: score_scikit(
            items, fold, "lbfgs", vectorise_once=False
        ),
        "pipeline, liblinear": lambda items, fold: score_scikit(
            items, fold, "liblinear", vectorise_once=False
        ),
        "vectorised once, lbfgs": lambda items, fold: score_scikit(
            items, fold, "lbfgs", vectorise_once=True
        ),
        "vectorised once, liblinear": lambda items, fold: score_scikit(
            items, fold, "liblinear", vectorise_once=True
        ),
        "floor": tokenize_only,
    }
    groups = find_leakage_groups(items)
    fold = assign_folds(groups, FOLDS, 0)
    score_ours(items[:200], fold[:200])  # compile before timing
    seconds: dict[str, list[float]] = {name: [] for name in methods}
    scores: dict[str, Floats] = {}
    for turn in range(TURNS):
        for name, method in methods.items():
            start = time.perf_counter()
            scores[name] = method(items, fold)
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
