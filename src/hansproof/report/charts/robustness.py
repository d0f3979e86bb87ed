"""Robustness: two dots for every model, before and after the attack, joined by what it lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from . import ON_SHOW, ROWS, Chart, chance_rule, tips
from .colours import INK, RED
from .dots import Layers, along, best_first, dots, down, on, plotted, rings

LINE = 40  # room for what stands above the line
CAPTION = (
    "Accuracy before the attack (filled) and after it (ring), and between them how many points "
    "were lost to words exchanged for synonyms. The pale bar says how far that may be off, "
    "with 95 % confidence. As far as the new words mean the same, a model that goes by meaning "
    "stays where it is."
)
CHANCE = " Dashed: chance."

Rows = list[dict[str, Any]]


def attacks(table: Table, chances: Mapping[str, float]) -> tuple[Chart, ...]:
    """A line for each model; `chances` are those that are known, by split."""
    rows = records(table)
    if not rows:
        return ()
    return plotted(
        "Before and after the attack",
        CAPTION + (CHANCE if chances else ""),
        _layers(rows, chances),
        rows,
        "Accuracy of every model before and after words were exchanged for synonyms",
        "attacks",
        LINE,
    )


def _layers(rows: Rows, chances: Mapping[str, float]) -> Layers:
    """Accuracy from left to right, the best before the attack on top."""
    shown = (
        alt.Chart(ROWS)
        .transform_filter(ON_SHOW)
        .transform_calculate(
            # the interval of the difference, moved to where the ring is
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
    x = along("accuracy", _ends(rows, chances))
    y = down("model", best_first("before"))
    about = _about()
    bounded = shown.transform_filter("datum.interval !== 'none'")
    spread = bounded.mark_bar(height=8, color=RED, opacity=0.22, aria=False)
    line = shown.mark_rule(strokeWidth=2, color=INK, aria=False)
    lost = shown.mark_text(dy=-11, fontSize=11.5, color=INK, aria=False)
    return alt.layer(
        *_chance(chances, x),
        spread.encode(x=on(x, "low:Q"), x2="high:Q", y=y),
        line.encode(x=on(x, "before:Q"), x2="after:Q", y=y),
        lost.encode(x=on(x, "middle:Q"), y=y, text="lost:N"),
        dots(shown, on(x, "before:Q"), y, about, alt.value(INK)),
        rings(shown, on(x, "after:Q"), y, about, alt.value(RED)),
    )


def _about() -> list[alt.Tooltip]:
    about = [alt.Tooltip("model:N"), *tips(before=".1%", after=".1%")]
    about += [alt.Tooltip("lost:N", title="difference")]
    about += [alt.Tooltip("interval:N", title="95 % interval"), *tips(drop=".1%", n=",")]
    about += tips(attacked=",", flipped=",", queries=",.1f", words=".2f", similarity=".3f")
    return about


def _ends(rows: Rows, chances: Mapping[str, float]) -> list[float]:
    """Wherever something is drawn."""
    ends = [row[name] for row in rows for name in ("before", "after")] + [*chances.values()]
    for name in ("difference_low", "difference_high"):
        moved = (row["before"] + row[name] for row in rows if row[name] is not None)
        ends += [min(max(end, 0), 1) for end in moved]
    return ends


def _chance(chances: Mapping[str, float], x: alt.X) -> list[alt.Chart]:
    values = [{"split": split, "chance": chance} for split, chance in chances.items()]
    base = alt.Chart(alt.InlineData(values=values)).transform_filter(ON_SHOW)
    return [chance_rule(base).encode(x=on(x, "chance:Q"))] if values else []
