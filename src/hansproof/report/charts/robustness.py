"""Robustness: two joined dots per model, its accuracy before and after the attack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from ...types import Table
from ..html.tables import to_records
from . import IN_SELECTED_SPLIT, ROWS, ReportChart, chance_rule, tooltips
from ._dot_plot import (
    LayeredChart,
    best_first,
    dot_plot,
    filled_dots,
    hollow_dots,
    name_axis,
    with_field,
    x_axis,
)
from ._theme import BLUE, INK

ROW_HEIGHT = 40  # with room for the text above the line
CAPTION = (
    "Accuracy before the attack (filled) and after it (ring), and the points lost when words are "
    "exchanged for synonyms. Pale bar: the 95% interval of the loss. A model that goes by meaning "
    "would lose nothing, as far as the new words mean the same."
)
CHANCE_NOTE = " Dashed: chance."

AttackRecords = list[dict[str, Any]]


def attack_charts(table: Table, chances: Mapping[str, float]) -> tuple[ReportChart, ...]:
    """Draw a line for each model; `chances` maps splits to known chance levels."""
    rows = to_records(table)
    if not rows:
        return ()
    return dot_plot(
        "Before and after the attack",
        CAPTION + (CHANCE_NOTE if chances else ""),
        _attack_layers(rows, chances),
        rows,
        "Accuracy of every model before and after words were exchanged for synonyms",
        "attacks",
        ROW_HEIGHT,
    )


def _attack_layers(rows: AttackRecords, chances: Mapping[str, float]) -> LayeredChart:
    """Draw accuracies on the x axis, the model that was best before the attack on top."""
    base = (
        alt.Chart(ROWS)
        .transform_filter(IN_SELECTED_SPLIT)
        .transform_calculate(
            # the interval of the difference, shifted to the ring
            low="max(datum.before + datum.difference_low, 0)",
            high="min(datum.before + datum.difference_high, 1)",
            middle="(datum.before + datum.after) / 2",
            lost="(datum.difference > 0 ? '+' : '−') "
            "+ format(abs(100 * datum.difference), '.1f') + ' points'",
            ends="format(100 * datum.difference_low, '+.1f') + ' to ' "
            "+ format(100 * datum.difference_high, '+.1f')",
            interval="isValid(datum.difference_low) && isValid(datum.difference_high) "
            "? datum.ends : 'none'",
        )
    )
    x = x_axis("accuracy", _axis_values(rows, chances))
    y = name_axis("model", best_first("before"))
    tooltip = _attack_tooltip()
    with_interval = base.transform_filter("datum.interval !== 'none'")
    interval_bars = with_interval.mark_bar(height=8, color=BLUE, opacity=0.22, aria=False)
    line = base.mark_rule(strokeWidth=2, color=INK, aria=False)
    loss_labels = base.mark_text(dy=-11, fontSize=11.5, color=INK, aria=False)
    return alt.layer(
        *_chance_lines(chances, x),
        interval_bars.encode(x=with_field(x, "low:Q"), x2="high:Q", y=y),
        line.encode(x=with_field(x, "before:Q"), x2="after:Q", y=y),
        loss_labels.encode(x=with_field(x, "middle:Q"), y=y, text="lost:N"),
        filled_dots(base, with_field(x, "before:Q"), y, tooltip, alt.value(INK)),
        hollow_dots(base, with_field(x, "after:Q"), y, tooltip, alt.value(BLUE)),
    )


def _attack_tooltip() -> list[alt.Tooltip]:
    tooltip = [alt.Tooltip("model:N"), *tooltips(before=".1%", after=".1%")]
    tooltip += [alt.Tooltip("lost:N", title="difference")]
    tooltip += [alt.Tooltip("interval:N", title="95% interval"), *tooltips(drop=".1%", n=",")]
    tooltip += tooltips(attacked=",", flipped=",", queries=",.1f", words=".2f", similarity=".3f")
    return tooltip


def _axis_values(rows: AttackRecords, chances: Mapping[str, float]) -> list[float]:
    """Collect all x values that are drawn."""
    values = [row[name] for row in rows for name in ("before", "after")] + [*chances.values()]
    for name in ("difference_low", "difference_high"):
        shifted_ends = (row["before"] + row[name] for row in rows if row[name] is not None)
        values += [min(max(end, 0), 1) for end in shifted_ends]
    return values


def _chance_lines(chances: Mapping[str, float], x: alt.X) -> list[alt.Chart]:
    values = [{"split": split, "chance": chance} for split, chance in chances.items()]
    base = alt.Chart(alt.InlineData(values=values)).transform_filter(IN_SELECTED_SPLIT)
    return [chance_rule(base).encode(x=with_field(x, "chance:Q"))] if values else []
