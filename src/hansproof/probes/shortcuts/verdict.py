"""The verdict and the sentences on shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from ..._infra.join_names import join_names
from ...results import name_items
from ...rules.climb import Climb
from ...rules.confirm import TestedRule
from ...types import Verdict
from .._power import SplitPower, decide_absence, describe_power
from .blind_scores import LADDER, BlindScore
from .rule_words import RUNG_WORDS, describe_rule

MODEL_RUNGS = {"likelihood": "--lm", "encoder": "--encoder"}  # and the flags that add them
ALWAYS_RIGHT = "rule that is always right and"  # what power is about: `... worth 5 points`


def decide_verdict(is_found: bool, gain: float, power: SplitPower, margin: float) -> Verdict:
    """Return exposed if the search found something and its blind score gains the margin."""
    if not is_found:
        return decide_absence(power)
    return "exposed" if gain >= margin else "caution"


def write_headline(part: str, climb: Climb, rules: Sequence[TestedRule], leading: str) -> str:
    """Describe the blind score, and the strongest rule or the rung that adds most."""
    score = f"{climb.blind.mean():.1%} of {name_items(part)} (chance {climb.chance:.1%})"
    if rules:
        strongest = _describe_hits(rules[0], climb)
        return f"Features of the choices alone answer {score}; the strongest rule: {strongest}."
    return f"Features of the choices alone, above all {RUNG_WORDS[leading]}, answer {score}."


def _describe_hits(rule: TestedRule, climb: Climb) -> str:
    description = describe_rule(rule, climb.columns)
    if rule.is_telling:
        return f"{description} is right {rule.hits} of {rule.n} times"
    return f"{description} is wrong {rule.n - rule.hits} of {rule.n} times"


def write_summary(
    part: str,
    climb: Climb,
    best: BlindScore,
    rules: Sequence[TestedRule],
    leading: str,
    power: SplitPower,
    margin: float,
) -> str:
    """Describe what was found, how much of the blind score it explains, and what is left."""
    if not leading:
        return (
            f"No feature of the choices, from typography to {_name_last(climb)}, predicts the "
            f"answer significantly. {describe_power(power, margin, ALWAYS_RIGHT)}"
        )
    sentences = [write_headline(part, climb, rules, leading)]
    if best.model != LADDER:
        explained = (climb.rungs[-1].together.mean() - climb.chance) / (
            best.accuracy - climb.chance
        )
        sentences.append(
            f"The best blind model, {best.model}, answers {best.accuracy:.1%}; the rungs explain "
            f"{min(explained, 1.0):.0%} of its gain over guessing."
        )
    n_more = len(rules) - 1
    if n_more > 0:
        sentences.append(f"{n_more} more {'rule holds' if n_more == 1 else 'rules hold'}.")
    if not rules:
        sentences.append("No single rule holds in items that it was not searched in.")
    return " ".join(sentences)


def _name_last(climb: Climb) -> str:
    return RUNG_WORDS[climb.rungs[-1].rung]


def untried_note(climb: Climb) -> str:
    """Name the rungs that were not tried, and how to try them."""
    tried = {rung.rung for rung in climb.rungs}
    missing = [rung for rung in RUNG_WORDS if rung not in tried]
    if not missing:
        return ""
    names = [
        RUNG_WORDS[rung] + (f" ({MODEL_RUNGS[rung]})" if rung in MODEL_RUNGS else "")
        for rung in missing
    ]
    return f"Not tried: {join_names(names)}."
