"""Format numbers for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    if estimate.kind == "difference":
        return _format_points(estimate)
    format_value = format_share if is_share(estimate) else format_number
    text = format_value(estimate.value)
    if estimate.low is not None and estimate.high is not None:
        text += (
            f" ({format_value(estimate.low).removesuffix('%')} to {format_value(estimate.high)})"
        )
    if estimate.chance is not None:
        text += f", chance {format_value(estimate.chance)}"
    return text


def format_compact(estimate: Estimate) -> str:
    """Format value and interval in few characters: `57.2% (52.8–61.5)`; others as usual."""
    if not is_share(estimate) or estimate.low is None or estimate.high is None:
        return format_estimate(replace(estimate, chance=None))
    low, high = (format_share(end).removesuffix("%") for end in (estimate.low, estimate.high))
    return f"{format_share(estimate.value)} ({low}–{high})"


def format_chance(estimate: Estimate) -> str:
    """Format the chance level in few characters, `25%`; empty if there is none."""
    if estimate.chance is None or estimate.kind == "difference":
        return ""
    if is_share(estimate):
        return format_share(estimate.chance).replace(".0%", "%")
    return format_number(estimate.chance)


def _format_points(estimate: Estimate) -> str:
    """Format a difference: `+11.9 points (+6.6 to +17.4), chance 0`.

    A spread, which cannot be negative, has no chance level: `4.3 points (3.2 to 6.1)`.
    """
    sign, chance = ("", "") if estimate.chance is None else ("+", ", chance 0")
    numbers = (x for x in (estimate.value, estimate.low, estimate.high) if x is not None)
    value, *ends = (f"{100 * x:{sign}.1f}" for x in numbers)
    return f"{value} points{f' ({ends[0]} to {ends[1]})' if len(ends) == 2 else ''}{chance}"


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
