"""Class balance: how often each position is right, one pane per split on a shared scale."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..html.tables import to_records
from . import PERCENT, ROWS, ReportChart, splits_of, to_spec, tooltips
from ._theme import BLUE, INK, SLATE


def class_balance_charts(positions: Table) -> tuple[ReportChart, ...]:
    rows = to_records(positions)
    if not rows:
        return ()
    top = max(row["high"] for row in rows)
    return (
        ReportChart(
            "Class balance",
            "How often each position is right, with its 95% interval. Blue lines: an even spread.",
            {split: _split_spec(split, top) for split in splits_of(rows)},
            "positions",
        ),
    )


def _split_spec(split: str, top: float) -> dict[str, Any]:
    base = (
        alt.Chart(ROWS)
        .transform_filter(alt.FieldEqualPredicate(field="split", equal=split))
        .transform_calculate(even="datum.expected / datum.n")
    )
    x = alt.X("position:O", title="position", axis=alt.Axis(labelAngle=0))
    y = alt.Y(
        "frequency:Q",
        title="share of items",
        scale=alt.Scale(domain=[0, top]),
        axis=alt.Axis(format=PERCENT, tickCount=5),
    )
    tooltip = tooltips(position="d", count=",", expected=",.1f", frequency=".1%")
    bars = base.mark_bar(color=SLATE, width=alt.RelativeBandSize(0.6))
    even = base.mark_tick(color=BLUE, thickness=2, width=alt.RelativeBandSize(0.9))
    chart = alt.layer(
        bars.encode(x=x, y=y, tooltip=tooltip),
        base.mark_rule(strokeWidth=2, color=INK).encode(x=x, y=alt.Y("low:Q"), y2="high:Q"),
        even.encode(x=x, y=alt.Y("even:Q")),
    )
    return to_spec(chart.properties(height=200), f"How often each position is right in {split}")
