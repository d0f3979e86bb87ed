"""The verdict, the summary and the notes on sensitivity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..._infra.plural import plural
from ...types import Estimate, Verdict
from .attribution import ModelAttributions
from .cue_shares import CueSensitivity
from .regression import DIFFERENCE, Trend

LEVEL = 0.05
METHOD_TEXT = {
    "gradient": "the norm of the score's gradient with respect to the token's embedding",
    "integrated": "the norm of the token's integrated gradients, from padding to the token",
    "occlusion": "the change of the score when the token is replaced by padding",
}
SEQUENCE_TEXT = {
    "average": "the sequences of an item that contain the cue are averaged",
    "predicted": "only the sequence of the choice that the model picks counts",
}
SLOPE_NAME = "slope of the difference over productivity"  # of the estimate
NOT_ANSWERED_BY = (
    "That a score depends on a word does not show that the model answers by that word: a share "
    "says how much a small change would matter, not which choice it would favour."
)


@dataclass(frozen=True, slots=True, eq=False)
class SensitivityFindings:
    """The cues, trends and models that the verdict and the summary are about."""

    rows: Sequence[CueSensitivity]
    trends: Sequence[Trend]
    first: Sequence[ModelAttributions]
    second: Sequence[ModelAttributions]
    split: str
    source: str
    method: str
    sequences: str

    @property
    def judged_trend(self) -> Trend | None:
        """The trend that decides the verdict: of the difference over items with the cue."""
        return next((trend for trend in self.trends if trend.quantity == DIFFERENCE), None)


def slope_p(findings: SensitivityFindings) -> float | None:
    """Return the p of the slope: over cues or over pairs of models, the larger."""
    if findings.judged_trend is None:
        return None
    return max(findings.judged_trend.p, findings.judged_trend.p_over_seeds or 0.0)


def decide_verdict(findings: SensitivityFindings) -> Verdict:
    """Return caution if the change depends on productivity; skipped if it cannot be measured."""
    p = slope_p(findings)
    if p is None:
        return "skipped"
    return "caution" if p <= LEVEL else "clear"


def build_estimates(findings: SensitivityFindings) -> tuple[Estimate, ...]:
    """Return the slope with the wider of its intervals, to agree with the verdict."""
    trend = findings.judged_trend
    if trend is None:
        return ()
    low, high = widest_interval(trend)
    return (Estimate(SLOPE_NAME, trend.slope, low, high, trend.n, 0.0, kind="ratio"),)


def widest_interval(trend: Trend) -> tuple[float, float]:
    """Return the outer ends of both intervals of a slope."""
    low, high = trend.seed_interval
    if low is None or high is None:
        return trend.low, trend.high
    return min(trend.low, low, trend.slope), max(trend.high, high, trend.slope)


def write_summary(findings: SensitivityFindings) -> str:
    """Describe how the sensitivity to cues differs between the groups of models."""
    if not any(model.tally.n_items for model in (*findings.first, *findings.second)):
        return f"Skipped: no item of {findings.split} has gradients that could be attributed."
    if not findings.rows:
        clause = (
            f"no cue (word) that is frequent enough in {findings.source} occurs in {findings.split}"
        )
        return f"Skipped: {clause}."
    if not findings.second:
        top = ", ".join(f"“{c.name}” ({_format_percent(c.sensitivity)})" for c in findings.rows[:3])
        return (
            "Skipped: there is nothing to compare with; give models trained on other data "
            f"(--against). The scores of {_model_names(findings.first)} depend most on {top} "
            "where these words occur."
        )
    fallen = [cue for cue in findings.rows if (cue.difference or 0) < 0]
    clause = (
        f"The scores of {_model_names(findings.second)} depend less than those of "
        f"{_model_names(findings.first)} on {len(fallen)} of {plural(len(findings.rows), 'cue')}"
    )
    fall = f"{clause}{_largest_fall(fallen)}."
    trend, p = findings.judged_trend, slope_p(findings)
    if trend is None or p is None:
        return f"Skipped: there are too few cues for a regression on productivity. {fall}"
    return f"{fall} {_describe_trend(trend, p)}"


def _model_names(models: Sequence[ModelAttributions]) -> str:
    return models[0].name if len(models) == 1 else f"{models[0].name} and {len(models) - 1} more"


def _largest_fall(fallen: Sequence[CueSensitivity]) -> str:
    if not fallen:
        return ""
    cue = fallen[0]
    after = cue.sensitivity + (cue.difference or 0)
    before = _format_percent(cue.sensitivity)
    return f", most of all “{cue.name}”, from {before} to {_format_percent(after)}"


def _describe_trend(trend: Trend, p: float) -> str:
    low, high = widest_interval(trend)
    slope = f"slope {trend.slope:+.2g} [{low:+.2g}, {high:+.2g}]"
    if p > LEVEL:
        return (
            "The change is not significantly related to how often a cue is right in training "
            f"({slope})."
        )
    direction = "less" if trend.slope < 0 else "more"
    return (
        f"The more often a cue is right in training, the {direction} they depend on it ({slope})."
    )


def write_notes(findings: SensitivityFindings) -> tuple[str, ...]:
    return tuple(_iter_notes(findings))


def _iter_notes(findings: SensitivityFindings) -> Iterator[str]:
    yield (
        f"The attribution of a token is {METHOD_TEXT[findings.method]}; its share is relative to "
        "the sum over all tokens of a sequence, including special tokens. "
        f"{SEQUENCE_TEXT[findings.sequences].capitalize()}."
    )
    yield (
        f"Shares are means over the items of {findings.split} that contain the cue; the columns "
        "`_all` are means over all items, as in the paper's formula."
    )
    if findings.source == findings.split:
        yield f"Productivity is counted on {findings.split} itself, the split that is attributed."
    else:
        yield f"Productivity is counted on {findings.source}."
    numbers = len(findings.first), len(findings.second)
    if findings.second and numbers[0] != numbers[1]:
        counts_text = f"{numbers[0]} models against {numbers[1]}"
        yield f"{counts_text}: the models cannot be paired, so there is no interval over pairs."
    elif findings.second and numbers[0] < 2:
        yield "There is one model of each kind, so how much training itself varies is unknown."
    elif findings.second:
        yield f"{numbers[0]} pairs of models, paired in the order given."
    for model in (*findings.first, *findings.second):
        if model.tally.n_skipped:
            reason = "their attributions are not finite, or all zero"
            yield f"{model.name}: {plural(model.tally.n_skipped, 'item')} skipped: {reason}."
    yield NOT_ANSWERED_BY


def _format_percent(share: float) -> str:
    return f"{100 * share:.1f}%"
