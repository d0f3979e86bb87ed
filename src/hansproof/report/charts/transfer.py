"""Transfer: a matrix of training and test benchmarks, with guessing in the last row."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..escape import reveal_hidden
from ..html.tables import to_records
from . import ROWS, ReportChart, to_spec, tooltips
from ._dot_plot import LayeredChart
from ._theme import ABOVE_CHANCE_FILL, BELOW_CHANCE_FILL, CARD_BACKGROUND, INK

ROW_HEIGHT = 40
# the size of a gain is shown by opacity: a scale of colours could not follow the style of the page
GAIN_COLOUR = alt.condition(
    "datum.gain < 0", alt.value(BELOW_CHANCE_FILL), alt.value(ABOVE_CHANCE_FILL)
)
MIN_COLOUR_GAIN = 0.1  # the smallest gain that may take the full colour
GUESSING_ROW = "by guessing"
CAPTION = (
    "Accuracy in per cent of models trained on the benchmark of the row and tested on that of the "
    "column. Outlined: trained and tested on the same benchmark, on different items. Star: "
    "significantly above chance on a benchmark they were not trained on, after correction for all "
    "pairs. Blue: above guessing, which is the last row; ochre: below it."
)
# of the numbers, so that they fit their columns
FONT_SIZE = alt.ExprRef("clamp(bandwidth('x') / 3.2, 4, 12.5)")
SHORT_LABEL = "truncate(datum.label, containerSize()[0] < 480 ? 14 : 30, 'center')"

TransferRecords = list[dict[str, Any]]


def transfer_charts(table: Table) -> tuple[ReportChart, ...]:
    rows = to_records(table)
    if not rows:
        return ()
    row_names = [*dict.fromkeys(reveal_hidden(row["trained_on"]) for row in rows), GUESSING_ROW]
    layers = _matrix_layers(rows, row_names).properties(height=ROW_HEIGHT * len(row_names))
    description = "Accuracy on every benchmark of models trained on each"
    return (
        ReportChart("What carries over", CAPTION, {"": to_spec(layers, description)}, "matrix"),
    )


def _matrix_layers(rows: TransferRecords, row_names: list[str]) -> LayeredChart:
    columns = [*dict.fromkeys(reveal_hidden(row["tested_on"]) for row in rows)]
    x, y = _tested_on_axis(columns), _trained_on_axis(row_names)
    base = alt.Chart(ROWS).transform_calculate(
        gain="datum.accuracy - datum.chance",
        size="abs(datum.accuracy - datum.chance)",
        said="format(100 * datum.accuracy, '.1f') + (datum.flag ? '*' : '')",
        interval="format(datum.low, '.1%') + ' to ' + format(datum.high, '.1%')",
        judged="isValid(datum.q) ? format(datum.q, '.2~g') : 'not judged'",
        spread="isValid(datum.sd) ? format(datum.sd, '.1%') : 'one run'",
    )
    guessing = (
        alt.Chart(ROWS)
        .transform_aggregate(guessed="mean(chance)", groupby=["tested_on"])
        .transform_calculate(
            trained_on=f"'{GUESSING_ROW}'", said="format(100 * datum.guessed, '.1f')"
        )
    )
    diagonal = base.transform_filter("datum.trained_on === datum.tested_on")
    cells = base.mark_rect(stroke=CARD_BACKGROUND, strokeWidth=2)
    cell_labels = base.mark_text(fontSize=FONT_SIZE, color=INK, aria=False)
    guessing_labels = guessing.mark_text(
        fontSize=FONT_SIZE, fontStyle="italic", color=INK, aria=False
    )
    return alt.layer(
        cells.encode(
            x=x, y=y, color=GAIN_COLOUR, opacity=_gain_opacity(rows), tooltip=_cell_tooltip()
        ),
        diagonal.mark_rect(fill=None, stroke=INK, strokeWidth=2, aria=False).encode(x=x, y=y),
        cell_labels.encode(x=x, y=y, text="said:N"),
        guessing_labels.encode(x=x, y=y, text="said:N"),
    )


def _tested_on_axis(columns: list[str]) -> alt.X:
    axis = alt.Axis(
        orient="top",
        domain=False,
        ticks=False,
        labelAngle=35,
        labelAlign="right",  # labels end above their column, as there is room on the left
        labelExpr=SHORT_LABEL,
    )
    return alt.X("tested_on:N", title="tested on", sort=columns, axis=axis)


def _trained_on_axis(row_names: list[str]) -> alt.Y:
    axis = alt.Axis(domain=False, ticks=False, labelPadding=8, labelExpr=SHORT_LABEL)
    return alt.Y("trained_on:N", title="trained on", sort=row_names, axis=axis)


def _gain_opacity(rows: TransferRecords) -> alt.Opacity:
    max_gain = max(MIN_COLOUR_GAIN, *(abs(row["accuracy"] - row["chance"]) for row in rows))
    scale = alt.Scale(domain=[0, max_gain], range=[0, 1])
    return alt.Opacity("size:Q", title="over chance", scale=scale, legend=None)


def _cell_tooltip() -> list[alt.Tooltip]:
    tooltip = [alt.Tooltip("trained_on:N", title="trained on")]
    tooltip += [alt.Tooltip("tested_on:N", title="tested on"), *tooltips(accuracy=".1%")]
    tooltip += [alt.Tooltip("interval:N", title="95% interval"), *tooltips(chance=".1%", n=",")]
    tooltip += [*tooltips(seeds=","), alt.Tooltip("spread:N", title="sd of the runs")]
    return [*tooltip, alt.Tooltip("judged:N", title="q"), *tooltips(shared=",")]
