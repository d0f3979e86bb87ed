"""Compare blind scores with people's labels *answerable by a shortcut*.

    python -m bench.shortcut_labels WEIGHTS    writes bench/shortcut_labels.json; two minutes

136 items of ten sets have a label. Untrained scores are about all of them. Trained scores are about
those whose benchmark is here: a model learns from all other items of the benchmark; the items
themselves, and all that share a question or are near copies, are held out. WEIGHTS has the files
of likelihoods that `bench.shortcut_data` wrote. Needs HANSPROOF_DATA.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from bench.shortcut_data import BENCHMARKS, data_path, label_choices, read_labels
from bench.shortcuts import LMS
from hansproof import load
from hansproof.cues.counts import answer_array
from hansproof.inputs.likelihood_files import read_table, text_digest
from hansproof.models.bow import Bow
from hansproof.rules.climb import build_blocks
from hansproof.rules.ladder import FoldPlan, RungScores, add_rungs, score_rung
from hansproof.stats import Floats, assign_folds
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Item, Items, View
from hansproof.views import apply_view

JSON = Path("bench/shortcut_labels.json")
SOURCES = {  # by the name that the labels give the set
    "truthful_qa": [BENCHMARKS["TruthfulQA"]],
    "PIQA": ["piqa"],
    "ARC": ["arc_challenge", "arc_easy"],
    "CQA": ["csqa"],
}
FOLDS, ROUNDS = 5, 4000
Row = dict[str, Any]


def read_items() -> tuple[list[str], Items, Floats]:
    """Return the set, the item and the label of each row."""
    rows = read_labels()
    items = tuple(
        Item(f"label-{i}", {"question": str(row["question"])}, tuple(label_choices(row)),
             ord(str(row["answer"])) - ord("A"))
        for i, row in enumerate(rows)
    )  # fmt: skip
    labels = np.array([row["label"] for row in rows], np.float64)
    return [str(row["dataset"]) for row in rows], items, labels


def score_lengths(items: Items) -> dict[str, Floats]:
    """Score each item by the length of its right choice, and by its number of choices."""
    is_longest, relative = [], []
    for item in items:
        lengths = [len(choice) for choice in item.choices]
        right = lengths.pop(item.answer or 0)
        is_longest.append((right > max(lengths)) + 0.5 * (right == max(lengths)))
        relative.append(np.log(right / np.mean(lengths)))
    return {
        "right choice is the longest": np.array(is_longest),
        "its length relative to the others": np.array(relative),
        "few choices (chance)": np.array([1 / len(item.choices) for item in items]),
    }


def score_likelihoods(items: Items, path: str) -> dict[str, Floats]:
    """Score each item by how much more likely its right choice is than the best other one."""
    by_digest = read_table(path).by_digest
    margins: dict[str, list[float]] = {"per token": [], "in total": []}
    for item in items:
        pairs = [by_digest[text_digest(choice)] for choice in item.choices]
        margins["in total"].append(_margin([log for log, _ in pairs], item))
        margins["per token"].append(_margin([log / max(n, 1) for log, n in pairs], item))
    return {unit: np.array(values) for unit, values in margins.items()}


def _margin(scores: list[float], item: Item) -> float:
    """Return by how much the score of the right choice exceeds the largest of the others."""
    others = [*scores]
    right = others.pop(item.answer or 0)
    return right - max(others)


def train_scores(items: Items, patterns: list[str]) -> dict[str, Floats]:
    """Score items by models that learnt from all other items of their benchmark."""
    sources = [sorted(map(str, Path(data_path("")).glob(p))) if "*" in p else p for p in patterns]
    known = tuple(item for source in sources for part in load(source).labelled_splits().values()
                  for item in part)  # fmt: skip
    pool = (*items, *known)
    groups = find_leakage_groups(pool)
    questions = {_normalize(item) for item in items}
    held_groups = set(groups[: len(items)]) | {
        group for item, group in zip(pool, groups, strict=True) if _normalize(item) in questions
    }
    learns = np.array([group not in held_groups for group in groups])
    scores = {"bow": _train_bow(pool, learns, len(items)), **_train_ladder(pool, groups, learns)}
    return {
        name: np.array([_margin(scores_by_choice[i], item) for i, item in enumerate(items)])
        for name, scores_by_choice in scores.items()
    } | {"n_train": np.array([learns.sum()])}


def _normalize(item: Item) -> str:
    return " ".join(" ".join(item.fields.values()).lower().split())


def _train_bow(pool: Items, learns: Any, n: int) -> list[list[float]]:
    viewed = apply_view(View(("choices",)), pool)
    training = tuple(viewed[i] for i in np.flatnonzero(learns))
    return [list(row) for row in Bow().fit(training, (), 0).score(viewed[:n])]


def _train_ladder(pool: Items, groups: list[str], learns: Any) -> dict[str, list[list[float]]]:
    """Climb the ladder with the held-out items as a fold of their own."""
    layout, blocks = build_blocks(pool, get_tokenizer("word"))
    fold = np.where(learns, 1 + assign_folds(groups, FOLDS, 0), 0)
    plan = FoldPlan(layout, answer_array(pool), fold, FOLDS + 1)
    rungs: list[RungScores] = [score_rung(block, plan) for block in blocks]
    by_rung = {f"rung: {rung.rung}": rung.outer for rung in rungs}
    together, _ = add_rungs(rungs, plan)
    ends = layout.first[1:-1]
    return {
        name: [part.tolist() for part in np.split(scores, ends)]
        for name, scores in {**by_rung, "all rungs": together}.items()
    }


def measure_auc(scores: Floats, labels: Floats, sets: list[str]) -> Row:
    """Return the AUC with a bootstrap interval, and that of pairs within the same set."""
    rng = np.random.default_rng(0)
    weights = rng.multinomial(labels.size, np.full(labels.size, 1 / labels.size), ROUNDS)
    higher = (scores[:, None] > scores) + 0.5 * (scores[:, None] == scores)
    is_pair = (labels[:, None] == 1) & (labels == 0)
    is_same = np.array(sets)[:, None] == np.array(sets)
    row: Row = {"n": labels.size, "positive": int(labels.sum())}
    for name, pairs in (("auc", is_pair), ("within", is_pair & is_same)):
        drawn = [float(w @ (pairs * higher) @ w / max(w @ pairs @ w, 1)) for w in weights]
        low, high = (float(end) for end in np.quantile(drawn, [0.025, 0.975]))
        row[name] = {"auc": float(higher[pairs].mean()), "low": low, "high": high}
    return row


def main(weights: str) -> None:
    sets, items, labels = read_items()
    untrained = score_lengths(items)
    for file, name in LMS.items():
        path = os.path.join(weights, f"{file}.jsonl")
        if os.path.exists(path):
            by_unit = score_likelihoods(items, path)
            untrained |= {f"likelihood {unit}, {name}": v for unit, v in by_unit.items()}
    rows = np.array([i for i, name in enumerate(sets) if name in SOURCES])
    trained: dict[str, Floats] = {}
    n_train = {}
    for name, patterns in SOURCES.items():
        of_set = np.array([i for i in rows if sets[i] == name])
        by_model = train_scores(tuple(items[i] for i in of_set), patterns)
        n_train[name] = int(by_model.pop("n_train")[0])
        for model, values in by_model.items():
            trained.setdefault(model, np.zeros(len(items)))[of_set] = values
    report = {
        "command": "python -m bench.shortcut_labels WEIGHTS",
        "sets": {name: sets.count(name) for name in sorted(set(sets))},
        "n_train": n_train,
        "all": {name: measure_auc(values, labels, sets) for name, values in untrained.items()},
        "with benchmark": {
            name: measure_auc(values[rows], labels[rows], [sets[i] for i in rows])
            for name, values in {**untrained, **trained}.items()
        },
        "right": {  # how often a score picks the right choice
            name: float((values[rows] > 0).mean()) for name, values in trained.items()
        },
    }
    JSON.write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
