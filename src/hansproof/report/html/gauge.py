"""The gauge of an estimate: its value and interval on a scale around chance.

On a scale from 0 to 100% nobody sees 29% against 25%. The scale is symmetric around chance, so an
effect looks as large above chance as below it; its ends are labelled, and it reaches at least ten
points to both sides, so that noise does not fill it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...results import is_share
from ...types import Estimate

MIN_REACH = 0.1  # to both sides of chance
STEP = 0.05  # the ends are multiples of this distance from chance
MARGIN = 1.05  # room beyond the outermost number


@dataclass(frozen=True, slots=True)
class Gauge:
    """Positions in per cent of the width, and the labels of chance and of both ends."""

    value: float
    chance: float
    low: float | None
    high: float | None
    chance_label: str
    start_label: str
    end_label: str


def build_gauge(estimate: Estimate | None) -> Gauge | None:
    """Build the gauge of a share or a difference that has a chance level, else None."""
    if estimate is None or estimate.chance is None:
        return None
    is_difference = estimate.kind == "difference"
    numbers = [x for x in (estimate.value, estimate.low, estimate.high) if x is not None]
    if not is_difference and not is_share(estimate):
        return None
    if not all(abs(x) <= 1 for x in (*numbers, estimate.chance)):  # false for nan
        return None
    start, end = _scale(estimate.chance, numbers, -1.0 if is_difference else 0.0)

    def place(number: float) -> float:
        return round(100 * (number - start) / (end - start), 2)

    return Gauge(
        place(estimate.value),
        place(estimate.chance),
        None if estimate.low is None else place(estimate.low),
        None if estimate.high is None else place(estimate.high),
        "no difference" if is_difference else "chance",
        _format_end(start, is_difference),
        _format_end(end, is_difference),
    )


def _format_end(end: float, is_difference: bool) -> str:
    """Format an end of the scale: `15%`, or `−20` points of a difference."""
    number = f"{100 * end:{'+' if is_difference else ''}.1f}".removesuffix(".0")
    return number.replace("-", "−") if is_difference else f"{number}%"


def _scale(chance: float, numbers: list[float], least: float) -> tuple[float, float]:
    """Return both ends: as far from chance as the farthest number, within what is possible."""
    farthest = max(abs(number - chance) for number in numbers)
    reach = max(MIN_REACH, STEP * math.ceil(MARGIN * farthest / STEP))
    return max(chance - reach, least), min(chance + reach, 1.0)
