"""Surface tells: the accuracy of each over a whole split, with interval, against chance."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from . import ON_SHOW, ROWS, Chart, chance_rule, tips
from .dots import Layers, along, best_first, dots, down, on, plotted, spans


def tells(table: Table) -> tuple[Chart, ...]:
    rows = [row for row in records(table) if not row["slice"]]
    if not rows:
        return ()
    return plotted(
        "Surface tells against chance",
        "How many answers a rule finds that reads no words, with its 95 % interval. Dashed: "
        "chance. Red: survives correction for the number of rules tried.",
        _layers(rows),
        rows,
        "Accuracy of every surface tell with interval, against chance",
        "tells",
    )


def _layers(rows: list[dict[str, Any]]) -> Layers:
    whole = alt.Chart(ROWS).transform_filter(f"datum.slice === '' && {ON_SHOW}")
    x = along("accuracy", (row[name] for row in rows for name in ("low", "high", "chance")))
    y = down("tell", best_first("accuracy"))
    about = [alt.Tooltip("tell:N")]
    about += tips(accuracy=".1%", low=".1%", high=".1%", chance=".1%", n=",", p=".2g", q=".2g")
    return alt.layer(
        chance_rule(whole).encode(x=on(x, "mean(chance):Q")),
        spans(whole, x, y),
        dots(whole, on(x, "accuracy:Q"), y, about),
    )
