"""What the cue statistics say, in a sentence and a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...types import POOLED, Verdict

if TYPE_CHECKING:
    from . import Part


def verdict(parts: list[Part], level: float) -> Verdict:
    """exposed: rules over cues answer items they were not learnt from, luck of the split aside.

    caution: there are cues, single ones or many weak ones.
    """
    if any(beats_chance(part, level / len(parts)) for part in parts):
        return "exposed"
    if any(flagged(part) or strongest(part)[1] <= level for part in parts):
        return "caution"
    return "clear"


def beats_chance(part: Part, level: float) -> bool:
    """Whether the cross-validated decision list is above chance."""
    return part.ceiling.p <= level and part.ceiling.listed.value > part.chance


def strongest(part: Part) -> tuple[int, float]:
    """The order of n-grams whose aggregate strength is least like chance, and its p."""
    p, order = min((s.p, order) for order, s in enumerate(part.strength, 1))
    return order, p


def flagged(part: Part) -> int:
    """How many single cues are significant."""
    return len(part.flagged("telling")) + len(part.flagged("eliminating"))


def sentence(parts: list[Part], level: float) -> str:
    """The finding for the split that the cues give away most."""
    if not parts:
        return "No labelled split to look at."
    worst = max(
        parts,
        key=lambda part: (
            beats_chance(part, level / len(parts)),
            flagged(part) > 0,
            strongest(part)[1] <= level,
            part.ceiling.listed.value - part.chance,
        ),
    )
    where = "" if len(parts) == 1 else f" in {worst.name}"
    if worst.name == POOLED:
        where = " in all splits pooled"
    return f"{_single(worst, where)} {_together(worst, level, len(parts))}"


def _single(part: Part, where: str) -> str:
    rows = part.flagged("telling") + part.flagged("eliminating")
    if not rows:
        return f"No single word or phrase{where} is significant after correction."
    # the strongest: smallest p, then widest
    _, _, cue, n, hits, *_ = min(rows, key=lambda row: (row[10], -int(row[3] or 0)))
    many = (
        f"{len(rows)} words or phrases{where} give" if len(rows) > 1 else f"One word{where} gives"
    )
    return (
        f"{many} answers away: where only one choice has “{cue}”, it is right {hits} of {n} times."
    )


def _together(part: Part, level: float, parts: int) -> str:
    guess = f"{part.ceiling.listed.value:.1%} of items (chance {part.chance:.1%})"
    if beats_chance(part, level / parts):
        return f"Whoever knows the cues and nothing else answers {guess}."
    order, p = strongest(part)
    if p <= level:
        words = "single words" if order == 1 else f"{order}-word phrases"
        return (
            f"{'All' if flagged(part) else 'Yet all'} {words} together say more than chance "
            f"allows (p = {p:.2g}), though rules over cues answer only {guess}."
        )
    if flagged(part):
        return f"That is too little to lift a score: rules over cues answer {guess}."
    return f"All cues together say no more than chance (p = {p:.2g}); rules over them: {guess}."
