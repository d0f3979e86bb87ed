"""Surface tells: the accuracy of each on a split, with its interval and chance."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..html.tables import to_records
from . import IN_SELECTED_SPLIT, ROWS, ReportChart, chance_rule, tooltips
from ._dot_plot import (
    WIDENED_NOTE,
    LayeredChart,
    best_first,
    dot_plot,
    filled_dots,
    has_widened_intervals,
    interval_lines,
    name_axis,
    with_field,
    x_axis,
)


def surface_charts(table: Table) -> tuple[ReportChart, ...]:
    rows = [row for row in to_records(table) if not row["slice"]]
    if not rows:
        return ()
    return dot_plot(
        "Surface tells against chance",
        _build_caption(rows),
        _tell_layers(rows),
        rows,
        "Accuracy of every surface tell with interval, against chance",
        "tells",
    )


def _build_caption(rows: list[dict[str, Any]]) -> str:
    """Join the sentences that apply to these rows."""
    red = "Red: significant" if any(row["flag"] for row in rows) else "No rule is significant"
    sentences = [
        "Accuracy of each rule, with its 95% interval. Dashed: chance.",
        f"{red} after correction for the number of rules.",
        *([WIDENED_NOTE] if has_widened_intervals(rows) else []),
    ]
    return " ".join(sentences)


def _tell_layers(rows: list[dict[str, Any]]) -> LayeredChart:
    base = alt.Chart(ROWS).transform_filter(f"datum.slice === '' && {IN_SELECTED_SPLIT}")
    x = x_axis("accuracy", (row[name] for row in rows for name in ("low", "high", "chance")))
    y = name_axis("tell", best_first("accuracy"))
    tooltip = [alt.Tooltip("tell:N")]
    tooltip += tooltips(
        accuracy=".1%", low=".1%", high=".1%", chance=".1%", n=",", p=".2g", q=".2g"
    )
    return alt.layer(
        chance_rule(base).encode(x=with_field(x, "mean(chance):Q")),
        interval_lines(base, x, y),
        filled_dots(base, with_field(x, "accuracy:Q"), y, tooltip),
    )
