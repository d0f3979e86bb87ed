"""Transfer: a field for each benchmark trained on and each tested on, guessing in the last row."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from ..visible import visible
from . import ROWS, Chart, finished, tips
from .colours import CARD, INK
from .dots import Layers

LINE = 40
BELOW, ABOVE = "#d9a75b", "#7fabd6"  # told apart by every eye, and light enough to write on
LEAST = 0.1  # gain that has the full colour: less would make much of little
GUESSING = "by guessing"
CAPTION = (
    "How often models trained on the benchmark of a row are right on that of a column, in per "
    "cent. Outlined: tested on what they were trained for, on other items. Star: beyond chance on "
    "a benchmark they never saw, after correction for all pairs. Blue: above what guessing gives "
    "there, which is in the last row; ochre: below it."
)
SIZE = alt.ExprRef("clamp(bandwidth('x') / 3.2, 4, 12.5)")  # of numbers, so that columns fit
SHORTENED = "truncate(datum.label, containerSize()[0] < 480 ? 14 : 30, 'center')"

Rows = list[dict[str, Any]]


def matrix(table: Table) -> tuple[Chart, ...]:
    rows = records(table)
    if not rows:
        return ()
    lines = [*dict.fromkeys(visible(row["trained_on"]) for row in rows), GUESSING]
    layers = _layers(rows, lines).properties(height=LINE * len(lines))
    about = "Accuracy on every benchmark of models trained on each"
    return (Chart("What carries over", CAPTION, {"": finished(layers, about)}, "matrix"),)


def _layers(rows: Rows, lines: list[str]) -> Layers:
    columns = [*dict.fromkeys(visible(row["tested_on"]) for row in rows)]
    x, y = _across(columns), _down(lines)
    shown = alt.Chart(ROWS).transform_calculate(
        gain="datum.accuracy - datum.chance",
        said="format(100 * datum.accuracy, '.1f') + (datum.flag ? '*' : '')",
        interval="format(datum.low, '.1%') + ' to ' + format(datum.high, '.1%')",
        judged="isValid(datum.q) ? format(datum.q, '.2~g') : 'not judged'",
        spread="isValid(datum.sd) ? format(datum.sd, '.1%') : 'one run'",
    )
    guessing = (
        alt.Chart(ROWS)
        .transform_aggregate(guessed="mean(chance)", groupby=["tested_on"])
        .transform_calculate(trained_on=f"'{GUESSING}'", said="format(100 * datum.guessed, '.1f')")
    )
    own = shown.transform_filter("datum.trained_on === datum.tested_on")
    fields = shown.mark_rect(stroke=CARD, strokeWidth=2)
    written = shown.mark_text(fontSize=SIZE, color=INK, aria=False)
    guessed = guessing.mark_text(fontSize=SIZE, fontStyle="italic", color=INK, aria=False)
    return alt.layer(
        fields.encode(x=x, y=y, color=_colour(rows), tooltip=_about()),
        own.mark_rect(fill=None, stroke=INK, strokeWidth=2, aria=False).encode(x=x, y=y),
        written.encode(x=x, y=y, text="said:N"),
        guessed.encode(x=x, y=y, text="said:N"),
    )


def _across(columns: list[str]) -> alt.X:
    axis = alt.Axis(
        orient="top",
        domain=False,
        ticks=False,
        labelAngle=35,
        labelAlign="right",  # they end above their column: on the left there is room
        labelExpr=SHORTENED,
    )
    return alt.X("tested_on:N", title="tested on", sort=columns, axis=axis)


def _down(lines: list[str]) -> alt.Y:
    axis = alt.Axis(domain=False, ticks=False, labelPadding=8, labelExpr=SHORTENED)
    return alt.Y("trained_on:N", title="trained on", sort=lines, axis=axis)


def _colour(rows: Rows) -> alt.Color:
    most = max(LEAST, *(abs(row["accuracy"] - row["chance"]) for row in rows))
    scale = alt.Scale(domain=[-most, 0, most], range=[BELOW, CARD, ABOVE], interpolate="rgb")
    return alt.Color("gain:Q", title="over chance", scale=scale, legend=None)


def _about() -> list[alt.Tooltip]:
    about = [alt.Tooltip("trained_on:N", title="trained on")]
    about += [alt.Tooltip("tested_on:N", title="tested on"), *tips(accuracy=".1%")]
    about += [alt.Tooltip("interval:N", title="95 % interval"), *tips(chance=".1%", n=",")]
    about += [*tips(seeds=","), alt.Tooltip("spread:N", title="sd of the runs")]
    return [*about, alt.Tooltip("judged:N", title="q"), *tips(shared=",")]
