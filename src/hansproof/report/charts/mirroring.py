"""Mirroring: what is left of the cues when so many items are mirrored, in order and at random."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from . import PERCENT, ROWS, Chart, chance_rule, finished, tips
from .colours import BLUE, FAINT, RED

HEIGHT = 260
WAYS = {"priority": RED, "random": BLUE}
STRENGTH = (
    "Strength of all cues together, as a multiple of what chance gives on average; the grey band "
    "holds 95 % of chance. Red: items mirrored in the order of the table. Blue: in random orders, "
    "their mean, lowest and highest. Dotted: so many items bring all strengths inside their "
    "bands. From there the red order keeps them inside: below the band, what is left would tell "
    "answers by being wrong too often."
)
LEFT = (
    "What a bag of words that sees only the choices answers of all items, mirrored ones with their "
    "partners (red: with its 95 % interval; blue: random orders, from the lowest to the highest); "
    "and how many single cues are significant after correction. Dashed: chance."
)


def mirroring(curve: Table, left: Table) -> tuple[Chart, ...]:
    """Strength by order of n-grams; then what a blind model answers and single cues."""
    orders = sorted({row["order"] for row in records(curve)})
    if len({row["mirrored"] for row in records(curve)}) < 2:
        return ()
    marks = " ".join(row["mark"] for row in records(curve))  # a layer without rows has no scale
    panes = {_words(order): _strength(order, "null" in marks) for order in orders}
    rest = {
        "answered from the choices alone": _blind(),
        "significant cues": _significant("significant" in marks),
    }
    return (
        Chart("How fast the cues lose their strength", STRENGTH, panes, "curve", uneven=True),
        Chart("What is left to be seen", LEFT, rest, "left", uneven=True),
    )


def _words(order: int) -> str:
    return "single words" if order == 1 else f"phrases of {order} words"


def _strength(order: int, marked: bool) -> dict[str, Any]:
    shown = alt.Chart(ROWS).transform_filter(f"datum.order === {order}")
    scale = alt.Scale(zero=False, nice=False)
    y = alt.Y("ratio:Q", title="strength / chance", scale=scale)
    band = shown.transform_filter("datum.way === 'priority'").mark_area(color=FAINT, opacity=0.35)
    about = tips(mirrored=",", ratio=".3f", ratio_low=".3f", ratio_high=".3f", band_high=".3f")
    layers = alt.layer(
        band.encode(x=_x(), y=alt.Y("band_low:Q", title="", scale=scale), y2="band_high:Q"),
        _spread(shown, "ratio_low", "ratio_high", scale),
        *(_mark(shown, "null") if marked else ()),
        _lines(shown, y, about),
    )
    return finished(layers.properties(height=HEIGHT), f"Strength left of {_words(order)}")


def _blind() -> dict[str, Any]:
    shown = alt.Chart(ROWS)
    scale = alt.Scale(zero=False)
    axis = alt.Axis(format=PERCENT)
    y = alt.Y("accuracy:Q", title="accuracy", scale=scale, axis=axis)
    about = tips(mirrored=",", accuracy=".1%", low=".1%", high=".1%", chance=".1%")
    layers = alt.layer(
        _spread(shown, "low", "high", scale, axis),
        chance_rule(shown).encode(y=alt.Y("mean(chance):Q", title="", scale=scale)),
        _lines(shown, y, about),
    )
    return finished(layers.properties(height=HEIGHT), "Accuracy of a blind model")


def _significant(marked: bool) -> dict[str, Any]:
    shown = alt.Chart(ROWS)
    y = alt.Y("significant:Q", title="cues", axis=alt.Axis(tickMinStep=1))
    about = [*tips(mirrored=",", significant=".3~g"), alt.Tooltip("strongest:N")]
    mark = _mark(shown, "significant") if marked else ()
    layers = alt.layer(*mark, _lines(shown, y, about))
    return finished(layers.properties(height=HEIGHT), "Number of significant cues")


def _mark(shown: alt.Chart, until: str) -> tuple[alt.Chart, alt.Chart]:
    """Where the order reaches what it aims at, and after how many items."""
    there = f"datum.way === 'priority' && indexof(datum.mark, '{until}') >= 0"
    at = shown.transform_filter(there)
    rule = at.mark_rule(color=RED, strokeDash=[2, 2]).encode(x=_x())
    many = at.mark_text(align="left", dx=4, y=8, color=RED, fontSize=12)
    return rule, many.encode(x=_x(), text=alt.Text("mirrored:Q", format=",d"))


def _x() -> alt.X:
    return alt.X(
        "mirrored:Q",
        title="items mirrored",
        axis=alt.Axis(format=",d", labelFlush=True, tickCount=4),
    )


def _colour() -> alt.Color:
    legend = alt.Legend(
        title=None, orient="top", symbolType="stroke", symbolStrokeWidth=2, symbolOpacity=1
    )
    scale = alt.Scale(domain=[*WAYS], range=[*WAYS.values()])
    return alt.Color("way:N", scale=scale, legend=legend)


def _spread(
    shown: alt.Chart, low: str, high: str, scale: alt.Scale, axis: alt.Axis | None = None
) -> alt.Chart:
    y = alt.Y(f"{low}:Q", title="", scale=scale)
    drawn: alt.Chart = shown.mark_area(opacity=0.18).encode(
        x=_x(), y=y if axis is None else y.axis(axis), y2=f"{high}:Q", color=_colour()
    )
    return drawn


def _lines(shown: alt.Chart, y: alt.Y, about: list[alt.Tooltip]) -> alt.Chart:
    drawn: alt.Chart = shown.mark_line(point=alt.OverlayMarkDef(size=28)).encode(
        x=_x(), y=y, color=_colour(), tooltip=[alt.Tooltip("way:N"), *about]
    )
    return drawn
