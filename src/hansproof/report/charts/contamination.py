"""Contamination: the number of items at each level, one pane per split."""

from __future__ import annotations

from collections import Counter
from typing import Any

import altair as alt

from ...contamination.levels import ANSWER, CLEAN, COMMON, MATCH, NEAR, SHORT
from ...types import Table
from ..escape import reveal_hidden
from ..html.tables import to_records
from . import PERCENT, ROWS, ReportChart, splits_of, to_spec, tooltips
from ._theme import BLUE, FAINT, INK, OCHRE, RED, SAND, VIOLET

# from the surest level to the least sure
LEVEL_COLOURS = {
    ANSWER: RED, MATCH: OCHRE, NEAR: VIOLET, COMMON: FAINT, SHORT: SAND, CLEAN: BLUE,
}  # fmt: skip
ROW_HEIGHT = 30
X_MAX_EXPRESSION = "{} * (1 + 50 / max(width - 50, 50))"  # room for numbers after the bars
TICK_STEPS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
IS_TWO_LINES = "indexof(datum.value, ' or ') > 0"  # a label of two lines
CAPTION = (
    "Share of items by what was found of them in the text. Only matches count as contaminated "
    "(dirty). Items that are too short to be searched for count as neither dirty nor clean."
)


def contamination_charts(table: Table) -> tuple[ReportChart, ...]:
    """Draw a bar for each level."""
    rows = to_records(table)
    if not rows:
        return ()
    top = max(row["share"] for row in rows)
    levels_per_split = Counter(reveal_hidden(row["split"]) for row in rows)
    panes = {split: _split_spec(split, top, levels_per_split[split]) for split in splits_of(rows)}
    return (ReportChart("What was found of the items", CAPTION, panes, "levels", wide=True),)


def _split_spec(split: str, top: float, n_levels: int) -> dict[str, Any]:
    base = alt.Chart(ROWS).transform_filter(alt.FieldEqualPredicate(field="split", equal=split))
    y = alt.Y("level:N", title=None, sort=[*LEVEL_COLOURS], axis=_level_axis())
    x = alt.X(
        "share:Q",
        title="share of items",
        scale=alt.Scale(domain=[0, alt.ExprRef(X_MAX_EXPRESSION.format(top))], nice=False),
        axis=alt.Axis(format=PERCENT, values=_share_ticks(top), labelOverlap="parity"),
    )
    colour = alt.Color(
        "level:N",
        legend=None,
        scale=alt.Scale(domain=[*LEVEL_COLOURS], range=[*LEVEL_COLOURS.values()]),
    )
    bars = base.mark_bar(height=16).encode(x=x, y=y, color=colour, tooltip=_level_tooltip())
    counts = base.mark_text(align="left", dx=5, fontSize=12, color=INK).encode(
        x=x, y=y, text=alt.Text("items:Q", format=",")
    )
    chart = alt.layer(bars, counts).properties(height=ROW_HEIGHT * n_levels)
    return to_spec(chart, f"How many items of {split} are of each level")


def _share_ticks(top: float) -> list[float]:
    """Compute ticks up to the longest bar: the scale extends beyond it, but shares do not."""
    step = next((s for s in TICK_STEPS if top <= 5 * s), TICK_STEPS[-1])
    return [round(i * step, 3) for i in range(int(top / step) + 1)]


def _level_axis() -> alt.Axis:
    """Build the axis of levels, long labels in two lines so that bars have room on a phone."""
    return alt.Axis(
        labelExpr="split(replace(datum.label, ' or ', '\\nor '), '\\n')",
        labelLineHeight=13,
        labelOffset={"condition": {"test": IS_TWO_LINES, "value": -6.5}, "value": 0},
    )


def _level_tooltip() -> list[alt.Tooltip]:
    return [alt.Tooltip("level:N"), *tooltips(items=",", share=".2%")]
