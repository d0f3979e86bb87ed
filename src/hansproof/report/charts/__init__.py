"""Charts: Vega-Lite specifications over the tables that the page embeds.

No rows stand in a specification: the page's script hands each chart the rows of its table, with
hidden characters made visible, under the name `rows`. A row knows its place in the table as `row`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import altair as alt
from altair.typing import ChartType

from ...types import POOLED
from ..escape import reveal_hidden
from ._aria import describe_marks
from ._theme import AXIS_LINE, GRID, INK

ROWS = alt.NamedData("rows")
PERCENT = "~%"
IN_SELECTED_SPLIT = "datum.split === split"


@dataclass(frozen=True, slots=True)
class ReportChart:
    """A chart of the report: its title, its caption and the table it draws."""

    title: str
    caption: str
    panes: dict[str, dict[str, Any]]  # label -> specification, side by side
    table: str
    splits: tuple[str, ...] = ()  # offered in the selector
    first_split: str = ""  # shown until the reader selects another; empty: the first of `splits`
    wide: bool = False  # panes need room for names
    uneven: bool = False  # panes differ in height and are aligned at the top


def splits_of(rows: list[dict[str, Any]]) -> tuple[str, ...]:
    """List the splits of the rows, the pooled one first: its evidence is the strongest."""
    splits = dict.fromkeys(reveal_hidden(row["split"]) for row in rows)
    return tuple(sorted(splits, key=lambda split: split != POOLED))


def selected_split(splits: tuple[str, ...]) -> alt.Parameter:
    """Build the parameter for the selected split; the selector of the page sets it."""
    return alt.param(name="split", value=splits[0])


def chance_rule(base: alt.Chart) -> alt.Chart:
    rule: alt.Chart = base.mark_rule(strokeDash=[4, 3], color=INK)
    return rule


def tooltips(**formats: str) -> list[alt.Tooltip]:
    """Build tooltips for columns of numbers, given as `column=format`."""
    return [
        alt.Tooltip(f"{name}:Q", title=name.replace("_", " "), format=number_format)
        for name, number_format in formats.items()
    ]


def to_spec(chart: ChartType, description: str) -> dict[str, Any]:
    """Apply the theme of all charts and return the specification, as wide as the page allows."""
    axis = alt.AxisConfig(
        aria=False,  # Vega would read out the limits with all digits
        labelColor=INK,
        labelFontSize=12,
        labelLimit=240,
        titleColor=INK,
        titleFontSize=12.5,
        titleFontWeight="normal",
        titlePadding=10,
        gridColor=GRID,
        domainColor=AXIS_LINE,
        tickColor=AXIS_LINE,
    )
    config = alt.Config(
        font="system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif",
        background="transparent",
        view=alt.ViewConfig(stroke=None),
        legend=alt.LegendConfig(labelFontSize=12.5, labelColor=INK),
        axis=axis,
    )
    spec: dict[str, Any] = chart.properties(
        width="container",
        description=reveal_hidden(description),
        autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
        config=config,
    ).to_dict(validate=False)  # validation doubles the time; tests validate
    describe_marks(spec)
    return spec
