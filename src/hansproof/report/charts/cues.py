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
from ._labels import PLOT_HEIGHT, PLOT_WIDTHS, LabelSpot, label_layer, place_labels
from ._theme import BLUE, CHANCE_BAND, FAINT, RED

FLAG_COLOURS = {TELLING: RED, ELIMINATING: BLUE, "other": FAINT}
CAPTION = (
    "Every dot is a cue: the farther right, the more items it applies to (coverage); the higher, "
    "the more often the choice with the cue is right (productivity). Larger dots have smaller "
    "p-values. Dashed: {chance}. Grey area: where 95% of cues without any meaning would be. "
)
FLAG_NOTES = {
    TELLING: "Red: the choice with the cue is right more often than chance (telling). ",
    ELIMINATING: "Blue: the choice with the cue is wrong more often than chance (eliminating). ",
}
FLAGGED_NOTE = (
    "Coloured: significant after correction for all cues tested; click such a dot to read its "
    "items."
)
UNFLAGGED_NOTE = "No cue is significant after correction for all cues tested."
MAX_EVIDENCE = 12  # p-values below 1e-12 have dots of the same size
DOT_AREAS = [14, 420]  # square pixels, of the least and the most significant cue
MAX_FLAGGED_LABELS, MAX_UNFLAGGED_LABELS, MAX_UNFLAGGED_P = 14, 6, 0.05


def cue_map(cues: Table, summary: Table) -> tuple[ReportChart, ...]:
    if not cues.rows:
        return ()
    rows = to_records(cues)
    x, y = _map_axes()
    splits = splits_of(rows)
    layers = [
        *_chance_band(chance_funnel(rows, to_records(summary)), x, y),
        *_cue_dots(x, y, _kinds_of(rows)),
        *_cue_labels(rows, x, y),
    ]
    limits = {split: split_limits._asdict() for split, split_limits in axis_limits(rows).items()}
    params = selected_split(splits), alt.param(name="ends", value=limits)
    chart = alt.layer(*layers).properties(height=PLOT_HEIGHT).add_params(*params)
    description = "Coverage against productivity of every cue, with chance level"
    spec = to_spec(chart, description)
    return (ReportChart("Cue map", _build_caption(rows), {"": spec}, "cues", splits),)


def _build_caption(rows: list[dict[str, Any]]) -> str:
    """Explain the lines and the colours that occur."""
    chances = [row["chance"] for row in rows]
    is_same = max(chances) - min(chances) < 1e-9
    caption = CAPTION.format(chance="chance" if is_same else "mean chance")
    notes = [note for kind, note in FLAG_NOTES.items() if kind in _kinds_of(rows)]
    return caption + ("".join([*notes, FLAGGED_NOTE]) if notes else UNFLAGGED_NOTE)


def _kinds_of(rows: list[dict[str, Any]]) -> list[str]:
    """List the kinds of cues that occur, in the order of the legend."""
    flags = {row["flag"] for row in rows}
    return [kind for kind in FLAG_COLOURS if kind in flags or kind == "other"]


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


def _cue_dots(x: alt.X, y: alt.Y, kinds: list[str]) -> Iterator[alt.Chart]:
    """Draw all cues, the flagged ones last so that nothing covers them."""
    base = (
        alt.Chart(ROWS)
        .transform_filter(IN_SELECTED_SPLIT)
        .transform_calculate(
            evidence=f"min(-log(max(datum.p, 1e-{MAX_EVIDENCE})) / LN10, {MAX_EVIDENCE})",
            kind="datum.flag ? datum.flag : 'other'",
            right="format(datum.hits, ',') + ' of ' + format(datum.applicability, ',')",
            interval="format(datum.low, '.1%') + ' to ' + format(datum.high, '.1%')",
        )
    )
    size = alt.Size(
        "evidence:Q",
        scale=alt.Scale(domain=[0, MAX_EVIDENCE], range=DOT_AREAS, clamp=True),
        legend=None,
    )
    legend = alt.Legend(title=None, orient="top", symbolSize=90, symbolOpacity=1)
    color = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=kinds, range=[FLAG_COLOURS[kind] for kind in kinds]),
        legend=legend if len(kinds) > 1 else None,
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
    return LabelSpot(i, row["cue"], x, row["productivity"] / limits.y_max, _dot_radius(row["p"]))


def _dot_radius(p: float) -> float:
    """Return the radius of the dot of a cue in pixels."""
    evidence = min(-math.log10(max(p, 10.0**-MAX_EVIDENCE)), MAX_EVIDENCE)
    smallest, largest = DOT_AREAS
    return math.sqrt((smallest + (largest - smallest) * evidence / MAX_EVIDENCE) / math.pi)
