"""How far the cue map reaches, split by split: with five choices no cue comes near the top."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

from ..visible import visible


class Reach(NamedTuple):
    """The ends of the axes, a little beyond the outermost dots."""

    left: float
    right: float
    top: float


def reaches(rows: list[dict[str, Any]]) -> dict[str, Reach]:
    by_split = defaultdict(list)
    for row in rows:
        by_split[visible(row["split"])].append(row)
    return {split: _reach(part) for split, part in by_split.items()}


def _reach(rows: list[dict[str, Any]]) -> Reach:
    coverages = [row["coverage"] for row in rows]
    # twice chance at least, so that below and above have the same room
    top = max(max(1.1 * row["productivity"], 2 * row["chance"]) for row in rows)
    return Reach(min(coverages) / 1.15, min(max(coverages) * 1.3, 1.0), min(top, 1.0))
