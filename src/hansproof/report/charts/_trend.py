"""A least-squares line through dots, and the band that holds it with 95 % confidence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...stats import fit_line

BAND_STEPS = 40  # a band is curved


def trend_points(x: Sequence[float], y: Sequence[float]) -> list[dict[str, float]]:
    """Points of the line from the first x to the last, each with the ends of its band.

    None where no line can be told from chance at all: fewer than three dots, or all at one x.
    """
    line = fit_line(list(zip(x, y, strict=True)))
    if line is None:
        return []
    points = np.linspace(min(x), max(x), BAND_STEPS + 1)
    ends = zip(points, *line.confidence_band(points), strict=True)
    return [dict(zip(("x", "y", "low", "high"), map(float, end), strict=True)) for end in ends]
