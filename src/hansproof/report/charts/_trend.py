"""A least-squares line through points, with its 95% confidence band."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...stats import fit_line

BAND_STEPS = 40  # the band is curved


def trend_points(x: Sequence[float], y: Sequence[float]) -> list[dict[str, float]]:
    """Compute points of the line from the lowest x to the highest, with the ends of the band.

    The list is empty where there is no line: fewer than three points, or all at one x.
    """
    line = fit_line(list(zip(x, y, strict=True)))
    if line is None:
        return []
    points = np.linspace(min(x), max(x), BAND_STEPS + 1)
    ends = zip(points, *line.confidence_band(points), strict=True)
    return [dict(zip(("x", "y", "low", "high"), map(float, end), strict=True)) for end in ends]
