"""The ladder: how accuracy without the question climbs from chance, rung by rung."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from ...probes.shortcuts.blind_scores import LADDER
from ...probes.shortcuts.rule_words import RUNG_WORDS, UNTRIED_REASONS
from ...probes.shortcuts.tables import EXPLAINED, LEADING
from ...types import Table
from ..escape import reveal_hidden
from ..html.tables import to_records
from . import ROWS, ReportChart, chance_rule, splits_of, to_spec, tooltips
from ._dot_plot import (
    IS_NARROW,
    LayeredChart,
    hollow_dots,
    interval_lines,
    name_axis,
    with_field,
    x_axis,
)
from ._ladder_caption import LARGEST_SHARE, LadderExtras, LadderRecords, build_caption, write_share
from ._theme import CARD_BACKGROUND, CHANCE_BAND, INK, RED, SAND, SLATE

LINE_HEIGHT, BAR_HEIGHT = 28, 15  # pixels
HINT_OPACITY = 0.7
RUNG_LABELS = {
    "typography": "length and typography",
    "place": "place in the list",
    "words": "single words",
    "pairs": "pairs of words",
    "patterns": "word patterns",
    "word classes": "classes of words",
    "relations": "relations of choices",
    "frequency": "common or rare words",
    "likelihood": "language model",
    "encoder": "meaning (encoder)",
}
UNEXPLAINED, NO_BLIND_MODEL = "not explained by any rung", "other blind models"
ADD_BLIND = "add --blind MODEL"
NOT_TRIED, NONE_GIVEN = "not tried", "none given"
IS_LEADING = f"datum.flag === '{LEADING}'"
IS_SIGNIFICANT = "datum.q <= 0.05"
STEP_COLOUR = alt.condition(IS_LEADING, alt.value(RED), alt.value(SLATE))

TITLE = "How far the choices alone get, rung by rung"


def ladder_charts(rungs: Table, blind: Table, is_found: bool) -> tuple[ReportChart, ...]:
    """Build one pane per split, of which a probe writes one; without a finding nothing is added."""
    rows = [row | {"row": i} for i, row in enumerate(to_records(rungs))]
    if not rows:
        return ()
    if not is_found:
        rows = [row | {"share": None, "flag": ""} for row in rows]
    splits, blind_rows = splits_of(rows), to_records(blind) if is_found else []
    rows_by_split = {split: _take_split(rows, split) for split in splits}
    extras = {
        split: _find_extras(split_rows, _take_split(blind_rows, split))
        for split, split_rows in rows_by_split.items()
    }
    panes = {
        split if len(splits) > 1 else "": _split_spec(split_rows, extras[split])
        for split, split_rows in rows_by_split.items()
    }
    caption = build_caption(rows, [*extras.values()])
    return (ReportChart(TITLE, caption, panes, "rungs", wide=True, uneven=True),)


def _take_split(rows: LadderRecords, split: str) -> LadderRecords:
    return [row for row in rows if reveal_hidden(row["split"]) == split]


def _split_spec(rows: LadderRecords, extras: LadderExtras) -> dict[str, Any]:
    labels = [*dict.fromkeys(map(_name_rung, rows))]
    labels += [*([UNEXPLAINED] if extras.unexplained else []), *extras.hints]
    layers = _ladder_layers(rows, extras, labels).properties(height=LINE_HEIGHT * len(labels))
    return to_spec(layers, "Accuracy without the question, rung by rung, from chance")


def _name_rung(row: dict[str, Any]) -> str:
    return RUNG_LABELS.get(row["rung"]) or reveal_hidden(row["rung"])


def _find_extras(rows: LadderRecords, blind: LadderRecords) -> LadderExtras:
    tried = {row["rung"] for row in rows}
    untried = [rung for rung in RUNG_WORDS if rung not in tried]
    hints = {RUNG_LABELS[rung]: UNTRIED_REASONS.get(rung, "") for rung in untried}
    best = next((row for row in blind if row["flag"] == EXPLAINED), None)
    if best is None or best["unexplained"] is None:
        return LadderExtras(None, hints)
    if best["model"] == LADDER:
        is_alone = len(blind) == 1
        more_hints = {NO_BLIND_MODEL: ADD_BLIND} if is_alone else {}
        return LadderExtras(None, hints | more_hints, is_model_beaten=not is_alone)
    values = {name: best[name] for name in ("accuracy", "low", "high", "unexplained")}
    last = {"label": UNEXPLAINED, "start": rows[-1]["together"]}
    return LadderExtras(values | last | {"model": reveal_hidden(best["model"])}, hints)


def _ladder_layers(rows: LadderRecords, extras: LadderExtras, labels: list[str]) -> LayeredChart:
    last = [extras.unexplained] if extras.unexplained else []
    ends = [row[name] for row in rows for name in ("low", "high", "chance", "together")]
    x = x_axis("accuracy", [*ends, *(row[name] for row in last for name in ("low", "high"))])
    y = name_axis("label", alt.EncodingSortField("row", op="min")).scale(domain=labels)
    leading = {_name_rung(row) for row in rows if row["flag"] == LEADING}
    is_hint, is_leading = (
        [label in marked for label in labels] for marked in (extras.hints, leading)
    )
    axis = y["axis"]
    axis["labelOpacity"] = _choose_by_line(is_hint, HINT_OPACITY, 1)
    axis["labelColor"] = _choose_by_line(is_leading, RED, INK)
    axis["labelFontWeight"] = _choose_by_line(is_leading, "bold", "normal")
    plain = y.copy().axis(None)
    base = _rung_base([row["row"] for row in rows])
    layers = [
        *_step_bars(base, x, plain, y, [row["row"] for row in rows if row["share"] is not None]),
        chance_rule(base).encode(
            x=with_field(x, "mean(chance):Q"),
            y=alt.value(0),
            y2=alt.value(LINE_HEIGHT * (len(labels) - len(extras.hints))),
        ),
        _outline_intervals(base, x, y.copy().axis(_share_axis(rows, extras, labels))),
        *_rung_dots(base, x, plain),
        *(_unexplained_marks(extras.unexplained, x, plain) if extras.unexplained else ()),
        *(_hint_texts(extras.hints, plain) if extras.hints else ()),
    ]
    chart: LayeredChart = alt.layer(*layers).resolve_axis(y="independent")
    return chart


def _rung_base(row_indices: list[int]) -> alt.Chart:
    """Add to the rows of rungs their labels, and where the bar of the rung below ends."""
    label = "datum.rung"
    for rung, name in RUNG_LABELS.items():
        label = f"datum.rung === {json.dumps(rung)} ? {json.dumps(name)} : {label}"
    base: alt.Chart = (
        alt.Chart(ROWS)
        .transform_filter(alt.FieldOneOfPredicate("row", row_indices))
        .transform_window(below="lag(together)", sort=[alt.SortField("row")])
        .transform_calculate(
            label=label,
            start="isValid(datum.below) ? datum.below : datum.chance",
            interval="format(datum.low, '.1%') + ' to ' + format(datum.high, '.1%')",
            explains="isValid(datum.share) ? "
            f"format(clamp(datum.share, {-LARGEST_SHARE}, {LARGEST_SHARE}), '.0%') : "
            "'not computed'",
        )
    )
    return base


def _step_bars(
    base: alt.Chart, x: alt.X, plain: alt.Y, y: alt.Y, row_indices: list[int]
) -> list[alt.Chart]:
    """Draw how far the rungs up to each get, and what each of these rows adds."""
    bars = base.mark_bar(height=BAR_HEIGHT, color=CHANCE_BAND)
    added = (
        base.transform_filter(alt.FieldOneOfPredicate("row", row_indices))
        .transform_filter("datum.together > datum.start")
        .mark_bar(height=BAR_HEIGHT)
    )
    return [
        bars.encode(x=with_field(x, "chance:Q"), x2="together:Q", y=y),
        added.encode(x=with_field(x, "start:Q"), x2="together:Q", y=plain, color=STEP_COLOUR),
    ]


def _rung_dots(base: alt.Chart, x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Draw the accuracy of each rung by itself with its interval."""
    tooltip = [alt.Tooltip("label:N", title="rung"), *tooltips(accuracy=".1%")]
    tooltip += [alt.Tooltip("interval:N", title="95% interval"), *tooltips(chance=".1%", q=".2g")]
    tooltip += [alt.Tooltip("together:Q", title="with all earlier rungs", format=".1%")]
    tooltip += [alt.Tooltip("explains:N", title="share of the gain over chance")]
    fill = alt.condition(IS_SIGNIFICANT, alt.value(INK), alt.value(CARD_BACKGROUND))
    dots = base.mark_point(size=70, opacity=1, strokeWidth=1.5).encode(
        x=with_field(x, "accuracy:Q"), y=y, fill=fill, stroke=alt.value(INK), tooltip=tooltip
    )
    return [interval_lines(base, x, y, alt.value(INK)), dots]


def _outline_intervals(base: alt.Chart, x: alt.X, y: alt.Y) -> alt.Chart:
    """Draw intervals in the colour of the background, so that they can be seen on bars."""
    layer: alt.Chart = base.mark_rule(strokeWidth=5, aria=False).encode(
        x=with_field(x, "low:Q"), x2="high:Q", y=y, color=alt.value(CARD_BACKGROUND)
    )
    return layer


def _unexplained_marks(row: dict[str, Any], x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Draw from the last rung to the score of the best blind model."""
    base = alt.Chart(alt.InlineData(values=[row])).transform_calculate(
        interval="format(datum.low, '.1%') + ' to ' + format(datum.high, '.1%')"
    )
    tooltip = [alt.Tooltip("model:N"), *tooltips(accuracy=".1%")]
    tooltip += [alt.Tooltip("interval:N", title="95% interval")]
    bar = base.transform_filter("datum.accuracy > datum.start").mark_bar(
        height=BAR_HEIGHT, fill=SAND, fillOpacity=0.35, stroke=INK, strokeDash=[3, 2]
    )
    black = alt.value(INK)
    return [
        bar.encode(x=with_field(x, "start:Q"), x2="accuracy:Q", y=y),
        interval_lines(base, x, y, black),
        hollow_dots(base, with_field(x, "accuracy:Q"), y, tooltip, black),
    ]


def _hint_texts(hints: Mapping[str, str], y: alt.Y) -> list[alt.Chart]:
    """Write beside the names of rungs that were not tried how to try them."""
    values = [
        {
            "label": label,
            "hint": hint or NOT_TRIED,
            "whole": f"{_name_lack(label)}: {hint}" if hint else NOT_TRIED,
        }
        for label, hint in hints.items()
    ]
    texts = (
        alt.Chart(alt.InlineData(values=values))
        .transform_calculate(text=f"{IS_NARROW} ? datum.hint : datum.whole")
        .mark_text(align="left", fontSize=11.5, fontStyle="italic", color=INK, opacity=HINT_OPACITY)
    )
    return [texts.encode(x=alt.value(4), y=y, text="text:N")]


def _name_lack(label: str) -> str:
    return NONE_GIVEN if label == NO_BLIND_MODEL else NOT_TRIED


def _write_shares(rows: LadderRecords, extras: LadderExtras) -> dict[str, tuple[str, bool]]:
    """Return the share of each line, and whether it is certainly above none."""
    shares = {
        _name_rung(row): (row["share"], row["share_low"])
        for row in rows
        if row["share"] is not None
    }
    if extras.unexplained:
        shares[UNEXPLAINED] = (extras.unexplained["unexplained"], None)
    return {
        label: (write_share(share), low is not None and low > 0)
        for label, (share, low) in shares.items()
    }


def _share_axis(
    rows: LadderRecords, extras: LadderExtras, labels: Sequence[str]
) -> alt.Axis | None:
    """List the shares on the right, as the labels of an axis; None if there are none."""
    shares = _write_shares(rows, extras)
    if not shares:
        return None
    texts, are_certain = zip(*(shares.get(label, ("", False)) for label in labels), strict=True)
    return alt.Axis(
        orient="right",
        domain=False,
        ticks=False,
        labelPadding=8,
        labelExpr=f"{json.dumps(texts)}[{_line_number(len(labels))}]",
        labelFontWeight=_choose_by_line(are_certain, "bold", "normal"),
        labelOverlap=False,
        title="adds",
        titleAngle=0,
        titleAnchor="end",
        titleAlign="left",
        titleBaseline="bottom",
        titleX=8,
        titleY=-4,
        titleFontSize=11.5,
    )


def _choose_by_line(is_chosen: Sequence[bool], value: Any, otherwise: Any) -> dict[str, Any]:
    """Return a property of axis labels that is another for the chosen lines.

    Lines are told apart by their number: an expression must not contain texts of an audit.
    """
    test = f"{json.dumps(is_chosen)}[{_line_number(len(is_chosen))}]"
    return {"condition": {"test": test, "value": value}, "value": otherwise}


def _line_number(n_lines: int) -> str:
    """Return the expression for the number of an axis label; Vega gives it as a share."""
    return f"round(datum.index * {n_lines - 1})"
