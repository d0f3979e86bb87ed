"""Parts: for each probe, the number that counts on every part, with its interval and chance."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..escape import reveal_hidden
from ..html.tables import to_records
from . import ROWS, ReportChart, chance_rule, to_spec, tooltips
from ._dot_plot import (
    SHORT_LABEL,
    LayeredChart,
    filled_dots,
    interval_lines,
    row_height,
    with_field,
    x_axis,
)

LINE_HEIGHT = 17  # pixels; there may be dozens of parts


def part_charts(parts: Table, tests: Table) -> tuple[ReportChart, ...]:
    """Build one pane per probe; all panes list the parts in the same order, the worst first."""
    order = [reveal_hidden(str(row["part"])) for row in to_records(parts)]
    rows = [row for row in to_records(tests) if _is_drawable(row)]
    if not rows:
        return ()
    probes = dict.fromkeys(row["probe"] for row in rows)
    x = x_axis("", (row[name] for row in rows for name in ("low", "high", "chance")))
    panes = {
        probe.replace("_", " "): _pane([row for row in rows if row["probe"] == probe], order, x)
        for probe in probes
    }
    caption = (
        "What each probe finds in each part, with its 95% interval; the worst part is on top. "
        "Dashed: chance. Red: significant after correction for the number of parts."
    )
    return (ReportChart("Parts against chance", caption, panes, "tests", wide=True),)


def _is_drawable(row: dict[str, Any]) -> bool:
    return all(row[name] is not None for name in ("value", "low", "high", "chance"))


def _pane(rows: list[dict[str, Any]], order: list[str], x: alt.X) -> dict[str, Any]:
    probe = rows[0]["probe"]
    chart = _layers(probe, order, x).properties(
        height=len({row["part"] for row in rows}) * row_height(len(rows), LINE_HEIGHT)
    )
    return to_spec(chart, f"What {probe} finds in each part, with interval, against chance")


def _layers(probe: str, order: list[str], x: alt.X) -> LayeredChart:
    base = alt.Chart(ROWS).transform_filter(alt.FieldEqualPredicate(equal=probe, field="probe"))
    base = base.transform_filter("isValid(datum.chance)")
    axis = alt.Axis(
        domain=False,
        ticks=False,
        labelPadding=6,
        labelFontSize=11,
        labelExpr=SHORT_LABEL.format("datum.label"),
        labelOverlap=False,
    )
    y = alt.Y("part:N", title=None, sort=order, axis=axis)
    tooltip = [alt.Tooltip("part:N"), alt.Tooltip("verdict:N")]
    tooltip += tooltips(value=".1%", low=".1%", high=".1%", chance=".1%", n=",", q=".2g")
    return alt.layer(
        chance_rule(base).encode(x=with_field(x, "mean(chance):Q")),
        interval_lines(base, x, y),
        filled_dots(base, with_field(x, "value:Q"), y, tooltip),
    )
