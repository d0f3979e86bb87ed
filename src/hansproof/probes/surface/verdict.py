"""The verdict and the sentences on surface tells."""

from __future__ import annotations

from collections.abc import Sequence

from ...results import name_items
from ...types import Verdict
from .._power import SplitPower, decide_absence, describe_power
from .tell_score import TellScore
from .tells import PICKED_CHOICES, describe_likelihood_tell


def decide_verdict(worst: TellScore | None, power: SplitPower, margin: float) -> Verdict:
    """Return exposed if a significant tell gains at least `margin` over guessing."""
    if worst is None:
        return decide_absence(power)
    return "exposed" if worst.split_gain() >= margin else "caution"


def compute_power(
    scored: Sequence[TellScore], part: str, margin: float, level: float
) -> SplitPower:
    """Return the power in a part for the tell that is hardest to see.

    Tells that apply too rarely to be worth the margin do not count, if there are others. `level`
    is divided by the number of tests, as the correction does if one tell is real.
    """
    scores = [score for score in scored if score.split == part and not score.slice]
    useful = [score for score in scores if score.can_gain(margin)]
    corrected_level = level / len(scored)
    # how many items are needed takes long to compute, so only for the tell that is hardest to see
    hardest = min(useful or scores, key=lambda score: score.test_power(margin, corrected_level))
    return hardest.compute_power(margin, corrected_level)


def write_headline(worst: TellScore, models: Sequence[str] = ()) -> str:
    """Describe the most useful tell in plain words; `models` are the language models."""
    location = name_items(worst.split) + (f" with {worst.slice}" if worst.slice else "")
    picked = _describe_picks(worst.tell, models)
    accuracy = worst.chance + worst.gain()
    action = f"Taking {picked}"
    if worst.accuracy < worst.chance:
        remainder = "" if worst.chance == 0.5 else " and guessing among the others"
        action = f"Avoiding {picked}{remainder}"
    return f"{action} answers {accuracy:.1%} of {location} (chance {worst.chance:.1%})."


def write_summary(
    flagged: Sequence[TellScore],
    worst: TellScore | None,
    power: SplitPower,
    margin: float,
    models: Sequence[str] = (),
) -> str:
    """Describe the most useful tell and count the others, or say what could have been seen."""
    if worst is None:
        return (
            "No surface property, such as being the longest choice, predicts the answer "
            f"significantly. {describe_power(power, margin)}"
        )
    n_others = len({score.tell for score in flagged}) - 1
    tells = "property is" if n_others == 1 else "properties are"
    remainder = f" {n_others} more surface {tells} significant." if n_others else ""
    return write_headline(worst, models) + remainder


def _describe_picks(tell: str, models: Sequence[str]) -> str:
    picked = PICKED_CHOICES.get(tell) or describe_likelihood_tell(tell, models)
    if picked is not None:
        return picked
    amount, _, field = tell.partition(" overlap with ")
    degree = "the most" if amount == "most" else "the fewest"
    return f"the choice that shares {degree} words with the {field}"
