"""The band of the cue map in which harmless cues lie: chance and its sampling error."""

from __future__ import annotations

import math
from typing import Any

from ..escape import reveal_hidden

FunnelPoints = list[dict[str, Any]]


def chance_funnel(cues: FunnelPoints, summary: FunnelPoints) -> FunnelPoints:
    """Compute the edges of the band by coverage for each split: chance ± 1.96 standard errors."""
    sizes = {row["split"]: row["n"] for row in summary}
    points: FunnelPoints = []
    for split, n in sizes.items():
        chances = [row["chance"] for row in cues if row["split"] == split]
        if chances:
            points += _funnel_edges(reveal_hidden(split), n, sum(chances) / len(chances))
    return points


def _funnel_edges(split: str, n: int, chance: float) -> FunnelPoints:
    steps = 48
    edges = []
    for step in range(steps + 1):
        applicability = 0.5 * (2 * n) ** (step / steps)  # from below the rarest cue up to all items
        half_width = 1.96 * math.sqrt(chance * (1 - chance) / applicability)
        edges.append(
            {
                "split": split,
                "coverage": applicability / n,
                "productivity": max(chance - half_width, 0),
                "high": min(chance + half_width, 1),
                "chance": chance,
            }
        )
    return edges
