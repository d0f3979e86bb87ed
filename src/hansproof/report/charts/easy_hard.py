"""Easy and Hard: two joined dots per system, one pane for each definition of Easy."""

from __future__ import annotations

from collections import Counter
from typing import Any

import altair as alt

from ...probes.easy_hard.gaps import CONTROLS
from ...types import Table
from ..escape import reveal_hidden
from ..html.tables import to_records
from . import ROWS, ReportChart, chance_rule, splits_of, to_spec, tooltips
from ._dot_plot import (
    FLAG_COLOUR,
    LayeredChart,
    best_first,
    filled_dots,
    hollow_dots,
    name_axis,
    row_height,
    with_field,
    x_axis,
)

CAPTION = (
    "Accuracy of each system on Easy items (filled) and on Hard items (ring), sorted by accuracy "
    "on all items. Red: the gap is significant, also among items with the right choice at the same "
    "place. A long line means that the score depends on items that can be answered without the "
    "question. A model does better on items that it chose itself, so only solid lines count: there "
    "another model or cross-validated rules chose the Easy items. Dashed: chance."
)

GapRecords = list[dict[str, Any]]


def easy_hard_charts(table: Table, easy_sets: Table) -> tuple[ReportChart, ...]:
    """Draw one chart per split, since splits differ in their definitions of Easy."""
    rows = [row | {"split": reveal_hidden(row["split"])} for row in to_records(table)]
    chances = {reveal_hidden(row["split"]): row["chance"] for row in to_records(easy_sets)}
    return tuple(
        ReportChart(
            f"Easy and Hard: {split}",
            "Read as above." if i else CAPTION,
            _split_panes(split, [row for row in rows if row["split"] == split], chances.get(split)),
            "gaps",
            wide=True,
        )
        for i, split in enumerate(splits_of(rows))
    )


def _split_panes(split: str, rows: GapRecords, chance: float | None) -> dict[str, dict[str, Any]]:
    rows_by_source: dict[str, GapRecords] = {}
    for row in rows:
        rows_by_source.setdefault(reveal_hidden(row["easy_from"]), []).append(row)
    chance_levels = [] if chance is None else [chance]
    x = x_axis(
        "accuracy", [row[subset] for row in rows for subset in ("easy", "hard")] + chance_levels
    )
    return {
        _pane_label(source, source_rows): to_spec(
            _gap_layers(split, source, x, chance_levels).properties(
                height=row_height(len(source_rows)) * len(source_rows)
            ),
            f"Accuracy on Easy and Hard in {split}, Easy from {source}",
        )
        for source, source_rows in rows_by_source.items()
    }


def _pane_label(source: str, rows: GapRecords) -> str:
    """Name the source of Easy and its relations to the systems, the most frequent first."""
    relations = Counter(reveal_hidden(row["relation"]) for row in rows).most_common()
    relations_text = ", ".join(relation for relation, _ in relations if relation != source)
    return f"Easy from {source} ({relations_text})" if relations_text else f"Easy from {source}"


def _gap_layers(split: str, source: str, x: alt.X, chance_levels: list[float]) -> LayeredChart:
    base = (
        alt.Chart(ROWS)
        .transform_filter(alt.FieldEqualPredicate(field="split", equal=split))
        .transform_filter(alt.FieldEqualPredicate(field="easy_from", equal=source))
        .transform_calculate(
            # accuracy on all items, so that all panes have the same order
            both="(datum.easy * datum.n_easy + datum.hard * datum.n_hard)"
            " / (datum.n_easy + datum.n_hard)",
            dash=f"indexof({[*CONTROLS]}, datum.relation) < 0 ? 'selection' : 'control'",
        )
    )
    y = name_axis("system", best_first("both"))
    tooltip = [alt.Tooltip("system:N"), alt.Tooltip("relation:N"), alt.Tooltip("flag:N")]
    tooltip += tooltips(easy=".1%", hard=".1%", gap="+.1%", low="+.1%", high="+.1%", q=".2g")
    tooltip += tooltips(n_easy=",", n_hard=",", runs=",")
    dash = alt.StrokeDash(
        "dash:N",
        legend=None,
        scale=alt.Scale(domain=["control", "selection"], range=[[1, 0], [2, 3]]),
    )
    line = base.mark_rule(strokeWidth=2, aria=False)
    chance_line = chance_rule(
        alt.Chart(alt.InlineData(values=[{"chance": c} for c in chance_levels]))
    )
    return alt.layer(
        chance_line.encode(x=with_field(x, "chance:Q")),
        line.encode(
            x=with_field(x, "easy:Q"), x2="hard:Q", y=y, color=FLAG_COLOUR, strokeDash=dash
        ),
        hollow_dots(base, with_field(x, "hard:Q"), y, tooltip),
        filled_dots(base, with_field(x, "easy:Q"), y, tooltip),
    )
