"""The estimates and tables of the probe: rungs, rules and blind models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ...rules.climb import Climb, ClimbedRung
from ...rules.confirm import TestedRule
from ...scoring import include_chance
from ...stats import Floats, bootstrap_ratio, mean_interval
from ...types import Cell, Estimate, Table
from .blind_scores import LADDER, BlindScore
from .rule_words import describe_rule, rule_kind

RUNG_COLUMNS = (
    "split", "rung", "flag", "features", "accuracy", "low", "high", "chance", "n", "p", "q",
    "together", "share", "share_low", "share_high",
)  # fmt: skip
RULE_COLUMNS = (
    "split", "rule", "rung", "right", "n", "precision", "low", "high", "chance", "p", "kind",
)  # fmt: skip
BLIND_COLUMNS = ("split", "model", "accuracy", "low", "high", "chance", "n", "unexplained",
                 "unexplained_low", "unexplained_high", "flag")  # fmt: skip
EMPTY_TABLES = {
    "rungs": Table(RUNG_COLUMNS, ()), "rules": Table(RULE_COLUMNS, ()),
    "blind": Table(BLIND_COLUMNS, ()),
}  # fmt: skip
LEADING = "leading"  # the flag of the rung that gives most away
EXPLAINED = "explained"  # the flag of the blind score that the shares are about
SURE = 0.999  # confidence that the leading rung adds something
BLIND_SCORE = "blind_score"  # the metric of the ladder's estimate

Share = tuple[float | None, float | None, float | None]


def leading_rung(climb: Climb, level: float) -> str:
    """Return the rung that adds most to those below it, if that is beyond doubt.

    If not, it is the rung of the strongest rule; a token that rules out choices adds very little.
    Without rules, it is the rung with the smallest p.
    """
    below = [climb.columns.layout.chance, *(rung.combined for rung in climb.rungs)]
    gained = [rung.combined - before for rung, before in zip(climb.rungs, below, strict=False)]
    largest = int(np.argmax([gain.mean() for gain in gained]))
    low, _ = mean_interval((1 + gained[largest]) / 2, climb.groups, SURE)
    rules = climb.significant_rules(level)
    if low > 0.5:
        return climb.rungs[largest].rung
    if rules:
        return climb.columns.rung_of(rules[0].rule.features)
    return min(climb.rungs, key=lambda rung: rung.p).rung


def build_estimates(
    part: str, climb: Climb, blind: Sequence[BlindScore], level: float
) -> tuple[Estimate, ...]:
    """Return the accuracy of every blind model, then that of every rung alone."""
    is_found = climb.p <= level
    scores = [
        (
            b.model,
            b.credits,
            is_found or b.model != LADDER,
            BLIND_SCORE if b.model == LADDER else "",
        )
        for b in blind
    ]
    rungs = [(r.rung, r.alone, is_found and r.q <= level, "") for r in climb.rungs]
    return tuple(
        _build_estimate(part, climb, name, credits, is_sure, metric)
        for name, credits, is_sure, metric in (*scores, *rungs)
    )


def _build_estimate(
    part: str, climb: Climb, name: str, credits: Floats, is_sure: bool, metric: str
) -> Estimate:
    low, high = mean_interval(credits, climb.groups)
    estimate = Estimate(
        f"{part}: {name}", float(credits.mean()), low, high, credits.size, climb.chance,
        split=part, metric=metric,
    )  # fmt: skip
    return estimate if is_sure else include_chance(estimate)


def _find_interval(
    climb: Climb, credits: Floats, level: float, q: float = 0.0
) -> tuple[float, float]:
    """Return the interval of an accuracy; it includes chance where that is not ruled out."""
    low, high = mean_interval(credits, climb.groups)
    is_sure = max(climb.p, q) <= level
    return (low, high) if is_sure else (min(low, climb.chance), max(high, climb.chance))


def build_tables(
    part: str,
    climb: Climb,
    blind: Sequence[BlindScore],
    best: BlindScore,
    leading: str,
    level: float,
    seed: int,
) -> dict[str, Table]:
    """Return the tables of rungs, of significant rules, and of blind models."""
    below = [climb.columns.layout.chance, *(rung.combined for rung in climb.rungs)]
    explain = partial(_explain, climb, seed=seed)
    is_found = climb.p <= level
    rung_rows = [
        _rung_row(
            part, climb, rung, explain(rung.combined - before, best, is_found), leading, level
        )
        for rung, before in zip(climb.rungs, below, strict=False)
    ]
    rule_rows = [_rule_row(part, climb, rule) for rule in climb.significant_rules(level)]
    last = climb.rungs[-1].combined
    blind_rows = [
        _blind_row(
            part, climb, score, score is best,
            explain(score.credits - last, score, is_found or score.model != LADDER), level,
        )
        for score in blind
    ]  # fmt: skip
    return {
        "rungs": Table(RUNG_COLUMNS, tuple(rung_rows)),
        "rules": Table(RULE_COLUMNS, tuple(rule_rows)),
        "blind": Table(BLIND_COLUMNS, tuple(blind_rows)),
    }


def _explain(climb: Climb, gained: Floats, score: BlindScore, is_known: bool, seed: int) -> Share:
    """Return the share of a blind score's gain over guessing that is gained.

    None if it is not known to exist, or if the gain may be none: then shares could be anything.
    """
    if not (is_known and score.beats_guessing(climb)):
        return None, None, None
    possible = score.credits - climb.columns.layout.chance
    low, high = bootstrap_ratio(gained, possible, climb.groups, seed=seed, rounds=2000)
    return float(gained.sum() / possible.sum()), low, high


def _rung_row(
    part: str, climb: Climb, rung: ClimbedRung, share: Share, leading: str, level: float
) -> tuple[Cell, ...]:
    accuracy = float(rung.alone.mean())
    low, high = _find_interval(climb, rung.alone, level, rung.q)
    return (
        part, rung.rung, LEADING if rung.rung == leading else "", rung.n_features, accuracy, low,
        high, climb.chance, len(climb.items), rung.p, rung.q, float(rung.combined.mean()), *share,
    )  # fmt: skip


def _rule_row(part: str, climb: Climb, rule: TestedRule) -> tuple[Cell, ...]:
    is_hit = rule.picks == climb.columns.layout.first[:-1] + climb.answers
    groups = [climb.groups[i] for i in rule.tested]
    low, high = mean_interval(is_hit[rule.tested], groups)
    return (
        part, describe_rule(rule, climb.columns), climb.columns.rung_of(rule.rule.features),
        rule.hits, rule.n, rule.hits / rule.n, low, high, rule.chance, rule.p,
        rule_kind(rule),
    )  # fmt: skip


def _blind_row(
    part: str, climb: Climb, score: BlindScore, is_best: bool, unexplained: Share, level: float
) -> tuple[Cell, ...]:
    is_explained = is_best and unexplained[0] is not None
    if score.model == LADDER:
        low, high = _find_interval(climb, score.credits, level)
    else:  # what a given model knows does not depend on what the search found
        low, high = mean_interval(score.credits, climb.groups)
    return (
        part, score.model, score.accuracy, low, high, climb.chance, score.credits.size,
        *unexplained, EXPLAINED if is_explained else "",
    )  # fmt: skip


def rule_evidence(climb: Climb, rules: Sequence[TestedRule]) -> dict[str, tuple[str, ...]]:
    """Return the items that count for each rule: its choice is right, or wrong if it eliminates.

    They are among those in which the rule was tested, so there are as many as the rule is said to
    be right or wrong in.
    """
    evidence: dict[str, tuple[str, ...]] = {}
    for rule in rules:
        picked = rule.picks[rule.tested] - climb.columns.layout.first[rule.tested]
        is_for = (picked == climb.answers[rule.tested]) == rule.is_telling
        evidence[describe_rule(rule, climb.columns)] = tuple(
            climb.items[i].id for i in rule.tested[is_for]
        )
    return evidence
