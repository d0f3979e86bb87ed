"""Accuracy: every system with its interval, beside three baselines that need no model."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...probes.accuracy import BASELINES
from ...types import Table
from ..html.tables import to_records
from . import IN_SELECTED_SPLIT, ROWS, ReportChart, tooltips
from ._dot_plot import (
    LayeredChart,
    best_first,
    dot_plot,
    filled_dots,
    interval_lines,
    name_axis,
    with_field,
    x_axis,
)
from ._theme import BLUE, FAINT, INK, OCHRE

WEAK_COLOUR = alt.condition("datum.flag", alt.value(FAINT), alt.value(INK))
BASELINE_STYLES = dict(
    zip(BASELINES, ((INK, [4, 3]), (BLUE, [1, 3]), (OCHRE, [8, 3])), strict=True)
)


def accuracy_charts(systems: Table) -> tuple[ReportChart, ...]:
    rows = to_records(systems)
    if not rows:
        return ()
    return dot_plot(
        "Accuracy of the systems",
        "Accuracy of each system with its 95% interval, the best on top. Lines: what guessing "
        "(chance), always giving the most frequent position (majority) and taking the longest "
        "choice (longest) score. Grey: not significantly better than the best of these.",
        _accuracy_layers(rows),
        rows,
        "Accuracy of every system with interval, against baselines",
        "systems",
    )


def _accuracy_layers(rows: list[dict[str, Any]]) -> LayeredChart:
    base = alt.Chart(ROWS).transform_filter(IN_SELECTED_SPLIT)
    names = ("low", "high", *BASELINE_STYLES)
    x = x_axis("accuracy", (row[name] for row in rows for name in names))
    y = name_axis("system", best_first("accuracy"))
    tooltip = [alt.Tooltip("system:N"), *tooltips(accuracy=".1%", low=".1%", high=".1%")]
    tooltip += tooltips(chance=".1%", majority=".1%", longest=".1%", n=",", runs=",", q=".2g")
    return alt.layer(
        _baseline_rules(base, x),
        interval_lines(base, x, y, WEAK_COLOUR),
        filled_dots(base, with_field(x, "accuracy:Q"), y, tooltip, WEAK_COLOUR),
    )


def _baseline_rules(base: alt.Chart, x: alt.X) -> alt.Chart:
    kinds = list(BASELINE_STYLES)
    colours, dashes = (list(values) for values in zip(*BASELINE_STYLES.values(), strict=True))
    legend = alt.Legend(
        title=None,
        orient="top",
        columns=alt.ExprRef("containerSize()[0] < 480 ? 1 : 3"),
        symbolType="stroke",
        symbolStrokeWidth=2,
        symbolSize=300,
    )
    color = alt.Color("baseline:N", scale=alt.Scale(domain=kinds, range=colours), legend=legend)
    dash = alt.StrokeDash("baseline:N", scale=alt.Scale(domain=kinds, range=dashes), legend=legend)
    rules: alt.Chart = (
        base.transform_fold([*BASELINE_STYLES], as_=["baseline", "share"])
        .mark_rule(strokeWidth=1.5, aria=False)
        .encode(x=with_field(x, "mean(share):Q"), color=color, strokeDash=dash)
    )
    return rules
