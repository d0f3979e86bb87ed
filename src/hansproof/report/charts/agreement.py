"""Agreement: the accuracy of each rater, and behind them that of their majority vote."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..escape import reveal_hidden
from ..html.tables import to_records
from . import IN_SELECTED_SPLIT, ROWS, ReportChart, chance_rule, tooltips
from ._dot_plot import (
    LayeredChart,
    best_first,
    dot_plot,
    filled_dots,
    interval_lines,
    name_axis,
    with_field,
    x_axis,
)
from ._theme import BLUE, VOTE_BAND

VOTE_COLUMNS = ("vote_accuracy", "vote_low", "vote_high")


def rater_charts(table: Table, overall: Table) -> tuple[ReportChart, ...]:
    rows, votes = to_records(table), to_records(overall)
    if not rows:
        return ()
    return dot_plot(
        "Raters against the key",
        "How often each person gives the answer of the key, with the 95% interval. Blue: the "
        "majority vote, with its interval. Dashed: chance. If the vote is no better than single "
        "people, they make the same mistakes.",
        _rater_layers(rows, votes),
        rows,
        "Accuracy of every rater and of their vote",
        "raters",
    )


def _rater_layers(rows: list[dict[str, Any]], votes: list[dict[str, Any]]) -> LayeredChart:
    base = alt.Chart(ROWS).transform_filter(IN_SELECTED_SPLIT).transform_calculate(flag="''")
    rater_values = [row[name] for row in rows for name in ("low", "high", "chance")]
    x = x_axis("accuracy", rater_values + [vote[name] for vote in votes for name in VOTE_COLUMNS])
    y = name_axis("rater", best_first("accuracy"))
    values = [
        {"split": reveal_hidden(v["split"]), **{name: v[name] for name in VOTE_COLUMNS}}
        for v in votes
    ]
    vote_base = alt.Chart(alt.InlineData(values=values)).transform_filter(IN_SELECTED_SPLIT)
    tooltip = [alt.Tooltip("rater:N"), *tooltips(accuracy=".1%", low=".1%", high=".1%")]
    tooltip += tooltips(chance=".1%", n=",")
    return alt.layer(
        vote_base.mark_rect(color=VOTE_BAND, aria=False).encode(
            x=with_field(x, "vote_low:Q"), x2="vote_high:Q"
        ),
        vote_base.mark_rule(color=BLUE, strokeWidth=2).encode(
            x=with_field(x, "vote_accuracy:Q"),
            tooltip=tooltips(vote_accuracy=".1%", vote_low=".1%", vote_high=".1%"),
        ),
        chance_rule(base).encode(x=with_field(x, "mean(chance):Q")),
        interval_lines(base, x, y),
        filled_dots(base, with_field(x, "accuracy:Q"), y, tooltip),
    )
