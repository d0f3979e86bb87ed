"""Contamination: how many items are of each level, a chart per split."""

from __future__ import annotations

from collections import Counter
from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from ..visible import visible
from . import PERCENT, ROWS, Chart, finished, splits_of, tips
from .colours import BLUE, FAINT, INK, OCHRE, RED

# surest first
COLOURS = {
    "match with answer": RED, "match": OCHRE, "near-duplicate": "#7d5a9e",
    "likely template or common phrase": FAINT, "unsearchable": "#d8d2c4", "clean": BLUE,
}  # fmt: skip
LINE = 30
ROOM = "{} * (1 + 50 / max(width - 50, 50))"  # for the number behind the longest bar
STEPS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
SEVERAL = "indexof(datum.value, ' or ') > 0"  # a level that takes two lines
CAPTION = (
    "Share of items by what was found of them in the text. Only matches count as dirty; what "
    "could not be searched for is neither dirty nor clean."
)


def levels(table: Table) -> tuple[Chart, ...]:
    """A bar for each level."""
    rows = records(table)
    if not rows:
        return ()
    top = max(row["share"] for row in rows)
    lines = Counter(visible(row["split"]) for row in rows)
    panes = {split: _of_split(split, top, lines[split]) for split in splits_of(rows)}
    return (Chart("What was found of the items", CAPTION, panes, "levels", wide=True),)


def _of_split(split: str, top: float, lines: int) -> dict[str, Any]:
    base = alt.Chart(ROWS).transform_filter(alt.FieldEqualPredicate(field="split", equal=split))
    y = alt.Y("level:N", title=None, sort=[*COLOURS], axis=_names())
    x = alt.X(
        "share:Q",
        title="share of items",
        scale=alt.Scale(domain=[0, alt.ExprRef(ROOM.format(top))], nice=False),
        axis=alt.Axis(format=PERCENT, values=_ticks(top), labelOverlap="parity"),
    )
    colour = alt.Color(
        "level:N",
        legend=None,
        scale=alt.Scale(domain=[*COLOURS], range=[*COLOURS.values()]),
    )
    bars = base.mark_bar(height=16).encode(x=x, y=y, color=colour, tooltip=_about())
    said = base.mark_text(align="left", dx=5, fontSize=12, color=INK).encode(
        x=x, y=y, text=alt.Text("items:Q", format=",")
    )
    chart = alt.layer(bars, said).properties(height=LINE * lines)
    return finished(chart, f"How many items of {split} are of each level")


def _ticks(top: float) -> list[float]:
    """Up to the longest bar: the scale goes further, and there is no share beyond 100 %."""
    step = next((s for s in STEPS if top <= 5 * s), STEPS[-1])
    return [round(at * step, 3) for at in range(int(top / step) + 1)]


def _names() -> alt.Axis:
    """The longest in two lines, so that a phone has room for bars."""
    return alt.Axis(
        labelExpr="split(replace(datum.label, ' or ', '\\nor '), '\\n')",
        labelLineHeight=13,
        labelOffset={"condition": {"test": SEVERAL, "value": -6.5}, "value": 0},
    )


def _about() -> list[alt.Tooltip]:
    return [alt.Tooltip("level:N"), *tips(items=",", share=".2%")]
