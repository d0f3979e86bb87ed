"""The verdict and the sentences on cues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...cues.significance import ELIMINATING, TELLING
from ...types import POOLED, Verdict

if TYPE_CHECKING:
    from . import SplitCues

# what one cue does, and what several do
EFFECTS = {
    TELLING: ("gives answers away", "give answers away"),
    ELIMINATING: ("rules choices out", "rule choices out"),
}


def decide_verdict(parts: list[SplitCues], level: float, margin: float) -> Verdict:
    """Return caution if there are cues, single ones or many weak ones.

    Exposed if, in addition, cross-validated rules over cues gain at least `margin` over chance.
    """
    if verdict_p(parts) > level:
        return "clear"
    better = [part for part in parts if beats_chance(part, parts, level)]
    return "exposed" if any(rule_gain(part) >= margin for part in better) else "caution"


def verdict_p(parts: list[SplitCues]) -> float:
    """Return the p of the verdict: of the best single cue or of all cues together, the smaller.

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


def write_sentences(worst: SplitCues, parts: list[SplitCues], level: float) -> list[str]:
    """Describe the single cues of the worst part, then all its cues together."""
    location = "" if len(parts) == 1 else f" in {worst.name}"
    if worst.name == POOLED:
        location = " in all splits pooled"
    return [_describe_single(worst, location), _describe_all(worst, parts, level)]


def _describe_single(part: SplitCues, location: str) -> str:
    cues = part.flagged_cues(TELLING) + part.flagged_cues(ELIMINATING)
    if not part.testable:
        return f"Too few items{location} for any word or phrase to be significant."
    if not cues:
        return f"No single word or phrase{location} is significant after correction."
    # the strongest: smallest p, then widest
    best = min(cues, key=lambda cue: (cue["p"], -int(cue["applicability"] or 0)))
    subject = "One word or phrase" if len(cues) == 1 else f"{len(cues)} words or phrases"
    effect = EFFECTS[str(best["flag"])][len(cues) > 1]
    return (
        f"{subject}{location} {effect}: where only one choice has “{best['cue']}”, it is right "
        f"{best['hits']} of {best['applicability']} times."
    )


def _describe_all(part: SplitCues, parts: list[SplitCues], level: float) -> str:
    guess = f"{part.ceiling.decision_list.value:.1%} of items (chance {part.chance:.1%})"
    if beats_chance(part, parts, level):
        return f"Whoever knows the cues and nothing else answers {guess}."
    order, p = strongest_order(parts)
    words = "single words" if order == 1 else f"{order}-word phrases"
    rules = f"rules over cues answer {guess}, not beyond luck"
    if p <= level:
        opening = "All" if count_significant(part) else "Yet all"
        return f"{opening} {words} together say more than chance allows (p = {p:.2g}); {rules}."
    return f"Taken together cues say no more than chance allows (p = {p:.2g}); {rules}."
