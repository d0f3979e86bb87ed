"""Numbers as people read them, and which of a result's numbers says most."""

from __future__ import annotations

from ..types import POOLED, Estimate, Result


def format_share(value: float) -> str:
    return f"{100 * value:.1f} %"


def format_number(value: float) -> str:
    """Two decimals; of what is too small for these, two digits."""
    return f"{value:.2g}" if 0 < abs(value) < 0.1 else f"{value:,.2f}"


def is_difference(estimate: Estimate) -> bool:
    """Whether an estimate is one accuracy minus another, as its name says: chance is then 0."""
    has_difference_name = " minus " in estimate.name or ", gap with Easy from" in estimate.name
    return has_difference_name and estimate.chance == 0


def is_share(estimate: Estimate) -> bool:
    """Whether an estimate is a part of a whole: its chance level is, and it stays in 0 to 1."""
    is_within_unit = all(
        x is None or 0 <= x <= 1 for x in (estimate.value, estimate.low, estimate.high)
    )
    return is_within_unit and (estimate.chance is None or 0 < estimate.chance < 1)


def format_estimate(estimate: Estimate) -> str:
    """An estimate with its company: `57.2 % (52.8 to 61.5 %), chance 50.0 %`."""
    if is_difference(estimate):
        return _format_points(estimate)
    format_value = format_share if is_share(estimate) else format_number
    text = format_value(estimate.value)
    if estimate.low is not None and estimate.high is not None:
        text += (
            f" ({format_value(estimate.low).removesuffix(' %')} to {format_value(estimate.high)})"
        )
    if estimate.chance is not None:
        text += f", chance {format_value(estimate.chance)}"
    return text


def _format_points(estimate: Estimate) -> str:
    """A difference with its company: `+11.9 points (+6.6 to +17.4), chance 0`."""
    numbers = (x for x in (estimate.value, estimate.low, estimate.high) if x is not None)
    value, *ends = (f"{100 * x:+.1f}" for x in numbers)
    return f"{value} points{f' ({ends[0]} to {ends[1]})' if len(ends) == 2 else ''}, chance 0"


def format_q(result: Result) -> str:
    """How likely chance alone is to bring a verdict as bad, as `q = 0.02`; empty if untested."""
    if result.q is None:
        return ""
    return f"q = {result.q:.2g}" if result.q >= 0.001 else "q < 0.001"


def key_estimate(result: Result) -> Estimate | None:
    """The estimate the sentence quotes first; else the one farthest from chance by its interval.

    Of those that are equal to the last digit shown it is the one the sentence names. Shares come
    before ratios, which only those can read who know what they are ratios of. Of a clear result it
    is the first, pooled if there is such: the most extreme of many would look like a finding.
    """
    if result.verdict == "clear":
        pooled = (e for e in result.estimates if e.name.startswith(f"{POOLED}:"))
        return next(pooled, next(iter(result.estimates), None))

    def relevance(estimate: Estimate) -> tuple[bool, int, int, bool, float]:
        value_text = f"{100 * estimate.value:.1f}{' points' if is_difference(estimate) else '%'}"
        position = result.summary.find(value_text)
        overlap = _name_overlap(estimate, result.summary) if position >= 0 else 0
        return (
            position >= 0,
            -position,
            overlap,
            is_share(estimate),
            _distance_from_chance(estimate),
        )

    return max(result.estimates, key=relevance, default=None)


def _name_overlap(estimate: Estimate, summary: str) -> int:
    """How much of its name, without the split's, stands in the sentence."""
    name = estimate.name.rpartition(": ")[2]
    return max(size for size in range(len(name) + 1) if name[:size] in summary)


def _distance_from_chance(estimate: Estimate) -> float:
    if estimate.chance is None or estimate.low is None or estimate.high is None:
        return 0.0
    width = max(estimate.high - estimate.low, 1e-9)
    return abs(estimate.value - estimate.chance) / width
