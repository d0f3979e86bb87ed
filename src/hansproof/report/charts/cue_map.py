"""The cue map: how many items a cue reaches against how often it is right, one dot per cue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from . import ON_SHOW, PERCENT, ROWS, Chart, chance_rule, finished, on_show, splits_of, tips
from .colours import BLUE, FAINT, INK, RED
from .funnel import funnel
from .labels import spread_out
from .reach import Reach, reaches

FLAGS = {"telling": RED, "eliminating": BLUE, "other": FAINT}
CAPTION = (
    "Every dot is a word or phrase: how many items it reaches (coverage), and how often the choice "
    "that has it is right (productivity). The larger the dot, the stronger the evidence. Dots in "
    "the grey funnel are as chance would have them; one harmless cue in twenty falls outside. "
)
FLAGGED = "Coloured dots survive correction for all the cues tested: click one to read its items."
UNFLAGGED = "No dot survives correction for all the cues tested."


def cue_map(cues: Table, summary: Table) -> tuple[Chart, ...]:
    if not cues.rows:
        return ()
    rows = records(cues)
    x, y = _axes()
    splits = splits_of(rows)
    layers = [*_band(funnel(rows, records(summary)), x, y), *_dots(x, y), _names(rows, x, y)]
    ends = {split: reach._asdict() for split, reach in reaches(rows).items()}
    params = on_show(splits), alt.param(name="ends", value=ends)
    chart = alt.layer(*layers).properties(height=430).add_params(*params)
    description = "Coverage against productivity of every cue, with chance level"
    caption = CAPTION + (FLAGGED if any(row["flag"] for row in rows) else UNFLAGGED)
    return (Chart("Cue map", caption, {"": finished(chart, description)}, "cues", splits),)


def _axes() -> tuple[alt.X, alt.Y]:
    """As far as the split on show needs them."""
    left, right, top = (alt.ExprRef(f"ends[split].{end}") for end in Reach._fields)
    x = alt.X(
        "coverage:Q",
        title="coverage (log scale)",
        scale=alt.Scale(type="log", domain=[left, right], nice=False),
        axis=alt.Axis(
            values=[1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1], format=PERCENT, grid=False
        ),
    )
    y = alt.Y(
        "productivity:Q",
        title="productivity",
        scale=alt.Scale(domain=[0, top], nice=False),
        axis=alt.Axis(format=PERCENT, tickCount=5),
    )
    return x, y


def _band(points: list[dict[str, Any]], x: alt.X, y: alt.Y) -> Iterator[alt.Chart]:
    """The funnel of harmless cues and, through its middle, chance."""
    base = alt.Chart(alt.InlineData(values=points)).transform_filter(ON_SHOW)
    band = base.mark_area(color="#e3ddcf", opacity=0.7, interpolate="monotone", clip=True)
    yield band.encode(x=x, y=y, y2="high:Q")
    yield chance_rule(base).encode(y=alt.Y("mean(chance):Q"))


def _dots(x: alt.X, y: alt.Y) -> Iterator[alt.Chart]:
    """All cues, the flagged ones drawn last so that nothing covers them."""
    shown = (
        alt.Chart(ROWS)
        .transform_filter(ON_SHOW)
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
        scale=alt.Scale(domain=list(FLAGS), range=list(FLAGS.values())),
        legend=alt.Legend(title=None, orient="top", symbolSize=90, symbolOpacity=1),
    )
    about = [alt.Tooltip("cue:N"), alt.Tooltip("kind:N", title="flag"), alt.Tooltip("right:N")]
    about += [*tips(productivity=".1%"), alt.Tooltip("interval:N", title="95 % interval")]
    about += tips(chance=".1%", coverage=".2%", p=".2g", q=".2g")
    # a thousand descriptions are no help to anybody who has the table read out
    plain = shown.transform_filter("!datum.flag").mark_circle(opacity=0.45, aria=False)
    flagged = shown.transform_filter("datum.flag").mark_circle(opacity=0.85, cursor="pointer")
    for dots in (plain, flagged):
        yield dots.encode(x=x, y=y, size=size, color=color, tooltip=about)


def _names(rows: list[dict[str, Any]], x: alt.X, y: alt.Y) -> alt.Chart:
    """The strongest cues by name, where there is room for names."""
    names: alt.Chart = (
        alt.Chart(ROWS)
        .transform_filter(alt.FieldOneOfPredicate("row", spread_out(rows)))
        .transform_filter(ON_SHOW)
        .mark_text(
            align="left",
            dx=10,
            fontSize=12,
            fontWeight=600,
            color=INK,
            opacity=alt.ExprRef("width < 480 ? 0 : 1"),
        )
        .encode(x=x, y=y, text="cue:N")
    )
    return names
