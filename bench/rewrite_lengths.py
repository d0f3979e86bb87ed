"""Let a program fill in the worksheet of `edit rewrite`, to see what even lengths leave.

    python -m bench.rewrite_lengths

prints the table of docs/howto/even-out-lengths.md. A choice that is to be shorter is cut, and one
that is to be longer gets words of other choices at its end, so only lengths are tested; people
would write better. Needs HANSPROOF_DATA.
"""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import numpy as np

from bench.shortcut_data import load_benchmark, pool_splits
from hansproof.cues.counts import answer_array, build_layout
from hansproof.edits.rewrite import Rewrite
from hansproof.probes.shortcuts.rule_words import describe_hits, describe_rule, rule_kind
from hansproof.probes.surface import Surface
from hansproof.rules.climb import FOLDS, Climb, climb_ladder
from hansproof.rules.features import build_mask_block, choice_texts
from hansproof.rules.ladder import FoldPlan, item_credits, score_rung
from hansproof.rules.typography import count_characters, length_masks
from hansproof.stats import assign_folds
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Benchmark, Items

LONGEST = "longest choice"
LEVEL = 0.05


def fit_length(text: str, target: int, spare_words: list[str], rng: np.random.Generator) -> str:
    """Cut a text at a space, or add words, until its length is about the target."""
    words = text.split()
    while len(" ".join(words)) > target and len(words) > 1:
        words.pop()
    while len(" ".join(words)) < target - 4:
        words.append(str(rng.choice(spare_words)))
    return " ".join(words)


def fill_sheet(rows: list[dict[str, str]], items: Items, path: Path) -> None:
    """Write a filled worksheet; rows without a number of characters stay open."""
    rng = np.random.default_rng(0)
    spare_words = [word for text in choice_texts(items) for word in text.split()]
    for row in rows:
        if row["target_characters"]:
            text = row["choice_to_change"].partition(": ")[2]
            row["new_choice"] = fit_length(text, int(row["target_characters"]), spare_words, rng)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)


def median_ratios(rows: list[dict[str, str]]) -> tuple[float, float]:
    """Return the median ratio of the length asked for, of right choices and of wrong ones."""
    ratios: tuple[list[float], list[float]] = ([], [])
    for row in rows:
        if row["target_characters"]:
            text = row["choice_to_change"].partition(": ")[2]
            is_wrong = row["choice_to_change"] != row["right_now"]
            ratios[is_wrong].append(int(row["target_characters"]) / max(len(text), 1))
    return float(np.median(ratios[0])), float(np.median(ratios[1]))


def rank_by_length(items: Items) -> float:
    """Cross-validate a ranker that sees only the features of length."""
    layout, texts = build_layout(items), choice_texts(items)
    words = np.array([len(text.split()) for text in texts])
    block = build_mask_block("length", length_masks(count_characters(texts), words, layout), layout)
    fold = assign_folds(find_leakage_groups(items), FOLDS, 0)
    plan = FoldPlan(layout, answer_array(items), fold, FOLDS)
    return float(item_credits(score_rung(block, plan).outer, plan).mean())


def describe_strongest(climb: Climb) -> str:
    """Describe the rule with the smallest p."""
    rules = climb.significant_rules(LEVEL)
    if not rules:
        return "none"
    name = describe_rule(rules[0], climb.columns)
    return describe_hits(name, rules[0].hits, rules[0].n, rule_kind(rules[0]))


def measure(benchmark: Benchmark) -> dict[str, str]:
    """Return the rows of the table for a benchmark."""
    items = pool_splits(benchmark)
    tells = Surface()(benchmark).tables["tells"]
    rows = [dict(zip(tells.columns, row, strict=True)) for row in tells.rows]
    longest = next(row for row in rows if row["tell"] == LONGEST and not row["slice"])
    climb = climb_ladder(items, get_tokenizer("word"))
    return {
        "taking the longest choice": f"{longest['accuracy']:.1%}",
        "a ranker that sees only lengths": f"{rank_by_length(items):.1%}",
        "all features of the choices": f"{climb.blind.mean():.1%}",
        "strongest rule": describe_strongest(climb),
    }


def main() -> None:
    benchmark = load_benchmark("quiz course")
    items = pool_splits(benchmark)
    rows = Rewrite().worksheet(benchmark)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sheet.csv")
        fill_sheet(rows, items, path)
        result = Rewrite(sheet=str(path))(benchmark)
        more = Rewrite().worksheet(result.benchmark)
    n_items = len({row["id"] for row in rows})
    n_choices = sum(len(item.choices) for item in items)
    print(f"{len(rows):,} of {n_choices:,} choices in {n_items:,} questions; then {len(more):,}")
    print(
        "right choices to {:.2f} of their length, wrong ones to {:.2f}".format(*median_ratios(rows))
    )
    after = measure(result.benchmark)
    for name, value in measure(benchmark).items():
        print(f"| {name} | {value} | {after[name]} |")


if __name__ == "__main__":
    main()
