"""Which cues to name in a picture: the strongest, as far as their names do not collide.

Where no cue of a split is flagged, the cue map names a few that come closest.
"""

from __future__ import annotations

import math
from typing import Any

from ..visible import visible
from .reach import Reach, reaches

MOST, CLOSEST, CLOSE = 14, 6, 0.05
# The size of a label on a picture about 1,000 by 430 pixels, in shares of its width and height.
LINE, LETTER, GAP = 0.045, 0.0085, 0.02

Box = tuple[float, float, float]  # left, right, height of the middle


def spread_out(rows: list[dict[str, Any]]) -> list[int]:
    """Places of the rows to name, split by split, the smallest p first."""
    exposed = {row["split"] for row in rows if row["flag"]}
    worth = [
        at
        for at, row in enumerate(rows)
        if row["flag"] or (row["split"] not in exposed and row["p"] <= CLOSE)
    ]
    worth.sort(key=lambda at: (rows[at]["p"], -rows[at]["coverage"]))
    ends = reaches(rows)
    placed: dict[str, list[Box]] = {split: [] for split in ends}
    named = []
    for at in worth:
        split = visible(rows[at]["split"])
        box, boxes = _box(rows[at], ends[split]), placed[split]
        most = MOST if rows[at]["split"] in exposed else CLOSEST
        if len(boxes) < most and not any(collide(box, other) for other in boxes):
            boxes.append(box)
            named.append(at)
    return named


def _box(row: dict[str, Any], ends: Reach) -> Box:
    left = math.log(row["coverage"] / ends.left) / math.log(ends.right / ends.left)
    return left, left + GAP + LETTER * len(row["cue"]), row["productivity"] / ends.top


def collide(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and abs(one[2] - other[2]) < LINE
