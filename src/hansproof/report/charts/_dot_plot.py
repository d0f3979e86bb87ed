"""Dot plots: one row per name, with a dot and its interval on the x axis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from ..escape import reveal_hidden
from . import PERCENT, ReportChart, selected_split, splits_of, to_spec
from ._theme import CARD_BACKGROUND, INK, RED

ROW_HEIGHT, MIN_ROW_HEIGHT, MAX_HEIGHT = (
    25,
    9,
    2000,
)  # pixels: a row, a row among hundreds, all rows
IS_NARROW = "containerSize()[0] < 480"  # on a phone
# Long names are shortened in the middle, since their end says what the system saw.
SHORT_LABEL = f"truncate({{}}, {IS_NARROW} ? 22 : 34, 'center')"
# On a phone a name of several words may have two lines.
FIRST_LINE = "regexp('^(.{6,17}) (.+)$')"
IS_TWO_LINES = f"{IS_NARROW} && length(datum.label) > 20 && test({FIRST_LINE}, datum.label)"
TICK_COUNT = alt.ExprRef("clamp(floor(width / 45), 3, 6)")  # as many as their labels have room for
FLAG_COLOUR = alt.condition("datum.flag", alt.value(RED), alt.value(INK))

WIDENED_NOTE = "Intervals of what is not significant were widened to include chance."

LayeredChart = alt.LayerChart | alt.FacetChart  # the return type of alt.layer


def has_widened_intervals(rows: Sequence[dict[str, Any]]) -> bool:
    """Tell whether an interval ends exactly at chance, as probes widen those without a finding."""
    return any(
        row["accuracy"] != row["chance"] and row["chance"] in (row["low"], row["high"])
        for row in rows
    )


def row_height(n_rows: int, line_height: int = ROW_HEIGHT) -> int:
    """Return the height of a row in pixels, smaller when there are very many rows."""
    return max(MIN_ROW_HEIGHT, min(line_height, MAX_HEIGHT // n_rows))


def fit_height(
    chart: LayeredChart, rows: Sequence[dict[str, Any]], line_height: int = ROW_HEIGHT
) -> Any:
    """Fit the height to the rows of the first split; the script reads `heights` for the others."""
    counts = Counter(reveal_hidden(row["split"]) for row in rows)
    height_per_row = row_height(max(counts.values()), line_height)
    heights = {split: height_per_row * count for split, count in counts.items()}
    splits = splits_of(list(rows))
    sizes = {"height": heights[splits[0]], "usermeta": {"heights": heights}}
    return chart.properties(**sizes).add_params(selected_split(splits))


def dot_plot(
    title: str,
    caption: str,
    layers: LayeredChart,
    rows: Sequence[dict[str, Any]],
    description: str,
    table: str,
    line_height: int = ROW_HEIGHT,
) -> tuple[ReportChart, ...]:
    """Build one chart with a selector of splits; each of `rows` takes a line in its split."""
    spec = to_spec(fit_height(layers, rows, line_height), description)
    return (ReportChart(title, caption, {"": spec}, table, splits_of(list(rows))),)


def name_axis(name: str, sort: alt.EncodingSortField, lines: int = 1) -> alt.Y:
    """Build the y axis of names of one line, or of two that a line break separates."""
    label_lines = "split(datum.label + '\\n', '\\n')"  # the second line may be empty
    texts = [SHORT_LABEL.format(f"{label_lines}[{i}]") for i in range(lines)]
    halves = [SHORT_LABEL.format(f"replace(datum.label, {FIRST_LINE}, '${i}')") for i in (1, 2)]
    label_text, test, line_height = f"[{', '.join(texts)}]", "true", 14
    if lines == 1:
        label_text, test = f"{IS_TWO_LINES} ? [{', '.join(halves)}] : {label_text}", IS_TWO_LINES
        line_height = 12  # both lines fit in a row
    axis = alt.Axis(
        domain=False,
        ticks=False,
        labelPadding=8,
        labelExpr=label_text,
        labelLineHeight=line_height,
        # Vega centres the first line
        labelOffset={"condition": {"test": test, "value": -line_height / 2}, "value": 0},
        labelOverlap="greedy",
    )
    return alt.Y(f"{name}:N", title=None, sort=sort, axis=axis)


def best_first(name: str) -> alt.EncodingSortField:
    return alt.EncodingSortField(name, order="descending")


def x_axis(title: str, values: Iterable[float], number_format: str = PERCENT) -> alt.X:
    """Build an x axis slightly wider than its values; shares stay between 0 and 1."""
    numbers = list(values)
    margin = max(0.03 * (max(numbers) - min(numbers)), 0.01)
    low, high = min(numbers) - margin, max(numbers) + margin
    if number_format == PERCENT:
        low, high = max(low, 0), min(high, 1)
    return alt.X(
        title=title,
        scale=alt.Scale(domain=[low, high], zero=False, nice=False),
        axis=alt.Axis(
            format=number_format, tickCount=TICK_COUNT, labelOverlap="parity", labelSeparation=6
        ),
    )


def with_field(axis: alt.X, shorthand: str) -> alt.X:
    """Copy an axis for another column."""
    axis_copy: alt.X = axis.copy()
    axis_copy.shorthand = shorthand
    return axis_copy


def interval_lines(base: alt.Chart, x: alt.X, y: alt.Y, colour: Any = FLAG_COLOUR) -> alt.Chart:
    """Draw lines from `low` to `high`, red where flagged."""
    layer: alt.Chart = base.mark_rule(strokeWidth=2, aria=False).encode(
        x=with_field(x, "low:Q"), x2="high:Q", y=y, color=colour
    )
    return layer


def filled_dots(
    base: alt.Chart, x: alt.X, y: alt.Y, tooltip: list[alt.Tooltip], colour: Any = FLAG_COLOUR
) -> alt.Chart:
    """Draw one dot per row, red where flagged; `x` names its column."""
    layer: alt.Chart = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=x, y=y, color=colour, tooltip=tooltip
    )
    return layer


def hollow_dots(
    base: alt.Chart, x: alt.X, y: alt.Y, tooltip: list[alt.Tooltip], colour: Any = FLAG_COLOUR
) -> alt.Chart:
    """Draw one ring per row, red where flagged; `x` names its column."""
    layer: alt.Chart = base.mark_point(
        fill=CARD_BACKGROUND, strokeWidth=2, size=65, opacity=1
    ).encode(x=x, y=y, stroke=colour, tooltip=tooltip)
    return layer
