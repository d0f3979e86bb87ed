"""Axis limits of the cue map by split: with five choices, no cue comes near the top."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from ..escape import reveal_hidden


class AxisLimits(NamedTuple):
    """Ends of both axes, slightly beyond the outermost dots."""

    x_min: float
    x_max: float
    y_max: float


def axis_limits(rows: list[dict[str, Any]]) -> dict[str, AxisLimits]:
    by_split = defaultdict(list)
    for row in rows:
        by_split[reveal_hidden(row["split"])].append(row)
    return {split: _split_limits(split_rows) for split, split_rows in by_split.items()}


def _split_limits(rows: list[dict[str, Any]]) -> AxisLimits:
    coverages = [row["coverage"] for row in rows]
    # at least twice chance: then there is as much room below chance as above it
    y_max = max(max(1.1 * row["productivity"], 2 * row["chance"]) for row in rows)
    return AxisLimits(min(coverages) / 1.15, min(max(coverages) * 1.3, 1.0), min(y_max, 1.0))
