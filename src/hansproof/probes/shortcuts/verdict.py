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
from .rule_words import RUNG_WORDS, UNTRIED_REASONS, describe_hits, describe_rule, rule_kind

SURE_P = 0.01  # above which a finding comes with a warning
BORDERLINE_P = 0.2  # up to which a benchmark is not cleared
ALWAYS_RIGHT = "rule that is always right and"  # what power is about: `... worth 5 points`


def decide_verdict(
    climb: Climb, level: float, power: SplitPower, margin: float, best: BlindScore
) -> Verdict:
    """Return exposed if the search found something and its blind score gains the margin.

    A p-value that is nearly significant does not clear a benchmark, nor does a search that misses
    what another blind model knows.
    """
    if climb.p > level:
        return "undecided" if is_doubtful(climb, power, best) else decide_absence(power)
    return "exposed" if climb.blind.mean() - climb.chance >= margin else "caution"


def is_doubtful(climb: Climb, power: SplitPower, best: BlindScore) -> bool:
    """Tell whether the items must not be cleared, however many they are."""
    return (climb.p <= BORDERLINE_P and power.is_enough) or is_unexplained(climb, best)


def is_unexplained(climb: Climb, best: BlindScore) -> bool:
    """Tell whether a given blind model is better than guessing."""
    return best.model != LADDER and best.beats_guessing(climb)


def write_headline(part: str, climb: Climb, rules: Sequence[TestedRule], leading: str) -> str:
    """Describe the blind score, the leading rung, and the strongest rule."""
    rung, items = RUNG_WORDS[leading], name_items(part)
    rule = f"; the strongest rule: {_describe_strongest(rules[0], climb)}" if rules else ""
    if climb.blind.mean() <= climb.chance:  # rules that rule out a choice gain very little
        finding = f"Features of the choices ({rung}) tell some right choices from wrong ones"
        return f"{finding}, but too few to answer more of {items} than by guessing{rule}."
    score = f"{climb.blind.mean():.1%} of {items} (chance {climb.chance:.1%})"
    return f"Features of the choices, above all {rung}, answer {score}{rule}."


def _describe_strongest(rule: TestedRule, climb: Climb) -> str:
    """Say how often a rule is right; most choices are wrong anyway, so there chance is added."""
    description, kind = describe_rule(rule, climb.columns), rule_kind(rule)
    hits = describe_hits(description, rule.hits, rule.n, kind)
    if rule.is_telling:
        return hits
    return f"{hits} ({1 - rule.hits / rule.n:.1%}; chance {1 - rule.chance:.1%})"


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
        outlook = describe_power(power, margin, ALWAYS_RIGHT)
        if is_unexplained(climb, best):
            outlook = (
                f"But {best.model} answers {best.accuracy:.1%} without the question (chance "
                f"{climb.chance:.1%}), so it knows something that is not among these features."
            )
        elif is_doubtful(climb, power, best):
            outlook = "But the p-value is too small to rule one out; more items would tell."
        return (
            f"No feature of the choices, from {RUNG_WORDS[climb.rungs[0].rung]} to "
            f"{RUNG_WORDS[climb.rungs[-1].rung]}, predicts the answer significantly. {outlook}"
        )
    sentences = [write_headline(part, climb, rules, leading)]
    if best.model != LADDER and best.accuracy > climb.chance:
        gain = climb.rungs[-1].combined.mean() - climb.chance
        explained = min(max(gain / (best.accuracy - climb.chance), 0.0), 1.0)
        sentences.append(
            f"The best blind model, {best.model}, answers {best.accuracy:.1%}; the rungs explain "
            f"{explained:.0%} of its gain over guessing."
        )
    n_more = len(rules) - 1
    if n_more > 0:
        sentences.append(f"{n_more} more {'rule is' if n_more == 1 else 'rules are'} confirmed.")
    if not rules:
        sentences.append("No single rule was confirmed in the other half of the items.")
    if climb.p > SURE_P:
        sentences.append("The evidence is not strong: confirm it with more items.")
    return " ".join(sentences)


def untried_note(climb: Climb) -> str:
    """Name the rungs that were not tried, and how to try them."""
    tried = {rung.rung for rung in climb.rungs}
    missing = [rung for rung in RUNG_WORDS if rung not in tried]
    if not missing:
        return ""
    names = [f"{RUNG_WORDS[rung]} ({UNTRIED_REASONS[rung]})" for rung in missing]
    return f"Not tried: {join_names(names)}."
