"""Accuracy: every system with its interval, against three scores that need no model."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from . import ON_SHOW, ROWS, Chart, tips
from .colours import BLUE, INK, OCHRE
from .dots import Layers, along, best_first, dots, down, on, plotted, spans

BASELINES = {"chance": (INK, [4, 3]), "majority": (BLUE, [1, 3]), "longest": (OCHRE, [8, 3])}


def accuracies(systems: Table) -> tuple[Chart, ...]:
    rows = records(systems)
    if not rows:
        return ()
    return plotted(
        "Accuracy of the systems",
        "How often each system is right, with its 95 % interval, the best on top. Lines: what can "
        "be had by guessing (chance), by always giving the most frequent position (majority) and "
        "by taking the longest choice (longest). Red: cannot be told from the best of these.",
        _layers(rows),
        rows,
        "Accuracy of every system with interval, against baselines",
        "systems",
    )


def _layers(rows: list[dict[str, Any]]) -> Layers:
    shown = alt.Chart(ROWS).transform_filter(ON_SHOW)
    names = ("low", "high", *BASELINES)
    x = along("accuracy", (row[name] for row in rows for name in names))
    y = down("system", best_first("accuracy"))
    about = [alt.Tooltip("system:N"), *tips(accuracy=".1%", low=".1%", high=".1%")]
    about += tips(chance=".1%", majority=".1%", longest=".1%", n=",", runs=",", q=".2g")
    return alt.layer(
        _baselines(shown, x),
        spans(shown, x, y),
        dots(shown, on(x, "accuracy:Q"), y, about),
    )


def _baselines(shown: alt.Chart, x: alt.X) -> alt.Chart:
    kinds = list(BASELINES)
    colours, dashes = (list(looks) for looks in zip(*BASELINES.values(), strict=True))
    legend = alt.Legend(
        title=None,
        orient="top",
        columns=alt.ExprRef("containerSize()[0] < 480 ? 1 : 3"),
        symbolType="stroke",
        symbolStrokeWidth=2,
        symbolSize=300,
    )
    color = alt.Color("baseline:N", scale=alt.Scale(domain=kinds, range=colours), legend=legend)
    dash = alt.StrokeDash("baseline:N", scale=alt.Scale(domain=kinds, range=dashes), legend=legend)
    drawn: alt.Chart = (
        shown.transform_fold([*BASELINES], as_=["baseline", "share"])
        .mark_rule(strokeWidth=1.5, aria=False)
        .encode(x=on(x, "mean(share):Q"), color=color, strokeDash=dash)
    )
    return drawn
