"""Views: how much is answered of what is shown, a pane for every split and what was learnt from."""

from __future__ import annotations

from typing import Any

import altair as alt

from ...types import FULL, Table
from ..tables import records
from ..visible import visible
from . import ROWS, Chart, chance_rule, finished, splits_of, tips
from .colours import BLUE, FAINT, INK, RED
from .dots import Layers, along, dots, down, on, rings, row_height, spans

ABOVE, FIXED, SHUFFLED = "above chance", ("by construction", "no choices"), "/shuffled"
IS_FIXED = f"indexof({[*FIXED]}, datum.flag) >= 0"
IS_FULL = f"indexof({[FULL, FULL + '/alone']}, datum.view) >= 0"
IS_CONTROL = f"indexof(datum.view, '{SHUFFLED}') >= 0 && !isValid(datum.q)"
HOLLOW = f"({IS_FIXED} || {IS_CONTROL})"
COLOUR = (
    alt.when(f"datum.flag === '{ABOVE}'")
    .then(alt.value(RED))
    .when(IS_FIXED)
    .then(alt.value(FAINT))
    .when(f"{IS_FULL} || {IS_CONTROL}")
    .then(alt.value(BLUE))
    .otherwise(alt.value(INK))
)
TITLE = "Accuracy by what is shown"
READ = (
    "How often a model is right that is shown these parts of an item and no others, with its 95 % "
    "interval. Dashed: chance. Blue: the full input."
)
FOUND = (
    "Red: beyond chance, though something of the question is missing, also after correction for "
    "all views and splits; click a red dot to read the items that are right every time."
)
NOT_FOUND = "No view that leaves something out is beyond chance."
GREY = (
    "Grey ring: fixed before any model is asked, as no choices are shown, or as the same input "
    "stands with every answer equally often."
)
CONTROL = "/shuffled: the fields are those of another item; a blue ring: a control, not judged."
LEARNT = "Before the arrow: what was learnt from; without one, other folds of the same split."
SOLVABLE = (
    "Solvable blind is not solved blind: a red dot shows that there is a way without the question, "
    "not that any other model takes it."
)

Rows = list[dict[str, Any]]


def part_of(row: dict[str, Any]) -> str:
    """The split, and what was learnt before if that was another: as the probe names its parts."""
    learnt = row["trained_on"] if row["protocol"] == "train-test" else None
    return f"{learnt} → {row['split']}" if learnt else str(row["split"])


def views(table: Table) -> tuple[Chart, ...]:
    rows = [row | {"row": at} for at, row in enumerate(records(table))]
    if not rows:
        return ()
    parts: dict[str, Rows] = {}
    for part in splits_of([{"split": part_of(row)} for row in rows]):
        parts[part] = [row for row in rows if visible(part_of(row)) == part]
    x = along("accuracy", (row[name] for row in rows for name in ("low", "high", "chance")))
    several = len({row["model"] for row in rows}) > 1
    panes = {part: _pane(part, some, x, several) for part, some in parts.items()}
    return (Chart(TITLE, _caption(rows), panes, "views", wide=True, uneven=True),)


def _caption(rows: Rows) -> str:
    """How to read what is there, and nothing about what is not."""
    said = {
        READ: True,
        FOUND: any(row["flag"] == ABOVE for row in rows),
        NOT_FOUND: all(row["flag"] != ABOVE for row in rows),
        GREY: any(row["flag"] in FIXED for row in rows),
        CONTROL: any(SHUFFLED in row["view"] for row in rows),
        LEARNT: any(part_of(row) != row["split"] for row in rows),
        SOLVABLE: True,
    }
    return " ".join(text for text, needed in said.items() if needed)


def _pane(part: str, rows: Rows, x: alt.X, several: bool) -> dict[str, Any]:
    height = row_height(len(rows)) * len(rows)
    layers = _layers([row["row"] for row in rows], x, several).properties(height=height)
    return finished(layers, f"Accuracy by what a model is shown, with interval: {part}")


def _layers(places: list[int], x: alt.X, several: bool) -> Layers:
    shown = (
        alt.Chart(ROWS)
        # the views of a model one after the other, and a line for each, should two be called alike
        .transform_joinaggregate(first="min(row)", groupby=["model"])
        .transform_filter(alt.FieldOneOfPredicate("row", places))
        .transform_window(nth="row_number()", groupby=["model", "view"])
        .transform_calculate(
            place="1e6 * datum.first + datum.row",
            name=("datum.model + ' · ' + " if several else "")
            + "datum.view + (datum.nth > 1 ? ' (' + datum.nth + ')' : '')",
            interval="format(datum.low, '.1%') + ' to ' + format(datum.high, '.1%')",
            judged="isValid(datum.q) ? format(datum.q, '.2~g') : 'not judged'",
            ends="isValid(datum.hans_low) && isValid(datum.hans_high) ? ' (' "
            "+ format(datum.hans_low, '.0%') + ' to ' + format(datum.hans_high, '.0%') + ')' : ''",
            score="isValid(datum.hans) ? format(datum.hans, '.0%') + datum.ends : 'none'",
        )
    )
    y = down("name", alt.EncodingSortField("place", op="min"))
    about = [alt.Tooltip("view:N"), alt.Tooltip("model:N"), *tips(accuracy=".1%")]
    about += [alt.Tooltip("interval:N", title="95 % interval"), *tips(chance=".1%", n=",")]
    about += [alt.Tooltip("judged:N", title="q"), alt.Tooltip("score:N", title="Hans score")]
    about += [alt.Tooltip("flag:N")]
    solid, hollow = shown.transform_filter(f"!{HOLLOW}"), shown.transform_filter(HOLLOW)
    return alt.layer(
        chance_rule(shown).encode(x=on(x, "mean(chance):Q")),
        spans(shown, x, y, COLOUR),
        dots(solid, on(x, "accuracy:Q"), y, about, COLOUR),
        rings(hollow, on(x, "accuracy:Q"), y, about, COLOUR),
    )
