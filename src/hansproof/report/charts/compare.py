"""Comparison: systems by rank, and the differences between the compared ones."""

from __future__ import annotations

import altair as alt

from ...types import Table
from ..html.tables import to_records
from . import IN_SELECTED_SPLIT, ROWS, ReportChart, chance_rule, tooltips
from ._dot_plot import dot_plot, filled_dots, interval_lines, name_axis, with_field, x_axis

TABLE_ORDER = alt.EncodingSortField("row", op="min")
TWO_LINE_HEIGHT = 34  # two names, one above the other
SLICES_NOTE = " The rows below the first are parts of the split."
PERCENTAGE_POINTS = "100 * datum.{0}"  # of accuracy


def ranking_charts(table: Table) -> tuple[ReportChart, ...]:
    rows = to_records(table)
    if not rows:
        return ()
    base = (
        alt.Chart(ROWS)
        .transform_filter(IN_SELECTED_SPLIT)
        .transform_calculate(name="datum.rank + '. ' + datum.system", flag="''")
    )
    x = x_axis("accuracy", (row[name] for row in rows for name in ("low", "high", "chance")))
    y = name_axis("name", TABLE_ORDER)
    tooltip = [alt.Tooltip("system:N"), *tooltips(rank=",", accuracy=".1%", low=".1%", high=".1%")]
    tooltip += tooltips(chance=".1%", n=",", runs=",")
    chart = alt.layer(
        chance_rule(base).encode(x=with_field(x, "mean(chance):Q")),
        interval_lines(base, x, y),
        filled_dots(base, with_field(x, "accuracy:Q"), y, tooltip),
    )
    return dot_plot(
        "Ranking",
        "Accuracy of the systems, with 95% intervals. Dashed: chance. Overlapping intervals do not "
        "show that two systems are equally good: see the differences below.",
        chart,
        rows,
        "Accuracy of every system by rank",
        "ranking",
    )


def difference_charts(table: Table) -> tuple[ReportChart, ...]:
    rows = to_records(table)
    if not rows:
        return ()
    points = {name: PERCENTAGE_POINTS.format(name) for name in ("difference", "low", "high")}
    base = (
        alt.Chart(ROWS)
        .transform_filter(IN_SELECTED_SPLIT)
        .transform_calculate(
            name="datum.slice ? replace(datum.slice, '=', '\\n= ') : datum.a + '\\n− ' + datum.b",
            **points,
        )
    )
    ends = [100 * row[name] for row in rows for name in ("low", "high")]
    x = x_axis("difference in points", [*ends, 0], ".3~f")
    y = name_axis("name", TABLE_ORDER, lines=2)
    tooltip = [alt.Tooltip("a:N"), alt.Tooltip("b:N"), alt.Tooltip("slice:N")]
    tooltip += [
        *tooltips(accuracy_a=".1%", accuracy_b=".1%", difference="+.1f", low="+.1f", high="+.1f")
    ]
    tooltip += [*tooltips(n=",", p=".2g", q=".2g")]
    zero_line = chance_rule(alt.Chart(alt.InlineData(values=[{"none": 0}])))
    chart = alt.layer(
        zero_line.encode(x=with_field(x, "none:Q")),
        interval_lines(base, x, y),
        filled_dots(base, with_field(x, "difference:Q"), y, tooltip),
    )
    slices_note = SLICES_NOTE if any(row["slice"] for row in rows) else ""
    return dot_plot(
        "Differences between systems",
        "How much more often the first system is right than the second, on the same items, with "
        "the 95% interval. Dashed: no difference. Red: significant after correction for the number "
        f"of comparisons. Click a dot to read the items on which they differ.{slices_note}",
        chart,
        rows,
        "Differences in accuracy, around none",
        "pairs",
        TWO_LINE_HEIGHT,
    )
