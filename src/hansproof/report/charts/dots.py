"""Dot plots: names down the side, a dot with its interval for each along the bottom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt

from ..visible import visible
from . import PERCENT, Chart, finished, on_show, splits_of
from .colours import CARD, INK, RED

LINE, LEAST, TALLEST = 25, 9, 2000  # pixels of a row, of a row among hundreds, of all rows
# The end of a system's name says what it saw: long names lose their middle.
SHORTENED = "truncate({}, containerSize()[0] < 480 ? 22 : 34, 'center')"
TICKS = alt.ExprRef("clamp(floor(width / 45), 2, 6)")  # as many as have room for their labels
COLOUR = alt.condition("datum.flag", alt.value(RED), alt.value(INK))

Layers = alt.LayerChart | alt.FacetChart  # as altair has it


def row_height(rows: int, line: int = LINE) -> int:
    """Less where there are so many that nobody could take them in."""
    return max(LEAST, min(line, TALLEST // rows))


def sized(chart: Layers, rows: Sequence[dict[str, Any]], line: int = LINE) -> Any:
    """As high as the split on show has rows; the page's script asks `heights` for the others."""
    counts = Counter(visible(row["split"]) for row in rows)
    each = row_height(max(counts.values()), line)
    heights = {split: each * count for split, count in counts.items()}
    splits = splits_of(list(rows))
    sizes = {"height": heights[splits[0]], "usermeta": {"heights": heights}}
    return chart.properties(**sizes).add_params(on_show(splits))


def plotted(
    title: str,
    caption: str,
    layers: Layers,
    rows: Sequence[dict[str, Any]],
    about: str,
    table: str,
    line: int = LINE,
) -> tuple[Chart, ...]:
    """One picture with a selector of splits; `rows` are those that take a line, by split."""
    spec = finished(sized(layers, rows, line), about)
    return (Chart(title, caption, {"": spec}, table, splits_of(list(rows))),)


def down(name: str, sort: alt.EncodingSortField, lines: int = 1) -> alt.Y:
    """Names down the side, each of so many lines."""
    several = "split(datum.label + '\\n', '\\n')"  # a name of one line has an empty second
    parts = (SHORTENED.format(f"{several}[{at}]") for at in range(lines))
    axis = alt.Axis(
        domain=False,
        ticks=False,
        labelPadding=8,
        labelExpr=f"[{', '.join(parts)}]",
        labelLineHeight=14,
        labelOffset=-7 * (lines - 1),  # Vega puts the first line in the middle
        labelOverlap="greedy",
    )
    return alt.Y(f"{name}:N", title=None, sort=sort, axis=axis)


def best_first(name: str) -> alt.EncodingSortField:
    return alt.EncodingSortField(name, order="descending")


def along(title: str, values: Iterable[float], how: str = PERCENT) -> alt.X:
    """An axis a little longer than its values; shares stay shares."""
    some = list(values)
    room = max(0.03 * (max(some) - min(some)), 0.01)
    low, high = min(some) - room, max(some) + room
    if how == PERCENT:
        low, high = max(low, 0), min(high, 1)
    return alt.X(
        title=title,
        scale=alt.Scale(domain=[low, high], zero=False, nice=False),
        axis=alt.Axis(format=how, tickCount=TICKS, labelOverlap="parity", labelSeparation=6),
    )


def on(axis: alt.X, shorthand: str) -> alt.X:
    """Another quantity on the same axis."""
    placed: alt.X = axis.copy()
    placed.shorthand = shorthand
    return placed


def spans(base: alt.Chart, x: alt.X, y: alt.Y, colour: Any = COLOUR) -> alt.Chart:
    """From low to high, red where flagged."""
    drawn: alt.Chart = base.mark_rule(strokeWidth=2, aria=False).encode(
        x=on(x, "low:Q"), x2="high:Q", y=y, color=colour
    )
    return drawn


def dots(
    base: alt.Chart, x: alt.X, y: alt.Y, about: list[alt.Tooltip], colour: Any = COLOUR
) -> alt.Chart:
    """One for each row, red where flagged; `x` knows its quantity."""
    drawn: alt.Chart = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=x, y=y, color=colour, tooltip=about
    )
    return drawn


def rings(
    base: alt.Chart, x: alt.X, y: alt.Y, about: list[alt.Tooltip], colour: Any = COLOUR
) -> alt.Chart:
    """The same, hollow."""
    drawn: alt.Chart = base.mark_point(fill=CARD, strokeWidth=2, size=65, opacity=1).encode(
        x=x, y=y, stroke=colour, tooltip=about
    )
    return drawn
