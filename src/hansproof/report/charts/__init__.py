"""The pictures, as Vega-Lite specifications over the tables that the page embeds anyway.

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
from ._theme import INK

ROWS = alt.NamedData("rows")
PERCENT = "~%"
IN_SELECTED_SPLIT = "datum.split === split"


@dataclass(frozen=True, slots=True)
class ReportChart:
    """A picture: what to call it, how to read it, and the table it draws."""

    title: str
    caption: str
    panes: dict[str, dict[str, Any]]  # label -> specification, side by side
    table: str
    splits: tuple[str, ...] = ()  # those to choose from
    wide: bool = False  # panes that need room for names
    uneven: bool = False  # panes that are not equally high: they begin together


def splits_of(rows: list[dict[str, Any]]) -> tuple[str, ...]:
    """As the rows name them, all splits pooled first: that is where the evidence is strongest."""
    splits = dict.fromkeys(reveal_hidden(row["split"]) for row in rows)
    return tuple(sorted(splits, key=lambda split: split != POOLED))


def selected_split(splits: tuple[str, ...]) -> alt.Parameter:
    """The split on show; the page's own selector sets it."""
    return alt.param(name="split", value=splits[0])


def chance_rule(base: alt.Chart) -> alt.Chart:
    rule: alt.Chart = base.mark_rule(strokeDash=[4, 3], color=INK)
    return rule


def tooltips(**formats: str) -> list[alt.Tooltip]:
    """Numbers of the row under the pointer, each by its format."""
    return [
        alt.Tooltip(f"{name}:Q", title=name.replace("_", " "), format=number_format)
        for name, number_format in formats.items()
    ]


def to_spec(chart: ChartType, description: str) -> dict[str, Any]:
    """The same plain looks for every picture, as wide as the page allows."""
    axis = alt.AxisConfig(
        labelColor=INK,
        labelFontSize=12,
        labelLimit=240,
        titleColor=INK,
        titleFontSize=12.5,
        titleFontWeight="normal",
        titlePadding=10,
        gridColor="#e8e3d7",
        domainColor="#b9b3a5",
        tickColor="#b9b3a5",
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
    ).to_dict(validate=False)  # which takes as long as all the rest; tests do it
    return spec
