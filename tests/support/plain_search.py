"""Scores of rules as the search describes them, rule by rule and item by item."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from hansproof.rules.columns import FeatureColumns
from hansproof.rules.rule import Rule
from hansproof.rules.search import MIN_INFORMATION

Fits = Callable[[int], bool]  # of a choice, by its row
Score = tuple[float, float]  # hits beyond chance, and their variance under random answers


def item_rows(columns: FeatureColumns, item: int) -> range:
    return range(int(columns.layout.first[item]), int(columns.layout.first[item + 1]))


def fits_rule(columns: FeatureColumns, rule: Rule) -> Fits:
    """Whether a choice fits, from the columns of the features."""
    parts = [columns.column(feature).tolist() for feature in rule.features]

    def fits(row: int) -> bool:
        values = [part[row] != no for part, no in zip(parts, rule.negated, strict=True)]
        return values[0] != values[1] if rule.connective == "xor" else all(values)

    return fits


def score_rule(
    columns: FeatureColumns, fits: Fits, answers: Sequence[int], items: Sequence[int]
) -> Score:
    """Each item: is the answer among the t of m choices that fit, and how surprising is that?"""
    score = variance = 0.0
    for item in items:
        rows = item_rows(columns, item)
        share = sum(map(fits, rows)) / len(rows)
        score += fits(rows[answers[item]]) - share
        variance += share * (1 - share)
    return score, variance


def strength_of(score: Score, penalty: float) -> float:
    """The squared score in units of its variance, less the penalty; -inf without information."""
    value, variance = score
    return value**2 / variance - penalty if variance >= MIN_INFORMATION else -math.inf


def pick_of(columns: FeatureColumns, fits: Fits, item: int) -> int | None:
    """The only choice of several that fits, by its row."""
    rows = item_rows(columns, item)
    fitting = [row for row in rows if fits(row)]
    return fitting[0] if len(fitting) == 1 < len(rows) else None


def score_picks(
    columns: FeatureColumns, fits: Fits, answers: Sequence[int], items: Sequence[int]
) -> Score:
    """The same for the picks of a rule: only items count in which one choice fits."""
    score = variance = 0.0
    for item in items:
        pick, rows = pick_of(columns, fits, item), item_rows(columns, item)
        if pick is not None:
            score += (pick == rows[answers[item]]) - 1 / len(rows)
            variance += 1 / len(rows) * (1 - 1 / len(rows))
    return score, variance


def penalty_of(columns: FeatureColumns, rule: Rule, items: Sequence[int]) -> float:
    """Twice the logarithm of how many rules of its kind there are."""
    n = columns.joined_features.size
    if len(rule.features) == 1:
        return single_penalties(columns, items)[columns.block_of(rule.features[0])]
    pairs = 2 * math.log(2 * n * (n - 1))
    return pairs if len(rule.features) == 2 else pairs + 2 * math.log(2 * n)


def single_penalties(columns: FeatureColumns, items: Sequence[int]) -> list[float]:
    """The penalty of the single features of each block: for those with enough information."""
    penalties = []
    guesses = [0] * len(columns.layout.chance)
    for block, start in zip(columns.blocks, columns.offsets[:-1].tolist(), strict=True):
        rules = [Rule((feature,), (False,)) for feature in range(start, start + block.size)]
        scores = [score_rule(columns, fits_rule(columns, rule), guesses, items) for rule in rules]
        usable = sum(variance >= MIN_INFORMATION for _, variance in scores)
        penalties.append(2 * math.log(max(usable, 1)))
    return penalties
