"""Select the cues to label on a chart: the strongest whose labels do not overlap.

Where no cue of a split is flagged, the cue map labels a few of the most significant ones.
"""

from __future__ import annotations

import math
from typing import Any

from ..escape import reveal_hidden
from ._cue_map_axes import AxisLimits, axis_limits

MAX_FLAGGED_LABELS, MAX_UNFLAGGED_LABELS, MAX_UNFLAGGED_P = 14, 6, 0.05
# Label sizes as shares of the width and height of a chart of about 1,000 by 430 pixels.
LABEL_HEIGHT, LETTER_WIDTH, DOT_GAP = 0.045, 0.0085, 0.02

LabelBox = tuple[float, float, float]  # left, right, vertical centre


def select_labels(rows: list[dict[str, Any]]) -> list[int]:
    """Return the indices of the rows to label, by split, the smallest p first."""
    flagged_splits = {row["split"] for row in rows if row["flag"]}
    candidates = [
        i
        for i, row in enumerate(rows)
        if row["flag"] or (row["split"] not in flagged_splits and row["p"] <= MAX_UNFLAGGED_P)
    ]
    candidates.sort(key=lambda i: (rows[i]["p"], -rows[i]["coverage"]))
    limits = axis_limits(rows)
    boxes_by_split: dict[str, list[LabelBox]] = {split: [] for split in limits}
    selected = []
    for i in candidates:
        split = reveal_hidden(rows[i]["split"])
        box, boxes = _label_box(rows[i], limits[split]), boxes_by_split[split]
        max_labels = (
            MAX_FLAGGED_LABELS if rows[i]["split"] in flagged_splits else MAX_UNFLAGGED_LABELS
        )
        if len(boxes) < max_labels and not any(boxes_collide(box, other) for other in boxes):
            boxes.append(box)
            selected.append(i)
    return selected


def _label_box(row: dict[str, Any], limits: AxisLimits) -> LabelBox:
    x_start = math.log(row["coverage"] / limits.x_min) / math.log(limits.x_max / limits.x_min)
    return (
        x_start,
        x_start + DOT_GAP + LETTER_WIDTH * len(row["cue"]),
        row["productivity"] / limits.y_max,
    )


def boxes_collide(first: LabelBox, second: LabelBox) -> bool:
    return (
        first[0] < second[1] and second[0] < first[1] and abs(first[2] - second[2]) < LABEL_HEIGHT
    )
