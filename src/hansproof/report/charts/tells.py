"""Surface tells: the accuracy of each over a whole split, with interval, against chance."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from . import ON_SHOW, PERCENT, ROWS, Chart, chance_rule, finished, on_show, splits_of, tips
from .colours import INK, RED


def tells(table: Table) -> tuple[Chart, ...]:
    rows = [row for row in records(table) if not row["slice"]]
    if not rows:
        return ()
    splits = splits_of(rows)
    height = 25 * len({row["tell"] for row in rows})
    chart = _layers(rows).properties(height=height).add_params(on_show(splits))
    return (
        Chart(
            "Surface tells against chance",
            "How many answers a rule finds that reads no words, with its 95 % interval. Dashed: "
            "chance. Red: survives correction for the number of rules tried.",
            {"": finished(chart, "Accuracy of every surface tell with interval, against chance")},
            "tells",
            splits,
        ),
    )


def _layers(rows: list[dict[str, Any]]) -> alt.LayerChart | alt.FacetChart:
    whole = alt.Chart(ROWS).transform_filter(f"datum.slice === '' && {ON_SHOW}")
    reach = [row[name] for row in rows for name in ("low", "high", "chance")]
    x = alt.X(
        title="accuracy",
        scale=alt.Scale(domain=[max(min(reach) - 0.02, 0), min(max(reach) + 0.02, 1)], zero=False),
        axis=alt.Axis(format=PERCENT, tickCount=6),
    )
    y = alt.Y(
        "tell:N",
        title=None,
        sort=alt.EncodingSortField("accuracy", order="descending"),
        axis=alt.Axis(domain=False, ticks=False),
    )
    color = alt.condition("datum.flag", alt.value(RED), alt.value(INK))
    about = [alt.Tooltip("tell:N")]
    about += tips(accuracy=".1%", low=".1%", high=".1%", chance=".1%", n=",", p=".2g", q=".2g")
    dots = whole.mark_point(filled=True, size=80, opacity=1)
    spans = whole.mark_rule(strokeWidth=2)
    return alt.layer(
        chance_rule(whole).encode(x=_of(x, "mean(chance):Q")),
        spans.encode(x=_of(x, "low:Q"), x2="high:Q", y=y, color=color),
        dots.encode(x=_of(x, "accuracy:Q"), y=y, color=color, tooltip=about),
    )


def _of(axis: alt.X, shorthand: str) -> alt.X:
    """Another quantity on the same axis."""
    placed: alt.X = axis.copy()
    placed.shorthand = shorthand
    return placed
