"""Sensitivity: how much models look at cues, against how often these are right; a dot per cue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import altair as alt

from ...types import Table
from ..tables import records
from . import PERCENT, ROWS, Chart, chance_rule, finished, tips
from .colours import BLUE, FAINT, INK, RED
from .labels import GAP, LETTER, Box, collide
from .trend import trend

NAMED = 5  # dots that are named
HEIGHT, LONGEST = 400, 160  # pixels: of the picture, of a name
DOT = (
    "Every dot is a cue, the larger the more items contain it: how often the choice that has it is "
    "right in training (productivity), and in hundredths "
)
LINE = "Blue: the least-squares line with its 95 % band; "
CAPTIONS = {
    "difference": f"{DOT}how much more of a score hangs on it, where it stands, in the models "
    "compared (against) than in those they are compared with. Dashed: no difference. "
    f"{LINE}where it falls, the models compared look less at what gives answers away. Red: the "
    "largest falls.",
    "sensitivity": f"{DOT}how much of a score hangs on it, where it stands. {LINE}where it rises, "
    "models look more at what gives answers away. Red: the most.",
}
TITLES = {
    "difference": "Change of sensitivity against productivity",
    "sensitivity": "Sensitivity against productivity",
}

Rows = list[dict[str, Any]]
Ends = tuple[float, float]


def productivities(cues: Table) -> tuple[Chart, ...]:
    """The change between two groups of models; of one group, its sensitivity itself."""
    every = [row | {"row": at} for at, row in enumerate(records(cues))]
    what = "difference" if any(row["difference"] is not None for row in every) else "sensitivity"
    rows = [row | {"y": 100 * row[what]} for row in every if row[what] is not None]
    if not rows:
        return ()
    x, y = _axes(rows, what)
    line = trend([row["productivity"] for row in rows], [row["y"] for row in rows])
    named = _strongest(rows, what)
    layers = [*_line(line, x, y), *_none(what, y), *_dots(rows, what, named, x, y)]
    layers.append(_names(rows, what, named, x, y))
    spec = finished(alt.layer(*layers).properties(height=HEIGHT), f"{TITLES[what]} of every cue")
    return (Chart(TITLES[what], CAPTIONS[what], {"": spec}, "cues"),)


def _ends(values: list[float]) -> Ends:
    """A little beyond the outermost."""
    room = max(0.06 * (max(values) - min(values)), 0.01)
    return min(values) - room, max(values) + room


def _across(rows: Rows) -> Ends:
    return _ends([row["productivity"] for row in rows])


def _up(rows: Rows) -> Ends:
    return _ends([0, *(row["y"] for row in rows)])


def _axes(rows: Rows, what: str) -> tuple[alt.X, alt.Y]:
    x = alt.X(
        "productivity:Q",
        title="productivity",
        scale=alt.Scale(domain=[*_across(rows)], nice=False),
        axis=alt.Axis(format=PERCENT, tickCount=5, grid=False, labelOverlap="greedy"),
    )
    y = alt.Y(
        "y:Q",
        title=f"{'change of ' if what == 'difference' else ''}sensitivity, in 1e-2",
        scale=alt.Scale(domain=[*_up(rows)], nice=False),
        axis=alt.Axis(tickCount=6),
    )
    return x, y


def _strongest(rows: Rows, what: str) -> list[int]:
    """Places of the largest falls; where there is but one group, of the most."""
    falls = what == "difference"
    ranked = sorted(rows, key=lambda row: row["y"] if falls else -row["y"])
    return [row["row"] for row in ranked[:NAMED] if row["y"] < 0 or not falls]


def _line(points: list[dict[str, float]], x: alt.X, y: alt.Y) -> Iterator[alt.Chart]:
    if not points:
        return
    base = alt.Chart(alt.InlineData(values=points)).transform_calculate(productivity="datum.x")
    band = base.transform_calculate(y="datum.low").mark_area(
        color=BLUE, opacity=0.16, clip=True, aria=False
    )
    yield band.encode(x=x, y=y, y2="high:Q")
    yield base.mark_line(color=BLUE, clip=True, aria=False).encode(x=x, y=y)


def _none(what: str, y: alt.Y) -> Iterator[alt.Chart]:
    if what == "difference":
        yield chance_rule(alt.Chart(alt.InlineData(values=[{"y": 0}]))).encode(y=y)


def _shown(what: str) -> alt.Chart:
    hundredths = {
        name: f"isValid(datum.{name}) ? format(100 * datum.{name}, '.2f') : 'none'"
        for name in ("sensitivity", "against")
    }
    ends = [f"format(100 * datum.difference_{end}, '+.2f')" for end in ("low", "high")]
    shown: alt.Chart = (
        alt.Chart(ROWS)
        .transform_filter(f"isValid(datum.{what})")
        .transform_calculate(
            y=f"100 * datum.{what}",
            seen=hundredths["sensitivity"],
            other=hundredths["against"],
            change="isValid(datum.difference) ? format(100 * datum.difference, '+.2f') : 'none'",
            interval="isValid(datum.difference_low) && isValid(datum.difference_high) ? "
            f"{ends[0]} + ' to ' + {ends[1]} : 'none'",
        )
    )
    return shown


def _dots(rows: Rows, what: str, named: list[int], x: alt.X, y: alt.Y) -> Iterator[alt.Chart]:
    """All cues, the named ones drawn last so that nothing covers them."""
    reach = [
        0,
        max([1, *(row["items"] for row in rows)]),
    ]  # said, as one of the layers may be empty
    size = alt.Size("items:Q", scale=alt.Scale(domain=reach, range=[16, 420]), legend=None)
    about = [alt.Tooltip("cue:N"), *tips(productivity=".1%", applicability=",", items=",")]
    about += [alt.Tooltip("seen:N", title="sensitivity, 1e-2")]
    if what == "difference":
        about += [
            alt.Tooltip("other:N", title="against, 1e-2"),
            alt.Tooltip("change:N", title="difference, 1e-2"),
            alt.Tooltip("interval:N", title="95 % interval"),
        ]
    shown = _shown(what).transform_calculate(named=f"indexof({named}, datum.row) >= 0")
    plain = shown.transform_filter("!datum.named").mark_circle(opacity=0.45, aria=False)
    strong = shown.transform_filter("datum.named").mark_circle(opacity=0.85)
    for dots, colour in ((plain, FAINT), (strong, RED)):
        yield dots.encode(x=x, y=y, size=size, color=alt.value(colour), tooltip=about)


def _names(rows: Rows, what: str, named: list[int], x: alt.X, y: alt.Y) -> alt.Chart:
    """Of the strongest, where there is room: to the right of the dot, or else to its left."""
    placed = _placed([row for at in named for row in rows if row["row"] == at], rows)
    turned = [at for at, (left, _) in placed.items() if left]
    names: alt.Chart = (
        _shown(what)
        .transform_filter(alt.FieldOneOfPredicate("row", [*placed]))
        .transform_calculate(turned=f"indexof({turned}, datum.row) >= 0")
        .mark_text(
            align=alt.ExprRef("datum.turned ? 'right' : 'left'"),
            dx=alt.ExprRef("datum.turned ? -11 : 11"),
            fontSize=12,
            fontWeight=600,
            color=INK,
            limit=LONGEST,
            opacity=alt.ExprRef("width < 480 ? 0 : 1"),
        )
        .encode(x=x, y=y, text="cue:N")
    )
    return names


def _placed(named: Rows, rows: Rows) -> dict[int, tuple[bool, Box]]:
    """By place in the table: whether a name stands to the left of its dot, and where."""
    placed: dict[int, tuple[bool, Box]] = {}
    for row in named:
        for left, box in _sides(row, _across(rows), _up(rows)):
            taken = any(collide(box, other) for _, other in placed.values())
            if row["row"] not in placed and not taken:
                placed[row["row"]] = left, box
    return placed


def _sides(row: dict[str, Any], across: Ends, up: Ends) -> Iterator[tuple[bool, Box]]:
    """Where a name may stand inside the picture, in shares of its width and height."""
    dot = (row["productivity"] - across[0]) / (across[1] - across[0])
    height = (row["y"] - up[0]) / (up[1] - up[0])
    wide = GAP + LETTER * min(len(row["cue"]), LONGEST // 8)
    if dot + wide <= 1:
        yield False, (dot, dot + wide, height)
    if dot - wide >= 0:
        yield True, (dot - wide, dot, height)
