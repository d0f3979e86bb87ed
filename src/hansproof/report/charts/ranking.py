"""Comparison: the systems by rank, and how far apart those are that were compared."""

from __future__ import annotations

import altair as alt

from ...types import Table
from ..tables import records
from . import ON_SHOW, ROWS, Chart, chance_rule, tips
from .dots import along, dots, down, on, plotted, spans

AS_LISTED = alt.EncodingSortField("row", op="min")
LINE = 34  # two names, one above the other
PARTS = " Where only two systems were compared, the rows below are parts of the split."
POINTS = "100 * datum.{0}"  # of accuracy


def ranking(table: Table) -> tuple[Chart, ...]:
    rows = records(table)
    if not rows:
        return ()
    shown = (
        alt.Chart(ROWS)
        .transform_filter(ON_SHOW)
        .transform_calculate(name="datum.rank + '. ' + datum.system", flag="''")
    )
    x = along("accuracy", (row[name] for row in rows for name in ("low", "high", "chance")))
    y = down("name", AS_LISTED)
    about = [alt.Tooltip("system:N"), *tips(rank=",", accuracy=".1%", low=".1%", high=".1%")]
    about += tips(chance=".1%", n=",", runs=",")
    chart = alt.layer(
        chance_rule(shown).encode(x=on(x, "mean(chance):Q")),
        spans(shown, x, y),
        dots(shown, on(x, "accuracy:Q"), y, about),
    )
    return plotted(
        "Ranking",
        "The systems by accuracy, with 95 % intervals. Dashed: chance. Intervals that overlap do "
        "not show that two systems are equal, nor that their order is sure: see the differences.",
        chart,
        rows,
        "Accuracy of every system by rank",
        "ranking",
    )


def differences(table: Table) -> tuple[Chart, ...]:
    rows = records(table)
    if not rows:
        return ()
    points = {name: POINTS.format(name) for name in ("difference", "low", "high")}
    shown = (
        alt.Chart(ROWS)
        .transform_filter(ON_SHOW)
        .transform_calculate(
            name="datum.slice ? replace(datum.slice, '=', '\\n= ') : datum.a + '\\n− ' + datum.b",
            **points,
        )
    )
    ends = [100 * row[name] for row in rows for name in ("low", "high")]
    x = along("difference in points", [*ends, 0], ".3~f")
    y = down("name", AS_LISTED, lines=2)
    about = [alt.Tooltip("a:N"), alt.Tooltip("b:N"), alt.Tooltip("slice:N")]
    about += [*tips(accuracy_a=".1%", accuracy_b=".1%", difference="+.1f", low="+.1f", high="+.1f")]
    about += [*tips(n=",", p=".2g", q=".2g")]
    nothing = chance_rule(alt.Chart(alt.InlineData(values=[{"none": 0}])))
    chart = alt.layer(
        nothing.encode(x=on(x, "none:Q")),
        spans(shown, x, y),
        dots(shown, on(x, "difference:Q"), y, about),
    )
    parts = PARTS if any(row["slice"] for row in rows) else ""
    return plotted(
        "Differences between systems",
        "How much more often the first is right than the second, on the same items, with its 95 % "
        "interval. Dashed: no difference. Red: survives correction for the number of comparisons. "
        f"Click a dot to read the items they differ on.{parts}",
        chart,
        rows,
        "Differences in accuracy, around none",
        "pairs",
        LINE,
    )
