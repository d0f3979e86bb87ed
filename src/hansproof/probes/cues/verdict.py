"""The verdict and the sentences on cues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...cues.significance import ELIMINATING, TELLING
from ...results import name_items
from ...types import POOLED, Cell, Verdict
from .._power import SplitPower, decide_absence, describe_power

if TYPE_CHECKING:
    from . import SplitCues


def decide_verdict(
    parts: list[SplitCues], power: SplitPower, level: float, margin: float
) -> Verdict:
    """Return caution if there are cues, single ones or many weak ones.

    Exposed if, in addition, cross-validated rules over cues gain at least `margin` over chance.
    """
    if verdict_p(parts) > level:
        return decide_absence(power)
    better = [part for part in parts if beats_chance(part, parts, level)]
    return "exposed" if any(rule_gain(part) >= margin for part in better) else "caution"


def verdict_p(parts: list[SplitCues]) -> float:
    """Return the p of the verdict: of the best word or phrase or of all cues together, the smaller.

    It is doubled, since there are two tests. The gain of rules is not tested here.
    """
    if any(part.many_copies for part in parts):
        orders = parts[-1].strength
        single = len(orders) * min(s.p_strongest for s in orders)
    else:
        single = min((part.least_q for part in parts), default=1.0)
    return min(1.0, 2 * min(single, strongest_order(parts)[1]))


def rule_gain(part: SplitCues) -> float:
    """Return how much the cross-validated decision list gains over guessing."""
    return part.ceiling.decision_list.value - part.chance


def beats_chance(part: SplitCues, parts: list[SplitCues], level: float) -> bool:
    """Whether the gain of rules is significant, corrected for the number of parts."""
    return part.ceiling.p * len(parts) <= level and rule_gain(part) > 0


def strongest_order(parts: list[SplitCues]) -> tuple[int, float]:
    """Return the order of n-grams that differs most from chance, and its corrected p.

    Only the last part, all labelled items together, is tested; corrected for the orders.
    """
    orders = parts[-1].strength
    p, order = min((s.p, order) for order, s in enumerate(orders, 1))
    return order, min(p * len(orders), 1.0)


def count_significant(part: SplitCues) -> int:
    """Count the single cues that are significant."""
    return len(part.flagged_cues(TELLING, ELIMINATING))


def find_worst(parts: list[SplitCues], level: float) -> SplitCues:
    """Return the part whose cues give most away; without significant cues, the last one."""
    worst = max(
        parts, key=lambda p: (beats_chance(p, parts, level), count_significant(p) > 0, rule_gain(p))
    )
    if not beats_chance(worst, parts, level) and not count_significant(worst):
        return parts[-1]
    return worst


def write_headline(worst: SplitCues, parts: list[SplitCues], level: float) -> str:
    """Describe in plain words what words and phrases give away."""
    location = f"of {name_items(worst.name)}"
    if beats_chance(worst, parts, level):
        return (
            f"Single words and phrases in the choices answer "
            f"{worst.ceiling.decision_list.value:.1%} {location} (chance {worst.chance:.1%})."
        )
    if count_significant(worst):
        return _describe_single(worst, f" {location}")
    return (
        "Many words in the choices each hint slightly at the answer; no single one is significant."
    )


def find_gain(worst: SplitCues, parts: list[SplitCues], level: float) -> float:
    """Return what the rules gain over guessing if that is significant, else the best cue."""
    if beats_chance(worst, parts, level):
        return rule_gain(worst)
    return max(map(_cue_gain, worst.flagged_cues(TELLING, ELIMINATING)), default=0.0)


def _cue_gain(cue: dict[str, Cell]) -> float:
    """Return the gain over guessing of following a cue, or of avoiding the choice that has it."""
    chance, coverage = float(cue["chance"] or 0), float(cue["coverage"] or 0)
    above = float(cue["productivity"] or 0) - chance
    return coverage * (above if above > 0 else -above * chance / (1 - chance))


def write_sentences(
    worst: SplitCues,
    parts: list[SplitCues],
    power: SplitPower,
    level: float,
    margin: float,
) -> list[str]:
    """Describe the single cues of the worst part, then all its cues together."""
    location = "" if len(parts) == 1 else f" in {worst.name}"
    if worst.name == POOLED:
        location = " in all splits pooled"
    sentences = [_describe_single(worst, location), _describe_all(worst, parts, level)]
    if verdict_p(parts) > level:
        if power.is_by_construction:
            return [
                "Every choice is right equally often by design, so no word or phrase in the "
                "choices can give the answer away."
            ]
        chances = describe_power(power, margin, "word or phrase")
        return [*sentences, chances, _describe_coverage(worst)]
    return sentences


def _describe_coverage(part: SplitCues) -> str:
    """Name the coverage that a cue which is always right would need to be seen."""
    needed, n = part.perfect_applicability, part.n
    if needed > n:
        return (
            "There are so few items that even a phrase in every one of them could not be "
            "significant."
        )
    return (
        "Even a phrase that is always right is significant only if it occurs in at least "
        f"{needed:,} of the {n:,} items ({needed / n:.1%})."
    )


def _describe_single(part: SplitCues, location: str) -> str:
    telling, eliminating = part.flagged_cues(TELLING), part.flagged_cues(ELIMINATING)
    if not part.testable:
        return f"There are too few items{location} for any word or phrase to be significant."
    if not telling and not eliminating:
        return f"No single word or phrase{location} predicts the answer significantly."
    # the strongest: smallest p, then widest
    best = min([*telling, *eliminating], key=lambda cue: (cue["p"], -_applicability(cue)))
    counts = [
        f"{_count_cues(cues)}{place} {singular if len(cues) == 1 else several}"
        for cues, place, singular, several in (
            (telling, location, "gives answers away", "give answers away"),
            (eliminating, "" if telling else location, "rules choices out", "rule choices out"),
        )
        if cues
    ]
    return (
        f"{' and '.join(counts)}: where only one choice contains “{best['cue']}”, that choice is "
        f"right {best['hits']} of {best['applicability']} times."
    )


def _count_cues(cues: list[dict[str, Cell]]) -> str:
    return "1 word or phrase" if len(cues) == 1 else f"{len(cues)} words or phrases"


def _applicability(cue: dict[str, Cell]) -> int:
    return int(cue["applicability"] or 0)


def _describe_all(part: SplitCues, parts: list[SplitCues], level: float) -> str:
    guess = f"{part.ceiling.decision_list.value:.1%} of items (chance {part.chance:.1%})"
    if beats_chance(part, parts, level):
        return f"Rules based on words and phrases in the choices answer {guess}."
    order, p = strongest_order(parts)
    words = "single words" if order == 1 else f"{order}-word phrases"
    rules = f"rules based on them answer {guess}, which is not significant"
    if min(1.0, 2 * p) <= level:  # as in `verdict_p`
        return f"Taken together, {words} predict the answer significantly; {rules}."
    return f"Taken together, words and phrases do not predict the answer significantly; {rules}."
