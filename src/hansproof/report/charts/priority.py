"""Priority: remaining cue strength by the number of mirrored items, in order and at random."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from ...probes.priority.curve import NULL, PRIORITY, RANDOM, SIGNIFICANT, cells_with_mark
from ...types import Table
from ..html.tables import to_records
from . import PERCENT, ROWS, ReportChart, chance_rule, to_spec, tooltips
from ._theme import BLUE, FAINT, OCHRE

HEIGHT = 260
WAY_COLOURS = {PRIORITY: BLUE, RANDOM: OCHRE}
# by target: how captions name a cue, and the model that sees only the choices
TARGET_WORDS = {
    "cues": {
        "cue": "cue", "cues": "cues",
        "blind_model": "a bag of words that is shown only the choices",
    },
    "rules": {
        "cue": "rule", "cues": "rules",
        "blind_model": "a model that sees only features of the choices (shortcuts)",
    },
}  # fmt: skip
STRENGTH_CAPTION = (
    "Strength of all {cues} together, as a multiple of its mean under chance. Grey: 95% of chance. "
    "Blue: items mirrored in the order of the table. Ochre: random orders, their mean, lowest and "
    "highest. Dotted: the number of items after which every strength is inside its grey band; the "
    "blue order keeps it there."
)
REMAINING_CAPTION = (
    "Left: accuracy of {blind_model}, over all items and the partners of mirrored ones (blue: with "
    "its 95% interval; ochre: random orders, from the lowest to the highest). Right: number of "
    "{cues} that are significant after correction. Dashed: chance."
)


def priority_charts(
    curve: Table, remaining: Table, words: Mapping[str, str]
) -> tuple[ReportChart, ...]:
    """Draw strength by n-gram order, then the accuracy of a blind model and significant cues.

    `words` are those of the target, for captions.
    """
    orders = sorted({row["order"] for row in to_records(curve)})
    if len({row["mirrored"] for row in to_records(curve)}) < 2:
        return ()
    # a layer without rows would have no scale
    marks = {row["mark"] for row in to_records(curve)}
    has_null = not marks.isdisjoint(cells_with_mark(NULL))
    has_significant = not marks.isdisjoint(cells_with_mark(SIGNIFICANT))
    cues = words["cues"]
    labels = {order: "rules" if cues == "rules" else _ngram_label(order) for order in orders}
    panes = {label: _strength_spec(order, label, has_null) for order, label in labels.items()}
    remaining_panes = {
        "answered from the choices alone": _blind_accuracy_spec(),
        f"significant {cues}": _significant_cues_spec(cues, has_significant),
    }
    return (
        ReportChart(
            f"How fast the {cues} lose their strength",
            STRENGTH_CAPTION.format(**words),
            panes,
            "curve",
            uneven=True,
        ),
        ReportChart(
            "What is left to be seen",
            REMAINING_CAPTION.format(**words),
            remaining_panes,
            "left",
            uneven=True,
        ),
    )


def _ngram_label(order: int) -> str:
    return "single words" if order == 1 else f"phrases of {order} words"


def _strength_spec(order: int, label: str, has_mark: bool) -> dict[str, Any]:
    base = alt.Chart(ROWS).transform_filter(f"datum.order === {order}")
    scale = alt.Scale(zero=False, nice=False)
    y = alt.Y("ratio:Q", title="strength / chance", scale=scale)
    band = base.transform_filter(f"datum.way === '{PRIORITY}'").mark_area(color=FAINT, opacity=0.35)
    tooltip = tooltips(
        mirrored=",", ratio=".3f", ratio_low=".3f", ratio_high=".3f", band_high=".3f"
    )
    layers = alt.layer(
        band.encode(
            x=_mirrored_axis(), y=alt.Y("band_low:Q", title="", scale=scale), y2="band_high:Q"
        ),
        _spread_area(base, "ratio_low", "ratio_high", scale),
        *(_target_marks(base, NULL) if has_mark else ()),
        _way_lines(base, y, tooltip),
    )
    return to_spec(layers.properties(height=HEIGHT), f"Strength left of {label}")


def _blind_accuracy_spec() -> dict[str, Any]:
    base = alt.Chart(ROWS)
    scale = alt.Scale(zero=False)
    axis = alt.Axis(format=PERCENT)
    y = alt.Y("accuracy:Q", title="accuracy", scale=scale, axis=axis)
    tooltip = tooltips(mirrored=",", accuracy=".1%", low=".1%", high=".1%", chance=".1%")
    layers = alt.layer(
        _spread_area(base, "low", "high", scale, axis),
        chance_rule(base).encode(y=alt.Y("mean(chance):Q", title="", scale=scale)),
        _way_lines(base, y, tooltip),
    )
    return to_spec(layers.properties(height=HEIGHT), "Accuracy of a blind model")


def _significant_cues_spec(cues: str, has_mark: bool) -> dict[str, Any]:
    base = alt.Chart(ROWS)
    y = alt.Y("significant:Q", title=cues, axis=alt.Axis(tickMinStep=1))
    tooltip = [*tooltips(mirrored=",", significant=".3~g"), alt.Tooltip("strongest:N")]
    mark = _target_marks(base, SIGNIFICANT) if has_mark else ()
    layers = alt.layer(*mark, _way_lines(base, y, tooltip))
    return to_spec(layers.properties(height=HEIGHT), f"Number of significant {cues}")


def _target_marks(base: alt.Chart, target: str) -> tuple[alt.Chart, alt.Chart]:
    """Mark where the order reaches its target, and after how many items."""
    cells = cells_with_mark(target)
    condition = f"datum.way === '{PRIORITY}' && indexof({cells}, datum.mark) >= 0"
    reached = base.transform_filter(condition)
    rule = reached.mark_rule(color=BLUE, strokeDash=[2, 2]).encode(x=_mirrored_axis())
    label = reached.mark_text(align="left", dx=4, y=8, color=BLUE, fontSize=12)
    return rule, label.encode(x=_mirrored_axis(), text=alt.Text("mirrored:Q", format=",d"))


def _mirrored_axis() -> alt.X:
    return alt.X(
        "mirrored:Q",
        title="items mirrored",
        axis=alt.Axis(format=",d", labelFlush=True, tickCount=4),
    )


def _way_colour() -> alt.Color:
    legend = alt.Legend(
        title=None, orient="top", symbolType="stroke", symbolStrokeWidth=2, symbolOpacity=1
    )
    scale = alt.Scale(domain=[*WAY_COLOURS], range=[*WAY_COLOURS.values()])
    return alt.Color("way:N", scale=scale, legend=legend)


def _spread_area(
    base: alt.Chart, low: str, high: str, scale: alt.Scale, axis: alt.Axis | None = None
) -> alt.Chart:
    y = alt.Y(f"{low}:Q", title="", scale=scale)
    area: alt.Chart = base.mark_area(opacity=0.18).encode(
        x=_mirrored_axis(),
        y=y if axis is None else y.axis(axis),
        y2=f"{high}:Q",
        color=_way_colour(),
    )
    return area


def _way_lines(base: alt.Chart, y: alt.Y, tooltip: list[alt.Tooltip]) -> alt.Chart:
    lines: alt.Chart = base.mark_line(point=alt.OverlayMarkDef(size=28)).encode(
        x=_mirrored_axis(), y=y, color=_way_colour(), tooltip=[alt.Tooltip("way:N"), *tooltip]
    )
    return lines
