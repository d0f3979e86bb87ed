"""Sensitivity: how much models rely on cues, against productivity; one dot per cue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt

from ...probes.sensitivity.regression import DIFFERENCE, SENSITIVITY
from ...types import Table
from ..html.tables import to_records
from . import PERCENT, ROWS, ReportChart, chance_rule, to_spec, tooltips
from ._labels import PLOT_WIDTHS, LabelSpot, label_layer, place_labels
from ._theme import BLUE, FAINT, OCHRE
from ._trend import trend_points

MAX_LABELS = 5  # dots with a label
HEIGHT = 400  # pixels
DOT = (
    "Every dot is a cue, larger if more items contain it. Across: how often the choice with the "
    "cue is right in training (productivity). Up: "
)
LINE = "Blue: the least-squares line with its 95% band. "
CAPTIONS = {
    "difference": f"{DOT}how much more of the score depends on the cue in the second group of "
    "models (against) than in the first, in hundredths. Dashed: no difference. "
    f"{LINE}If the line falls, the second group looks less at words that give answers away. "
    "Ochre: the largest decreases.",
    "sensitivity": f"{DOT}how much of the score depends on the cue, in hundredths. {LINE}"
    "If the line rises, the models look more at words that give answers away. Ochre: the largest "
    "values.",
}
TITLES = {
    "difference": "Change of sensitivity against productivity",
    "sensitivity": "Sensitivity against productivity",
}

CueRecords = list[dict[str, Any]]
AxisRange = tuple[float, float]


def sensitivity_charts(cues: Table) -> tuple[ReportChart, ...]:
    """Draw the change between two groups of models, or the sensitivity of a single group."""
    all_rows = [row | {"row": i} for i, row in enumerate(to_records(cues))]
    column = DIFFERENCE if any(row[DIFFERENCE] is not None for row in all_rows) else SENSITIVITY
    rows = [row | {"y": 100 * row[column]} for row in all_rows if row[column] is not None]
    if not rows:
        return ()
    x, y = _scatter_axes(rows, column)
    line = trend_points([row["productivity"] for row in rows], [row["y"] for row in rows])
    labelled = _strongest_cues(rows, column)
    layers = [
        *_trend_layers(line, x, y),
        *_zero_line(column, y),
        *_cue_dots(rows, column, labelled, x, y),
        *_cue_labels(rows, column, labelled, x, y),
    ]
    spec = to_spec(alt.layer(*layers).properties(height=HEIGHT), f"{TITLES[column]} of every cue")
    return (ReportChart(TITLES[column], CAPTIONS[column], {"": spec}, "cues"),)


def _padded_range(values: list[float]) -> AxisRange:
    """Return the range of the values with a margin."""
    margin = max(0.06 * (max(values) - min(values)), 0.01)
    return min(values) - margin, max(values) + margin


def _x_range(rows: CueRecords) -> AxisRange:
    return _padded_range([row["productivity"] for row in rows])


def _y_range(rows: CueRecords) -> AxisRange:
    return _padded_range([0, *(row["y"] for row in rows)])


def _scatter_axes(rows: CueRecords, column: str) -> tuple[alt.X, alt.Y]:
    x = alt.X(
        "productivity:Q",
        title="productivity",
        scale=alt.Scale(domain=[*_x_range(rows)], nice=False),
        axis=alt.Axis(format=PERCENT, tickCount=5, grid=False, labelOverlap="greedy"),
    )
    y = alt.Y(
        "y:Q",
        title=f"{'change of ' if column == DIFFERENCE else ''}sensitivity, in 1e-2",
        scale=alt.Scale(domain=[*_y_range(rows)], nice=False),
        axis=alt.Axis(tickCount=6),
    )
    return x, y


def _strongest_cues(rows: CueRecords, column: str) -> list[int]:
    """Return row indices of the largest falls, or for one group of the highest sensitivities."""
    falls = column == DIFFERENCE
    ranked = sorted(rows, key=lambda row: row["y"] if falls else -row["y"])
    return [row["row"] for row in ranked[:MAX_LABELS] if row["y"] < 0 or not falls]


def _trend_layers(points: list[dict[str, float]], x: alt.X, y: alt.Y) -> Iterator[alt.Chart]:
    if not points:
        return
    base = alt.Chart(alt.InlineData(values=points)).transform_calculate(productivity="datum.x")
    band = base.transform_calculate(y="datum.low").mark_area(
        color=BLUE, opacity=0.16, clip=True, aria=False
    )
    yield band.encode(x=x, y=y, y2="high:Q")
    yield base.mark_line(color=BLUE, clip=True, aria=False).encode(x=x, y=y)


def _zero_line(column: str, y: alt.Y) -> Iterator[alt.Chart]:
    if column == DIFFERENCE:
        yield chance_rule(alt.Chart(alt.InlineData(values=[{"y": 0}]))).encode(y=y)


def _cue_base(column: str) -> alt.Chart:
    hundredths = {
        name: f"isValid(datum.{name}) ? format(100 * datum.{name}, '.2f') : 'none'"
        for name in ("sensitivity", "against")
    }
    ends = [f"format(100 * datum.difference_{end}, '+.2f')" for end in ("low", "high")]
    base: alt.Chart = (
        alt.Chart(ROWS)
        .transform_filter(f"isValid(datum.{column})")
        .transform_calculate(
            y=f"100 * datum.{column}",
            seen=hundredths["sensitivity"],
            other=hundredths["against"],
            change="isValid(datum.difference) ? format(100 * datum.difference, '+.2f') : 'none'",
            interval="isValid(datum.difference_low) && isValid(datum.difference_high) ? "
            f"{ends[0]} + ' to ' + {ends[1]} : 'none'",
        )
    )
    return base


def _cue_dots(
    rows: CueRecords, column: str, labelled: list[int], x: alt.X, y: alt.Y
) -> Iterator[alt.Chart]:
    """Draw all cues, the labelled ones last so that nothing covers them."""
    size_range = [
        0,
        max([1, *(row["items"] for row in rows)]),
    ]  # explicit, since a layer may be empty
    size = alt.Size("items:Q", scale=alt.Scale(domain=size_range, range=[16, 420]), legend=None)
    tooltip = [alt.Tooltip("cue:N"), *tooltips(productivity=".1%", applicability=",", items=",")]
    tooltip += [alt.Tooltip("seen:N", title="sensitivity, 1e-2")]
    if column == DIFFERENCE:
        tooltip += [
            alt.Tooltip("other:N", title="against, 1e-2"),
            alt.Tooltip("change:N", title="difference, 1e-2"),
            alt.Tooltip("interval:N", title="95% interval"),
        ]
    base = _cue_base(column).transform_calculate(named=f"indexof({labelled}, datum.row) >= 0")
    plain_dots = base.transform_filter("!datum.named").mark_circle(opacity=0.45, aria=False)
    labelled_dots = base.transform_filter("datum.named").mark_circle(opacity=0.85)
    for layer, colour in ((plain_dots, FAINT), (labelled_dots, OCHRE)):
        yield layer.encode(x=x, y=y, size=size, color=alt.value(colour), tooltip=tooltip)


def _cue_labels(
    rows: CueRecords, column: str, labelled: list[int], x: alt.X, y: alt.Y
) -> Iterator[alt.Chart]:
    """Label the strongest cues where there is room."""
    x_range, y_range = _x_range(rows), _y_range(rows)
    spots = [
        LabelSpot(i, row["cue"], _share(row["productivity"], x_range), _share(row["y"], y_range))
        for i in labelled
        for row in rows
        if row["row"] == i
    ]
    for width in PLOT_WIDTHS:
        placed = place_labels(spots, width, MAX_LABELS)
        yield label_layer(_cue_base(column), placed, width, x, y)


def _share(value: float, axis_range: AxisRange) -> float:
    return (value - axis_range[0]) / (axis_range[1] - axis_range[0])
