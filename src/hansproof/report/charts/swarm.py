"""Seeds: every run a dot, those of one system in a row, near equals side by side."""

from __future__ import annotations

from collections import Counter
from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from . import ON_SHOW, ROWS, Chart, chance_rule, tips
from .colours import BLUE
from .dots import COLOUR, Layers, along, down, on, plotted

LINE = 36
ABREAST = 6  # dots that find room in a row without covering each other
# The width of the plot would be better, but changes while counts are taken, which upsets them.
WIDTH = "0.85 * containerSize()[0]"
ACROSS = 7  # pixels from dot to dot along the axis: any nearer, and they stand side by side

Rows = list[dict[str, Any]]


def swarm(runs: Table) -> tuple[Chart, ...]:
    """Of systems with several runs; one run has no spread to look at."""
    rows = records(runs)
    counts = Counter((row["split"], row["system"]) for row in rows)
    several = [row for row in rows if counts[row["split"], row["system"]] > 1]
    if not several:
        return ()
    systems = [{"split": split} for (split, _), count in counts.items() if count > 1]
    lone = len(counts) - len(systems)
    said = f" {lone} {'system' if lone == 1 else 'systems'} with one run left out." if lone else ""
    return plotted(
        "Runs of each system",
        "Every dot is a run with a seed of its own; near equals stand side by side. Blue: the "
        "median of the system. Dashed: chance, where it is known. Red: degenerate, the run learnt "
        f"nothing, as its training accuracy shows.{said}",
        _layers(several),
        systems,
        "Accuracy of every run",
        "runs",
        LINE,
    )


def _layers(rows: Rows) -> Layers:
    values = [row["accuracy"] for row in rows]
    values += [row["chance"] for row in rows if row["chance"] is not None]
    x = along("accuracy", values)
    shown = _placed(max(max(values) - min(values), 0.01))
    y = down("system", alt.EncodingSortField("middle", op="max", order="descending"))
    about = [alt.Tooltip("system:N"), *tips(run=",", seed="d", accuracy=".1%")]
    about += [*tips(train_accuracy=".1%"), alt.Tooltip("flag:N")]
    return alt.layer(
        chance_rule(shown.transform_filter("isValid(datum.chance)")).encode(
            x=on(x, "mean(chance):Q")
        ),
        shown.mark_tick(color=BLUE, thickness=3, size=26, aria=False).encode(
            x=on(x, "middle:Q"), y=y
        ),
        shown.mark_point(filled=True, size=30, opacity=0.75).encode(
            x=on(x, "accuracy:Q"),
            y=y,
            yOffset=alt.YOffset("aside:Q", scale=alt.Scale(domain=[-0.5, 0.5])),
            color=COLOUR,
            tooltip=about,
        ),
    )


def _placed(reach: float) -> alt.Chart:
    """Each run with its place among those that would cover it, counted from their middle."""
    placed: alt.Chart = (
        alt.Chart(ROWS)
        .transform_filter(ON_SHOW)
        .transform_joinaggregate(middle="median(accuracy)", runs="count()", groupby=["system"])
        .transform_filter("datum.runs > 1")
        .transform_calculate(place=f"round(datum.accuracy / {reach} * {WIDTH} / {ACROSS})")
        .transform_joinaggregate(near="count()", groupby=["system", "place"])
        .transform_window(
            nth="row_number()",
            sort=[alt.SortField("accuracy"), alt.SortField("run")],
            groupby=["system", "place"],
        )
        .transform_calculate(
            aside=f"(datum.nth - (datum.near + 1) / 2) / max(datum.near, {ABREAST})"
        )
    )
    return placed
