"""Shortcuts: the ladder, the rules as sentences, and the items of each rule."""

from __future__ import annotations

from typing import Any

from ...cues.significance import ELIMINATING
from ...probes.shortcuts.rule_words import describe_hits
from ...rules.phrases import finish_subject
from ...types import FINDINGS, Estimate, Result
from ..charts.shortcuts import ladder_charts
from ..html.rule_marks import rule_marker
from ..html.tables import to_records
from ..schema import ResultSchema, count, number, or_none, share, size, text
from . import CHANCE, INTERVAL, EvidenceLink, Section, Statement, list_examples

SCHEMA = ResultSchema(
    {
        "rungs": {
            "split": text, "rung": text, "flag": text, "features": count, "accuracy": share,
            "low": share, "high": share, "chance": share, "n": size, "p": share, "q": share,
            "together": share, "share": or_none(number), "share_low": or_none(number),
            "share_high": or_none(number),
        },
        "rules": {
            "split": text, "rule": text, "rung": text, "right": count, "n": size,
            "precision": share, "low": share, "high": share, "chance": share, "p": share,
            "kind": text,
        },
        "blind": {
            "split": text, "model": text, "accuracy": share, "low": share, "high": share,
            "chance": share, "n": size, "unexplained": or_none(number), "flag": text,
        },
    },
    {"tokenizer": text},
)  # fmt: skip

RUNGS = {
    "rung": "a kind of feature; those that are easiest to see come first",
    "flag": "leading: the rung that adds most; if that may be none, the rung of the strongest rule",
    "features": "number of features",
    "accuracy": "share of items that a model with the features of this rung alone answers, "
    "cross-validated",
    "interval": INTERVAL,
    "chance": CHANCE,
    "p": "how often chance alone would give so high an accuracy",
    "q": "p after correction for all rungs and the rules",
    "together": "accuracy with the features of this rung and of all earlier rungs",
    "share": "what the rung adds to the earlier rungs, as a share of the blind score’s gain over "
    "chance",
    "share interval": INTERVAL,
}
RULES = {
    "rule": "the choice that the rule picks; click it to read the items that count for the rule: "
    "those in which that choice is right or, if the kind is eliminating, wrong",
    "rung": "the last rung that the rule needs",
    "right": "items in which that choice is right, among those in which the rule was not searched",
    "n": "items with exactly one such choice, among those in which the rule was not searched",
    "precision": "right / n",
    "interval": INTERVAL,
    "chance": "the precision of guessing in the same items",
    "p": "how often chance alone would do as much, corrected for all rules that were tested",
    "kind": "telling: the choice is right more often than by chance; eliminating: less often",
}
BLIND = {
    "model": "features of the choices: all rungs together; others are from --blind or predictions "
    "of models that saw only the choices",
    "accuracy": "share of items answered correctly",
    "interval": INTERVAL,
    "chance": CHANCE,
    "unexplained": "share of the gain over chance that no rung explains",
    "unexplained interval": INTERVAL,
    "flag": "explained: the best blind score, which the shares of the rungs are about",
}


def section(result: Result) -> Section:
    mark, notes = rule_marker(result)
    rules = to_records(result.tables["rules"])
    is_found = result.verdict in FINDINGS
    return Section(
        charts=ladder_charts(result.tables["rungs"], result.tables["blind"], is_found),
        statements_title="Rules found in one half of the items, tested in the other",
        statements=tuple(_state_rule(row, i) for i, row in enumerate(rules) if is_found),
        links={"rules": EvidenceLink("rule", _evidence_key)},
        ordered=("rungs",),
        show_estimates=False,
        meanings={"rungs": RUNGS, "rules": RULES, "blind": BLIND},
        mark=mark,
        notes=notes,
        examples=list_examples(result, rules, _evidence_key, _write_caption),
    )


def _evidence_key(row: dict[str, Any]) -> str:
    return str(row["rule"])


def _state_rule(row: dict[str, Any], i: int) -> Statement:
    """Say how often a rule is right; of one that rules a choice out, how often that is wrong."""
    sentence = describe_hits(row["rule"], row["right"], row["n"], row["kind"])
    rates = (row["precision"], row["low"], row["high"], row["chance"])
    if row["kind"] == ELIMINATING:
        value, high, low, chance = (1 - rate for rate in rates)
    else:
        value, low, high, chance = rates
    estimate = Estimate(row["rule"], value, low, high, row["n"], chance)
    return Statement(f"{_capitalize(sentence)}.", estimate, "rules", i)


def _write_caption(row: dict[str, Any], ids: tuple[str, ...]) -> str:
    verb = "is wrong" if row["kind"] == ELIMINATING else "is the right one"
    return f"{_capitalize(finish_subject(row['rule']))} {verb}."


def _capitalize(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
