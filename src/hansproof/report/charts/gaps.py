"""Easy and Hard: two dots for every system, joined, a pane for every way to choose Easy."""

from __future__ import annotations

from collections import Counter
from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from ..visible import visible
from . import ROWS, Chart, chance_rule, finished, splits_of, tips
from .dots import COLOUR, Layers, along, best_first, dots, down, on, rings, row_height

CONTROLS = "['other model', 'cross-validated']"  # only these tell reliance from selection
CAPTION = (
    "Accuracy of each system on Easy (filled) and on Hard (ring), in the order of accuracy on both "
    "together. Red: the gap is beyond chance. A long line suggests that the score comes from items "
    "that can be answered without the question. Yet a model does well on the items it chose "
    "itself: only a gap whose Easy comes from another model, or from rules that were "
    "cross-validated (solid line), tells reliance from mere selection; others are dotted. "
    "Dashed: chance."
)

Rows = list[dict[str, Any]]


def gaps(table: Table, sets: Table) -> tuple[Chart, ...]:
    """A picture for every split: each has its own ways to choose Easy."""
    rows = [row | {"split": visible(row["split"])} for row in records(table)]
    chances = {visible(row["split"]): row["chance"] for row in records(sets)}
    return tuple(
        Chart(
            f"Easy and Hard: {split}",
            "Read as above." if at else CAPTION,
            _panes(split, [row for row in rows if row["split"] == split], chances.get(split)),
            "gaps",
            wide=True,
        )
        for at, split in enumerate(splits_of(rows))
    )


def _panes(split: str, rows: Rows, chance: float | None) -> dict[str, dict[str, Any]]:
    together: dict[str, Rows] = {}
    for row in rows:
        together.setdefault(visible(row["easy_from"]), []).append(row)
    known = [] if chance is None else [chance]
    x = along("accuracy", [row[part] for row in rows for part in ("easy", "hard")] + known)
    return {
        _label(source, some): finished(
            _pane(split, source, x, known).properties(height=row_height(len(some)) * len(some)),
            f"Accuracy on Easy and Hard in {split}, Easy from {source}",
        )
        for source, some in together.items()
    }


def _label(source: str, rows: Rows) -> str:
    """Where Easy is from, and what that is to the systems, most of them first."""
    relations = Counter(visible(row["relation"]) for row in rows).most_common()
    more = ", ".join(relation for relation, _ in relations if relation != source)
    return f"Easy from {source} ({more})" if more else f"Easy from {source}"


def _pane(split: str, source: str, x: alt.X, chance: list[float]) -> Layers:
    shown = (
        alt.Chart(ROWS)
        .transform_filter(alt.FieldEqualPredicate(field="split", equal=split))
        .transform_filter(alt.FieldEqualPredicate(field="easy_from", equal=source))
        .transform_calculate(
            # the same whatever is called Easy, so all panes have one order
            both="(datum.easy * datum.n_easy + datum.hard * datum.n_hard)"
            " / (datum.n_easy + datum.n_hard)",
            dash=f"indexof({CONTROLS}, datum.relation) < 0 ? 'selection' : 'control'",
        )
    )
    y = down("system", best_first("both"))
    about = [alt.Tooltip("system:N"), alt.Tooltip("relation:N"), alt.Tooltip("flag:N")]
    about += tips(easy=".1%", hard=".1%", gap="+.1%", low="+.1%", high="+.1%", q=".2g")
    about += tips(n_easy=",", n_hard=",", runs=",")
    dash = alt.StrokeDash(
        "dash:N",
        legend=None,
        scale=alt.Scale(domain=["control", "selection"], range=[[1, 0], [2, 3]]),
    )
    line = shown.mark_rule(strokeWidth=2, aria=False)
    at_chance = chance_rule(alt.Chart(alt.InlineData(values=[{"chance": c} for c in chance])))
    return alt.layer(
        at_chance.encode(x=on(x, "chance:Q")),
        line.encode(x=on(x, "easy:Q"), x2="hard:Q", y=y, color=COLOUR, strokeDash=dash),
        rings(shown, on(x, "hard:Q"), y, about),
        dots(shown, on(x, "easy:Q"), y, about),
    )
