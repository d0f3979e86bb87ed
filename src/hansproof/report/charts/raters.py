"""Agreement: how often each person is right, and behind them how often their majority is."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from ..visible import visible
from . import ON_SHOW, ROWS, Chart, chance_rule, tips
from .colours import BLUE
from .dots import Layers, along, best_first, dots, down, on, plotted, spans

VOTE = ("vote_accuracy", "vote_low", "vote_high")
BAND = "#d5e0ea"


def raters(table: Table, overall: Table) -> tuple[Chart, ...]:
    rows, votes = records(table), records(overall)
    if not rows:
        return ()
    return plotted(
        "Raters against the key",
        "How often each person gives the answer of the key, with the 95 % interval. Blue: how "
        "often their majority vote does, with its interval. Dashed: chance. Where the vote is no "
        "better than its voters, they err on the same items.",
        _layers(rows, votes),
        rows,
        "Accuracy of every rater and of their vote",
        "raters",
    )


def _layers(rows: list[dict[str, Any]], votes: list[dict[str, Any]]) -> Layers:
    shown = alt.Chart(ROWS).transform_filter(ON_SHOW).transform_calculate(flag="''")
    reach = [row[name] for row in rows for name in ("low", "high", "chance")]
    x = along("accuracy", reach + [vote[name] for vote in votes for name in VOTE])
    y = down("rater", best_first("accuracy"))
    values = [{"split": visible(v["split"]), **{name: v[name] for name in VOTE}} for v in votes]
    vote = alt.Chart(alt.InlineData(values=values)).transform_filter(ON_SHOW)
    about = [alt.Tooltip("rater:N"), *tips(accuracy=".1%", low=".1%", high=".1%")]
    about += tips(chance=".1%", n=",")
    return alt.layer(
        vote.mark_rect(color=BAND, aria=False).encode(x=on(x, "vote_low:Q"), x2="vote_high:Q"),
        vote.mark_rule(color=BLUE, strokeWidth=2).encode(
            x=on(x, "vote_accuracy:Q"),
            tooltip=tips(vote_accuracy=".1%", vote_low=".1%", vote_high=".1%"),
        ),
        chance_rule(shown).encode(x=on(x, "mean(chance):Q")),
        spans(shown, x, y),
        dots(shown, on(x, "accuracy:Q"), y, about),
    )
