"""The cue map: coverage against productivity, one dot per cue."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import altair as alt

from ...cues.significance import ELIMINATING, TELLING
from ...types import Table
from ..escape import reveal_hidden
from ..html.tables import to_records
from . import (
    IN_SELECTED_SPLIT,
    PERCENT,
    ROWS,
    ReportChart,
    chance_rule,
    selected_split,
    splits_of,
    to_spec,
    tooltips,
)
from ._cue_map_axes import AxisLimits, axis_limits
from ._cue_map_band import chance_funnel
from ._labels import PLOT_WIDTHS, LabelSpot, label_layer, place_labels
from ._theme import BLUE, CHANCE_BAND, FAINT, RED

FLAG_COLOURS = {TELLING: RED, ELIMINATING: BLUE, "other": FAINT}
CAPTION = (
    "Every dot is a cue: the farther right, the more items it applies to (coverage); the higher, "
    "the more often the choice with the cue is right (productivity). Larger dots have smaller "
    "p-values. Dashed: chance. Grey area: where 95% of cues without any meaning would be. "
)
FLAGGED_NOTE = (
    "Red: the choice with the cue is right more often than chance (telling). Blue: it is wrong "
    "more often (eliminating). Both are significant after correction for all cues tested; click "
    "one to read its items."
)
UNFLAGGED_NOTE = "No cue is significant after correction for all cues tested."
MAX_FLAGGED_LABELS, MAX_UNFLAGGED_LABELS, MAX_UNFLAGGED_P = 14, 6, 0.05


def cue_map(cues: Table, summary: Table) -> tuple[ReportChart, ...]:
    if not cues.rows:
        return ()
    rows = to_records(cues)
    x, y = _map_axes()
    splits = splits_of(rows)
    layers = [
        *_chance_band(chance_funnel(rows, to_records(summary)), x, y),
        *_cue_dots(x, y),
        *_cue_labels(rows, x, y),
    ]
    limits = {split: split_limits._asdict() for split, split_limits in axis_limits(rows).items()}
    params = selected_split(splits), alt.param(name="ends", value=limits)
    chart = alt.layer(*layers).properties(height=430).add_params(*params)
    description = "Coverage against productivity of every cue, with chance level"
    caption = CAPTION + (FLAGGED_NOTE if any(row["flag"] for row in rows) else UNFLAGGED_NOTE)
    return (ReportChart("Cue map", caption, {"": to_spec(chart, description)}, "cues", splits),)


def _map_axes() -> tuple[alt.X, alt.Y]:
    """Build both axes, with limits that follow the selected split."""
    x_min, x_max, y_max = (alt.ExprRef(f"ends[split].{limit}") for limit in AxisLimits._fields)
    x = alt.X(
        "coverage:Q",
        title="coverage (log scale)",
        scale=alt.Scale(type="log", domain=[x_min, x_max], nice=False),
        axis=alt.Axis(
            values=[1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1], format=PERCENT, grid=False
        ),
    )
    y = alt.Y(
        "productivity:Q",
        title="productivity",
        scale=alt.Scale(domain=[0, y_max], nice=False),
        axis=alt.Axis(format=PERCENT, tickCount=5),
    )
    return x, y


def _chance_band(points: list[dict[str, Any]], x: alt.X, y: alt.Y) -> Iterator[alt.Chart]:
    """Draw the band of harmless cues and the line of chance in its middle."""
    base = alt.Chart(alt.InlineData(values=points)).transform_filter(IN_SELECTED_SPLIT)
    band = base.mark_area(color=CHANCE_BAND, opacity=0.7, interpolate="monotone", clip=True)
    yield band.encode(x=x, y=y, y2="high:Q")
    yield chance_rule(base).encode(y=alt.Y("mean(chance):Q"))


def _cue_dots(x: alt.X, y: alt.Y) -> Iterator[alt.Chart]:
    """Draw all cues, the flagged ones last so that nothing covers them."""
    base = (
        alt.Chart(ROWS)
        .transform_filter(IN_SELECTED_SPLIT)
        .transform_calculate(
            evidence="min(-log(max(datum.p, 1e-12)) / LN10, 12)",
            kind="datum.flag ? datum.flag : 'other'",
            right="format(datum.hits, ',') + ' of ' + format(datum.applicability, ',')",
            interval="format(datum.low, '.1%') + ' to ' + format(datum.high, '.1%')",
        )
    )
    size = alt.Size(
        "evidence:Q", scale=alt.Scale(domain=[0, 12], range=[14, 420], clamp=True), legend=None
    )
    color = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=list(FLAG_COLOURS), range=list(FLAG_COLOURS.values())),
        legend=alt.Legend(title=None, orient="top", symbolSize=90, symbolOpacity=1),
    )
    tooltip = [alt.Tooltip("cue:N"), alt.Tooltip("kind:N", title="flag"), alt.Tooltip("right:N")]
    tooltip += [*tooltips(productivity=".1%"), alt.Tooltip("interval:N", title="95% interval")]
    tooltip += tooltips(chance=".1%", coverage=".2%", p=".2g", q=".2g")
    # no aria labels: screen readers have the table, and there may be a thousand dots
    plain = base.transform_filter("!datum.flag").mark_circle(opacity=0.45, aria=False)
    flagged = base.transform_filter("datum.flag").mark_circle(opacity=0.85, cursor="pointer")
    for layer in (plain, flagged):
        yield layer.encode(x=x, y=y, size=size, color=color, tooltip=tooltip)


def _cue_labels(rows: list[dict[str, Any]], x: alt.X, y: alt.Y) -> Iterator[alt.Chart]:
    """Label the strongest cues, as far as there is room; on a phone there is less."""
    base = alt.Chart(ROWS).transform_filter(IN_SELECTED_SPLIT)
    for width in PLOT_WIDTHS:
        yield label_layer(base, select_labels(rows, width), width, x, y)


def select_labels(rows: list[dict[str, Any]], width: int) -> dict[int, bool]:
    """Choose the rows to label in each split, the smallest p first, and the sides of the labels.

    Where no cue of a split is flagged, a few of the most significant ones are labelled.
    """
    limits = axis_limits(rows)
    placed: dict[int, bool] = {}
    for split, ends in limits.items():
        split_rows = [
            (i, row) for i, row in enumerate(rows) if reveal_hidden(row["split"]) == split
        ]
        flagged = [(i, row) for i, row in split_rows if row["flag"]]
        unflagged = [(i, row) for i, row in split_rows if row["p"] <= MAX_UNFLAGGED_P]
        candidates = sorted(
            flagged or unflagged, key=lambda numbered: (numbered[1]["p"], -numbered[1]["coverage"])
        )
        spots = [_label_spot(i, row, ends) for i, row in candidates]
        max_labels = MAX_FLAGGED_LABELS if flagged else MAX_UNFLAGGED_LABELS
        placed |= place_labels(spots, width, max_labels)
    return placed


def _label_spot(i: int, row: dict[str, Any], limits: AxisLimits) -> LabelSpot:
    x = math.log(row["coverage"] / limits.x_min) / math.log(limits.x_max / limits.x_min)
    return LabelSpot(i, row["cue"], x, row["productivity"] / limits.y_max)
