"""Seeds: one dot per run, one row per system, near-equal runs side by side."""

from __future__ import annotations

from collections import Counter
from typing import Any

import altair as alt

from ..._infra.plural import plural
from ...types import Table
from ..html.tables import to_records
from . import IN_SELECTED_SPLIT, ROWS, ReportChart, chance_rule, tooltips
from ._dot_plot import LayeredChart, dot_plot, name_axis, with_field, x_axis
from ._theme import BLUE, INK, OCHRE

ROW_HEIGHT = 36
DOTS_ABREAST = 6  # dots that fit in a row without overlap
# The width of the plot would be better, but it changes while Vega counts, which spoils the counts.
PLOT_WIDTH = "0.85 * containerSize()[0]"
DOT_SPACING = 7  # pixels along the axis; closer dots are placed side by side

DEGENERATE_COLOUR = alt.condition("datum.flag", alt.value(OCHRE), alt.value(INK))

RunRecords = list[dict[str, Any]]


def seed_charts(runs: Table) -> tuple[ReportChart, ...]:
    """Draw the systems that have several runs; a single run has no spread."""
    rows = to_records(runs)
    counts = Counter((row["split"], row["system"]) for row in rows)
    repeated_rows = [row for row in rows if counts[row["split"], row["system"]] > 1]
    if not repeated_rows:
        return ()
    systems = [{"split": split} for (split, _), count in counts.items() if count > 1]
    n_single = len(counts) - len(systems)
    note = f" {plural(n_single, 'system')} with a single run left out." if n_single else ""
    return dot_plot(
        "Runs of each system",
        "Every dot is a run with its own seed; runs with nearly the same accuracy are drawn side "
        "by side. Blue: the median. Dashed: chance, where it is known. Ochre: the run learnt "
        f"nothing, as its training accuracy shows (degenerate).{note}",
        _seed_layers(repeated_rows),
        systems,
        "Accuracy of every run",
        "runs",
        ROW_HEIGHT,
    )


def _seed_layers(rows: RunRecords) -> LayeredChart:
    values = [row["accuracy"] for row in rows]
    values += [row["chance"] for row in rows if row["chance"] is not None]
    x = x_axis("accuracy", values)
    base = _swarm_base(max(max(values) - min(values), 0.01))
    y = name_axis("system", alt.EncodingSortField("middle", op="max", order="descending"))
    tooltip = [alt.Tooltip("system:N"), *tooltips(run=",", seed="d", accuracy=".1%")]
    tooltip += [*tooltips(train_accuracy=".1%"), alt.Tooltip("flag:N")]
    return alt.layer(
        chance_rule(base.transform_filter("isValid(datum.chance)")).encode(
            x=with_field(x, "mean(chance):Q")
        ),
        base.mark_tick(color=BLUE, thickness=3, size=26, aria=False).encode(
            x=with_field(x, "middle:Q"), y=y
        ),
        base.mark_point(filled=True, size=30, opacity=0.75).encode(
            x=with_field(x, "accuracy:Q"),
            y=y,
            yOffset=alt.YOffset("aside:Q", scale=alt.Scale(domain=[-0.5, 0.5])),
            color=DEGENERATE_COLOUR,
            tooltip=tooltip,
        ),
    )


def _swarm_base(value_range: float) -> alt.Chart:
    """Compute the offset of each run among the runs that it would overlap."""
    base: alt.Chart = (
        alt.Chart(ROWS)
        .transform_filter(IN_SELECTED_SPLIT)
        .transform_joinaggregate(middle="median(accuracy)", runs="count()", groupby=["system"])
        .transform_filter("datum.runs > 1")
        .transform_calculate(
            place=f"round(datum.accuracy / {value_range} * {PLOT_WIDTH} / {DOT_SPACING})"
        )
        .transform_joinaggregate(near="count()", groupby=["system", "place"])
        .transform_window(
            nth="row_number()",
            sort=[alt.SortField("accuracy"), alt.SortField("run")],
            groupby=["system", "place"],
        )
        .transform_calculate(
            aside=f"(datum.nth - (datum.near + 1) / 2) / max(datum.near, {DOTS_ABREAST})"
        )
    )
    return base
