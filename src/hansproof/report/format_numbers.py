"""Format numbers for people."""

from __future__ import annotations

from collections.abc import Sequence

from ..results import is_at_floor, is_share
from ..types import Estimate, Result


def format_share(value: float) -> str:
    """Format a share as everywhere in reports: `57.2%`."""
    return f"{value:.1%}"


def format_number(value: float) -> str:
    """Format with two decimals, or small numbers with two significant digits."""
    return f"{value:.2g}" if 0 < abs(value) < 0.1 else f"{value:,.2f}"


def format_estimate(estimate: Estimate) -> str:
    """Format value, interval and chance level: `57.2% (52.8 to 61.5%), chance 50.0%`."""
    interval, chance = format_interval(estimate), format_chance(estimate)
    return f"{format_value(estimate)}{f' ({interval})' if interval else ''}" + (
        f", chance {chance}" if chance else ""
    )


def format_compact(estimate: Estimate) -> str:
    """Format value and interval in few characters: `57.2% (52.8–61.5)`; others as usual."""
    interval = format_interval(estimate)
    if is_share(estimate):
        interval = interval.replace(" to ", "–").removesuffix("%")
    return f"{format_value(estimate)} ({interval})" if interval else format_value(estimate)


def format_brief_chance(estimate: Estimate) -> str:
    """Format the chance level in few characters, `25%`; empty if there is none."""
    return "" if estimate.kind == "difference" else format_chance(estimate).replace(".0%", "%")


def format_value(estimate: Estimate) -> str:
    """Format the value alone: `57.2%`, `+11.9 points` or `1.34`."""
    value = _format_plain(estimate, estimate.value)
    return f"{value} points" if estimate.kind == "difference" else value


def format_interval(estimate: Estimate) -> str:
    """Format the interval alone: `52.8 to 61.5%`; empty if there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    low, high = (_format_plain(estimate, end) for end in (estimate.low, estimate.high))
    return f"{low.removesuffix('%')} to {high}"


def format_chance(estimate: Estimate) -> str:
    """Format the chance level alone: `50.0%`, or `0` of a difference; empty if there is none."""
    if estimate.chance is None:
        return ""
    return "0" if estimate.kind == "difference" else _format_plain(estimate, estimate.chance)


def _format_plain(estimate: Estimate, number: float) -> str:
    """Format a number as a value of the estimate: a share, points or a plain number.

    Points have a sign, but those of a spread, which has no chance level and cannot be negative.
    """
    if estimate.kind == "difference":
        return f"{100 * number:{'' if estimate.chance is None else '+'}.1f}"
    return format_share(number) if is_share(estimate) else format_number(number)


def format_q(result: Result) -> str:
    """Format the corrected p-value of a verdict, as `q = 0.02`; empty if there is none.

    It is `q ≤ 0.02` if the p-value is the smallest that the randomisations can show.
    """
    if result.q is None or result.verdict == "skipped":
        return ""
    if result.q < 0.001:
        return "q < 0.001"
    return f"q {'≤' if is_at_floor(result) else '='} {result.q:.2g}"


def is_p_column(name: str) -> bool:
    """Tell whether a column of a table contains p-values."""
    return name in ("p", "q") or name.endswith("_p")


def floor_columns(columns: Sequence[str]) -> dict[str, str]:
    """Map columns of p-values to the columns with the smallest p that could have come out."""
    floors = {name: f"{name}_floor" for name in columns if is_p_column(name)}
    return {name: floor for name, floor in floors.items() if floor in columns}
