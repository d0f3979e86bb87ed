"""Fit a peer to exported features, fold by fold; run by bench/shortcut_peers.py.

    python bench/shortcut_peer_fit.py DATA.npz PEER SECONDS    prints a line of JSON per fold

After SECONDS of CPU time no further fold is fitted; after twice as many, the process is stopped.

Needs interpret, imodels or wittgenstein, and nothing of hansproof. DATA.npz has the within-item
differences of the first choice and the second (-1, 0 or 1), whether the first is right, and the
fold of each item.
"""

from __future__ import annotations

import json
import resource
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np


def fit_interpret(
    x: Any, y: Any, names: list[str], interactions: int | str = "3x"
) -> tuple[Any, int, str]:
    """Fit an explainable boosting machine; its terms are what a reader looks at."""
    from interpret.glassbox import ExplainableBoostingClassifier

    model = ExplainableBoostingClassifier(
        feature_names=names, interactions=interactions, random_state=0, n_jobs=1
    )
    model.fit(x, y)
    weights = model.term_importances()
    best = int(np.argmax(weights))
    return model.predict, len(weights), f"term {model.term_names_[best]}"


def fit_rulefit(x: Any, y: Any, names: list[str]) -> tuple[Any, int, str]:
    """Fit rules from boosted trees, weighted by a lasso."""
    from imodels import RuleFitClassifier

    model = RuleFitClassifier(random_state=0)
    model.fit(x, y, feature_names=names)
    rules = model.visualize()
    first = rules.reindex(rules["coef"].abs().sort_values(ascending=False).index).iloc[0]
    return model.predict, len(rules), f"{first['rule']} (coefficient {first['coef']:.2f})"


def fit_figs(x: Any, y: Any, names: list[str]) -> tuple[Any, int, str]:
    """Fit a sum of small trees."""
    from imodels import FIGSClassifier

    model = FIGSClassifier(random_state=0)
    model.fit(x, y, feature_names=names)
    root = model.trees_[0]
    first = f"split at {names[root.feature]} <= {root.threshold:.2f}"
    return model.predict, int(model.complexity_), first


def fit_ripper(x: Any, y: Any, names: list[str]) -> tuple[Any, int, str]:
    """Fit a list of rules for the class *the first choice is right*."""
    import pandas as pd
    from wittgenstein import RIPPER

    model = RIPPER(random_state=0)
    model.fit(pd.DataFrame(x, columns=names), y=y, pos_class=True)

    def predict(rows: Any) -> Any:
        return np.array(model.predict(pd.DataFrame(rows, columns=names)))

    rules = model.ruleset_.rules
    return predict, len(rules), str(rules[0]) if rules else ""


PEERS: dict[str, Callable[[Any, Any, list[str]], tuple[Any, int, str]]] = {
    "imodels FIGS": fit_figs,
    "imodels RuleFit": fit_rulefit,
    "wittgenstein RIPPER": fit_ripper,
    "interpret EBM, no interactions": partial(fit_interpret, interactions=0),
    "interpret EBM": fit_interpret,
}


def main(path: str, peer: str, seconds: str) -> None:
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CPU, (2 * int(seconds), 2 * int(seconds)))
    data = np.load(path)
    x, y, fold = data["x"].astype(np.float64), data["y"], data["fold"]
    names = [str(name) for name in data["names"]]
    begin = time.process_time()
    for k in np.unique(fold).tolist():
        learns, start = fold != k, time.process_time()
        predict, n_rules, strongest = PEERS[peer](x[learns], y[learns], names)
        fitted = time.process_time() - start
        right = np.asarray(predict(x[~learns])).astype(bool) == y[~learns]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        row = {"fold": k, "right": int(right.sum()), "n": int(right.size), "fit_s": fitted,
               "rules": n_rules, "strongest": strongest, "peak_mb": peak}  # fmt: skip
        if k == 0 and fitted < float(seconds) / 3:  # answers at random: what is still reported?
            shuffled = np.random.default_rng(0).permutation(y[learns])
            row["rules_at_random"] = PEERS[peer](x[learns], shuffled, names)[1]
        print(json.dumps(row), flush=True)
        if time.process_time() - begin > float(seconds):
            break


if __name__ == "__main__":
    main(*sys.argv[1:])
