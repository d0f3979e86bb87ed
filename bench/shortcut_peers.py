"""Peers of the probe `shortcuts` on the same features: interpret, imodels and wittgenstein.

Run by `python -m bench.shortcut_speed peers PYTHON`. The features are those that rules may join,
as differences of the two choices of an item; the folds are the probe's.
"""

from __future__ import annotations

import json
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.shortcut_peer_fit import PEERS
from hansproof.cues.counts import answer_array, build_layout
from hansproof.probes.shortcuts.rule_words import describe_rule
from hansproof.rules.climb import FOLDS, build_blocks
from hansproof.rules.columns import FeatureColumns
from hansproof.rules.confirm import TestedRule
from hansproof.rules.features import build_mask_block
from hansproof.rules.ladder import FoldPlan, item_credits, score_rung
from hansproof.rules.search import FoundRule, RuleSearch
from hansproof.stats import Floats, assign_folds
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Items

SECONDS = 60  # of CPU time, after which no further fold is fitted; after twice that, it is stopped
Row = dict[str, Any]


def measure_peers(
    python: str, names: tuple[str, ...], load_items: Callable[[str], Items]
) -> dict[str, Row]:
    """Fit every peer and our own models to each benchmark."""
    measured: dict[str, Row] = {}
    for name in names:
        items = load_items(name)
        columns = FeatureColumns(build_blocks(items, get_tokenizer("word"))[1], build_layout(items))
        fold = assign_folds(find_leakage_groups(items), FOLDS, 0)
        plan = FoldPlan(columns.layout, answer_array(items), fold, FOLDS)
        rows = {"ours: rules": fit_rules(columns, plan), "ours: ranker": fit_ranker(columns, plan)}
        with tempfile.TemporaryDirectory() as folder:
            path = export_features(columns, plan, Path(folder, "features.npz"))
            for peer in PEERS:
                rows[peer] = run_peer(python, path, peer)
                print(name, peer, rows[peer], flush=True)
        measured[name] = {
            "items": len(items), "features": int(columns.joined_features.size), "seconds": SECONDS,
            "rows": rows,
        }  # fmt: skip
    return measured


def export_features(columns: FeatureColumns, plan: FoldPlan, path: Path) -> Path:
    """Write the differences of the first choice of each item and the second."""
    first, second = columns.matrix[0::2], columns.matrix[1::2]
    names = [columns.name(int(feature)) for feature in columns.joined_features]
    x = (first - second).astype(np.int8)
    np.savez(path, x=x, y=plan.answers == 0, fold=plan.fold, names=np.array(names))
    return path


def run_peer(python: str, path: Path, peer: str) -> Row:
    """Run a peer in its environment, as many folds as the time allows."""
    command = [python, "bench/shortcut_peer_fit.py", str(path), peer, str(SECONDS)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode > 0:
        raise RuntimeError(done.stderr)
    return _join_folds([json.loads(line) for line in done.stdout.splitlines()])


def _join_folds(folds: list[Row]) -> Row:
    if not folds:
        return {"folds": 0}
    n = sum(fold["n"] for fold in folds)
    return {
        "folds": len(folds),
        "accuracy": sum(fold["right"] for fold in folds) / n,
        "n": n,
        "fit_s": sum(fold["fit_s"] for fold in folds) / len(folds),
        "rules": sum(fold["rules"] for fold in folds) / len(folds),
        "rules_at_random": folds[0].get("rules_at_random"),
        "strongest": folds[0]["strongest"],
        "peak_mb": max(fold["peak_mb"] for fold in folds),
    }


def fit_ranker(columns: FeatureColumns, plan: FoldPlan) -> Row:
    """Cross-validate our ranker on the features that rules may join."""
    masks = {str(feature): columns.column(int(feature)) for feature in columns.joined_features}
    block = build_mask_block("joined", masks, columns.layout)
    start = time.process_time()
    credits = item_credits(score_rung(block, plan).outer, plan)
    seconds = (time.process_time() - start) / len(plan.held_out)
    return _describe(credits, seconds, block.size, "")


def fit_rules(columns: FeatureColumns, plan: FoldPlan) -> Row:
    """Search for rules in the training folds; the first that fits an item answers it."""
    credits, seconds, n_rules = plan.layout.chance.copy(), 0.0, 0
    strongest = ""
    for k in range(plan.n_folds):
        start = time.process_time()
        rules = RuleSearch(columns, plan.fold != k).find_rules(plan.answers)
        seconds += time.process_time() - start
        n_rules += len(rules)
        strongest = strongest or (_describe_rule(rules[0], columns) if rules else "")
        for rule in reversed(rules):
            _answer_items(rule, plan, np.flatnonzero(plan.fold == k), credits)
    row = _describe(credits, seconds / plan.n_folds, n_rules / plan.n_folds, strongest)
    return {**row, "rules_at_random": _search_random(columns, plan)}


def _search_random(columns: FeatureColumns, plan: FoldPlan) -> int:
    """Count the rules that the search alone, without its tests, finds with answers at random."""
    sizes = np.diff(plan.layout.first)
    answers = np.random.default_rng(0).integers(0, sizes)
    return len(RuleSearch(columns, plan.fold != 0).find_rules(answers))


def _answer_items(rule: FoundRule, plan: FoldPlan, items: Any, credits: Floats) -> None:
    """Set what a rule earns in the items in which it picks a choice."""
    items = items[rule.picks[items] >= 0]
    right = rule.picks[items] - plan.layout.first[items] == plan.answers[items]
    sizes = np.diff(plan.layout.first)[items]
    credits[items] = right if rule.is_telling else (1 - right) / (sizes - 1)


def _describe_rule(rule: FoundRule, columns: FeatureColumns) -> str:
    tested = np.flatnonzero(rule.picks >= 0)
    named = TestedRule(rule.rule, rule.picks, rule.is_telling, tested, rule.hits, 0.5, 1.0)
    return f"{describe_rule(named, columns)}: {rule.hits} of {rule.n}"


def _describe(credits: Floats, seconds: float, n_rules: float, strongest: str) -> Row:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {
        "folds": FOLDS, "accuracy": float(credits.mean()), "n": credits.size, "fit_s": seconds,
        "rules": n_rules, "strongest": strongest, "peak_mb": peak,
    }  # fmt: skip
