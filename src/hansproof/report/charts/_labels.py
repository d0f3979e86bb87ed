"""Labels of dots: the most important that cover no other label and no other dot.

They are placed for wide and for narrow charts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import altair as alt

from ._theme import INK

LETTER_WIDTH, DOT_GAP = 7, 12  # pixels
PLOT_HEIGHT = 430  # pixels
LABEL_HEIGHT = 0.045  # as a share of the height
COVERED = 0.75  # of the radius of a dot; a label may touch its edge
MAX_LABEL_WIDTH = 160  # pixels; longer texts end in an ellipsis
NARROW_WIDTH = 480  # pixels: charts on a phone have less
# widths for which labels are placed, and when these are shown
PLOT_WIDTHS = {1000: f"width >= {NARROW_WIDTH}", 270: f"width < {NARROW_WIDTH}"}

LabelBox = tuple[float, float, float]  # left, right, vertical centre


class LabelSpot(NamedTuple):
    """A dot that may have a label.

    x and y are shares of the width and the height, the radius is in pixels.
    """

    row: int
    text: str
    x: float
    y: float
    radius: float = 0.0


def place_labels(spots: Iterable[LabelSpot], width: int, max_labels: int) -> dict[int, bool]:
    """Map rows to whether their label is left of the dot; the first spots take precedence.

    A label is right of its dot if it fits there, else left; else the dot has none.
    """
    spots = list(spots)
    boxes: list[LabelBox] = []
    placed: dict[int, bool] = {}
    for spot in spots:
        if len(placed) == max_labels:
            break
        for is_left, box in _label_sides(spot, width):
            is_free = not any(boxes_collide(box, other) for other in boxes)
            if spot.row not in placed and is_free and not _covers_dot(box, spot, spots, width):
                boxes.append(box)
                placed[spot.row] = is_left
    return placed


def _label_sides(spot: LabelSpot, width: int) -> Iterator[tuple[bool, LabelBox]]:
    """Yield the boxes inside the chart that a label may take."""
    text_width = DOT_GAP + min(LETTER_WIDTH * len(spot.text), MAX_LABEL_WIDTH)
    share = text_width / width
    if spot.x + share <= 1:
        yield False, (spot.x, spot.x + share, spot.y)
    if spot.x - share >= 0:
        yield True, (spot.x - share, spot.x, spot.y)


def _covers_dot(
    box: LabelBox, labelled_spot: LabelSpot, spots: list[LabelSpot], width: int
) -> bool:
    """Tell whether the text of a label lies on a dot other than its own."""
    start, end, y = box
    gap = DOT_GAP / width  # the text begins beside its dot
    start, end = (start + gap, end) if start == labelled_spot.x else (start, end - gap)
    for spot in spots:
        x_radius, y_radius = COVERED * spot.radius / width, COVERED * spot.radius / PLOT_HEIGHT
        is_beside = spot.x + x_radius <= start or spot.x - x_radius >= end
        is_above_or_below = abs(spot.y - y) >= LABEL_HEIGHT / 2 + y_radius
        if spot.row != labelled_spot.row and not is_beside and not is_above_or_below:
            return True
    return False


def boxes_collide(first: LabelBox, second: LabelBox) -> bool:
    return (
        first[0] < second[1] and second[0] < first[1] and abs(first[2] - second[2]) < LABEL_HEIGHT
    )


def label_layer(
    base: alt.Chart, placed: dict[int, bool], width: int, x: alt.X, y: alt.Y
) -> alt.Chart:
    """Draw the column `cue` beside the dots of these rows, where the chart has about this width.

    The style sheet of the page knows the layer by its name.
    """
    left_rows = [row for row, is_left in placed.items() if is_left]
    labels: alt.Chart = (
        base.transform_filter(alt.FieldOneOfPredicate("row", [*placed]))
        .transform_calculate(turned=f"indexof({left_rows}, datum.row) >= 0")
        .mark_text(
            align=alt.ExprRef("datum.turned ? 'right' : 'left'"),
            dx=alt.ExprRef(f"datum.turned ? -{DOT_GAP} : {DOT_GAP}"),
            fontSize=12,
            fontWeight=600,
            color=INK,
            limit=MAX_LABEL_WIDTH,
            opacity=alt.ExprRef(f"{PLOT_WIDTHS[width]} ? 1 : 0"),
        )
        .encode(x=x, y=y, text="cue:N")
        .properties(name=f"dot_labels_{width}")
    )
    return labels
