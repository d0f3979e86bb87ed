"""Views: accuracy by what the model sees, one pane for each split and training split."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...probes.partial_input.view_result import ABOVE_CHANCE, FIXED, name_part
from ...types import FULL, Table
from ...views import ALONE_SUFFIX, SHUFFLED_SUFFIX
from ..escape import reveal_hidden
from ..html.tables import to_records
from . import ROWS, ReportChart, chance_rule, splits_of, to_spec, tooltips
from ._dot_plot import (
    WIDENED_NOTE,
    LayeredChart,
    filled_dots,
    has_widened_intervals,
    hollow_dots,
    interval_lines,
    name_axis,
    row_height,
    with_field,
    x_axis,
)
from ._theme import BLUE, FAINT, INK, RED

IS_FIXED = f"indexof({[*FIXED]}, datum.flag) >= 0"
IS_FULL = f"indexof({[FULL, FULL + ALONE_SUFFIX]}, datum.view) >= 0"
IS_CONTROL = f"indexof(datum.view, '{SHUFFLED_SUFFIX}') >= 0 && !isValid(datum.q)"
IS_HOLLOW = f"({IS_FIXED} || {IS_CONTROL})"
VIEW_COLOUR = (
    alt.when(f"datum.flag === '{ABOVE_CHANCE}'")
    .then(alt.value(RED))
    .when(IS_FIXED)
    .then(alt.value(FAINT))
    .when(f"{IS_FULL} || {IS_CONTROL}")
    .then(alt.value(BLUE))
    .otherwise(alt.value(INK))
)
TITLE = "Accuracy by what is shown"
HOW_TO_READ = (
    "Accuracy of a model that is shown only this part of each item (its view), with the 95% "
    "interval. Dashed: chance. Blue: the full item."
)
RED_NOTE = (
    "Red: significantly above chance although part of the item is hidden, after correction for all "
    "views and splits; click a red dot to read the items that are right every time."
)
NO_RED_NOTE = "No view that hides part of the item is significantly above chance."
GREY_NOTE = "Grey ring: at chance by design."
CONTROL_NOTE = (
    "/shuffled: the question comes from another item. Blue ring: a control, which is not tested."
)
TRAINING_NOTE = (
    "Before the arrow: the split that the model was trained on; without an arrow, it was trained "
    "on other folds of the same split."
)
CAVEAT = (
    "A red dot means the answers can be guessed without the question. It does not show that your "
    "model does so."
)

ViewRecords = list[dict[str, Any]]


def part_of(row: dict[str, Any]) -> str:
    """Name the part of a row as the probe does: the split, and the training split if it differs."""
    return name_part(row["split"], row["protocol"], row["trained_on"])


def view_charts(table: Table) -> tuple[ReportChart, ...]:
    rows = [row | {"row": i} for i, row in enumerate(to_records(table))]
    if not rows:
        return ()
    parts: dict[str, ViewRecords] = {}
    for part in splits_of([{"split": part_of(row)} for row in rows]):
        parts[part] = [row for row in rows if reveal_hidden(part_of(row)) == part]
    x = x_axis("accuracy", (row[name] for row in rows for name in ("low", "high", "chance")))
    several_models = len({row["model"] for row in rows}) > 1
    panes = {
        part: _part_spec(part, part_rows, x, several_models) for part, part_rows in parts.items()
    }
    return (ReportChart(TITLE, _build_caption(rows), panes, "views", wide=True, uneven=True),)


def _build_caption(rows: ViewRecords) -> str:
    """Join the sentences that apply to these rows."""
    conditions = {
        HOW_TO_READ: True,
        RED_NOTE: any(row["flag"] == ABOVE_CHANCE for row in rows),
        NO_RED_NOTE: all(row["flag"] != ABOVE_CHANCE for row in rows),
        GREY_NOTE: any(row["flag"] in FIXED for row in rows),
        CONTROL_NOTE: any(SHUFFLED_SUFFIX in row["view"] for row in rows),
        TRAINING_NOTE: any(part_of(row) != row["split"] for row in rows),
        WIDENED_NOTE: has_widened_intervals(rows),
        CAVEAT: any(row["flag"] == ABOVE_CHANCE for row in rows),
    }
    return " ".join(sentence for sentence, applies in conditions.items() if applies)


def _part_spec(part: str, rows: ViewRecords, x: alt.X, several_models: bool) -> dict[str, Any]:
    height = row_height(len(rows)) * len(rows)
    layers = _view_layers([row["row"] for row in rows], x, several_models).properties(height=height)
    return to_spec(layers, f"Accuracy by what a model is shown, with interval: {part}")


def _view_layers(row_indices: list[int], x: alt.X, several_models: bool) -> LayeredChart:
    base = (
        alt.Chart(ROWS)
        # group the views of a model, and number views of the same name
        .transform_joinaggregate(first="min(row)", groupby=["model"])
        .transform_filter(alt.FieldOneOfPredicate("row", row_indices))
        .transform_window(nth="row_number()", groupby=["model", "view"])
        .transform_calculate(
            place="1e6 * datum.first + datum.row",
            name=("datum.model + ' · ' + " if several_models else "")
            + "datum.view + (datum.nth > 1 ? ' (' + datum.nth + ')' : '')",
            interval="format(datum.low, '.1%') + ' to ' + format(datum.high, '.1%')",
            judged="isValid(datum.q) ? format(datum.q, '.2~g') : 'not judged'",
            ends="isValid(datum.hans_low) && isValid(datum.hans_high) ? ' (' "
            "+ format(datum.hans_low, '.0%') + ' to ' + format(datum.hans_high, '.0%') + ')' : ''",
            score="isValid(datum.hans) ? format(datum.hans, '.0%') + datum.ends : 'none'",
        )
    )
    y = name_axis("name", alt.EncodingSortField("place", op="min"))
    tooltip = [alt.Tooltip("view:N"), alt.Tooltip("model:N"), *tooltips(accuracy=".1%")]
    tooltip += [alt.Tooltip("interval:N", title="95% interval"), *tooltips(chance=".1%", n=",")]
    tooltip += [alt.Tooltip("judged:N", title="q"), alt.Tooltip("score:N", title="Hans score")]
    tooltip += [alt.Tooltip("flag:N")]
    solid, hollow = base.transform_filter(f"!{IS_HOLLOW}"), base.transform_filter(IS_HOLLOW)
    return alt.layer(
        chance_rule(base).encode(x=with_field(x, "mean(chance):Q")),
        interval_lines(base, x, y, VIEW_COLOUR),
        filled_dots(solid, with_field(x, "accuracy:Q"), y, tooltip, VIEW_COLOUR),
        hollow_dots(hollow, with_field(x, "accuracy:Q"), y, tooltip, VIEW_COLOUR),
    )
