"""What the cue statistics say, in a sentence and a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...types import POOLED, Verdict

if TYPE_CHECKING:
    from . import Part


def verdict(parts: list[Part], level: float, margin: float) -> Verdict:
    """caution: there are cues, single ones or many weak ones.

    exposed: there are, and rules over them answer items they were not learnt from, and enough.
    """
    if together(parts) > level:
        return "clear"
    better = [part for part in parts if beats_chance(part, parts, level)]
    return "exposed" if any(gain(part) >= margin for part in better) else "caution"


def together(parts: list[Part]) -> float:
    """The p of the verdict: that of the surest single cue or of all together, whichever is less.

    Twice that, since there are two ways to be found. What rules gain is looked at afterwards only.
    """
    if any(part.many_copies for part in parts):
        orders = parts[-1].strength
        single = len(orders) * min(s.p_most for s in orders)
    else:
        single = min((part.least_q for part in parts), default=1.0)
    return min(1.0, 2 * min(single, strongest(parts)[1]))


def gain(part: Part) -> float:
    """What the cross-validated decision list gains over guessing."""
    return part.ceiling.listed.value - part.chance


def beats_chance(part: Part, parts: list[Part], level: float) -> bool:
    """Whether that gain is beyond luck, corrected for the number of parts looked at."""
    return part.ceiling.p * len(parts) <= level and gain(part) > 0


def strongest(parts: list[Part]) -> tuple[int, float]:
    """For the benchmark as a whole: the order of n-grams least like chance, and its corrected p.

    One look only, at all labelled items together, which come last; corrected for the orders.
    """
    whole = parts[-1].strength
    p, order = min((s.p, order) for order, s in enumerate(whole, 1))
    return order, min(p * len(whole), 1.0)


def flagged(part: Part) -> int:
    """How many single cues are significant."""
    return len(part.flagged("telling")) + len(part.flagged("eliminating"))


def sentence(parts: list[Part], level: float) -> str:
    """The finding: single cues of the split they give away most, then all cues together."""
    worst = max(parts, key=lambda p: (beats_chance(p, parts, level), flagged(p) > 0, gain(p)))
    if not beats_chance(worst, parts, level) and not flagged(worst):
        worst = parts[-1]
    where = "" if len(parts) == 1 else f" in {worst.name}"
    if worst.name == POOLED:
        where = " in all splits pooled"
    return f"{_single(worst, where)} {_together(worst, parts, level)}"


def _single(part: Part, where: str) -> str:
    rows = part.flagged("telling") + part.flagged("eliminating")
    if not part.testable:
        return f"Too few items{where} for any word or phrase to be significant."
    if not rows:
        return f"No single word or phrase{where} is significant after correction."
    # the strongest: smallest p, then widest
    _, _, cue, n, hits, *_, kind = min(rows, key=lambda row: (row[10], -int(row[3] or 0)))
    what = "gives answers away" if kind == "telling" else "rules choices out"
    many = f"{len(rows)} words or phrases" if len(rows) > 1 else "One word or phrase"
    what = what.replace("gives", "give").replace("rules", "rule") if len(rows) > 1 else what
    return (
        f"{many}{where} {what}: where only one choice has “{cue}”, it is right {hits} of {n} times."
    )


def _together(part: Part, parts: list[Part], level: float) -> str:
    guess = f"{part.ceiling.listed.value:.1%} of items (chance {part.chance:.1%})"
    if beats_chance(part, parts, level):
        return f"Whoever knows the cues and nothing else answers {guess}."
    order, p = strongest(parts)
    words = "single words" if order == 1 else f"{order}-word phrases"
    rules = f"rules over cues answer {guess}, not beyond luck"
    if p <= level:
        yet = "All" if flagged(part) else "Yet all"
        return f"{yet} {words} together say more than chance allows (p = {p:.2g}); {rules}."
    return f"Taken together cues say no more than chance allows (p = {p:.2g}); {rules}."
