"""Small tables for notebooks: no script, no style sheet, and colours that suit dark and light.

The texts of a benchmark are untrusted: everything is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ..report.escape import escape_html
from ..types import Audit, Benchmark, Estimate, Item, Predictions, Result, Table
from .text import format_object, sort_flagged

if TYPE_CHECKING:
    from ..gates import GateResult

MAX_ROWS = 10
MAX_TEXT, MAX_NAME = 300, 60  # characters of a cell, and of a name
COLOURS = {
    "clear": "#2f9e5b",
    "caution": "#d9920a",
    "exposed": "#e0483e",
    "undecided": "#3b8fd1",
    "failed": "#b057c9",
    "pass": "#2f9e5b",
    "fail": "#e0483e",
    "not measured": "#b057c9",
}
OTHER_COLOUR = "#8a8a8a"
_TABLE = Markup(
    '<div style="overflow-x:auto"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
)
_HEADER = Markup('<th style="text-align:left">{}</th>')
_CELL = Markup('<td style="text-align:left;vertical-align:top">{}</td>')
_NUMBER = Markup('<td style="text-align:right;vertical-align:top">{}</td>')
_VERDICT = Markup('<span style="white-space:nowrap"><span style="color:{}">●</span> {}</span>')
_FAINT = Markup('<div style="opacity:0.7">{}</div>')
_FOLDED = Markup("<details><summary>{}</summary>{}</details>")
_PARAGRAPH = Markup("<p>{}</p>")


def render_object(value: object) -> str | None:
    """Return HTML for a value of one of the data types; None if its text is enough."""
    renderer = _RENDERERS.get(type(value).__name__)
    return None if renderer is None else str(Markup("<div>{}</div>").format(renderer(value)))


def _render_audit(audit: Audit) -> Markup:
    from ..report.format_numbers import format_estimate
    from ..report.headline import build_headline
    from ..report.probe_order import sort_results
    from ..results import key_estimate

    rows: list[list[object]] = []
    for result in sort_results(audit):
        estimate = key_estimate(result)
        number = format_estimate(estimate) if estimate else ""
        rows.append([result.probe, _verdict(result.verdict), result.summary, number])
    rows += [[f.probe, _verdict("failed"), f.error, ""] for f in audit.failures]
    remark = f"{sum(audit.sizes.values()):,} items, hansproof {audit.version}"
    return Markup("").join(
        [
            Markup("<p><b>{}</b></p>").format(_text(build_headline(audit))),
            _table(("probe", "verdict", "finding", "against chance"), rows, len(rows)),
            _FAINT.format(_text(remark)),
        ]
    )


def _render_result(result: Result) -> Markup:
    from ..report.format_numbers import format_q

    title = Markup("<p><b>{}</b> {} {}</p>").format(
        _text(result.probe), _verdict(result.verdict), format_q(result)
    )
    parts = [title, _PARAGRAPH.format(_text(result.summary)), _estimates(result.estimates)]
    parts += [
        _FOLDED.format(_text(f"{name} ({len(table.rows):,} rows)"), _render_table(table))
        for name, table in result.tables.items()
    ]
    if result.evidence:
        rows = [[key, len(ids), ", ".join(ids[:MAX_ROWS])] for key, ids in result.evidence.items()]
        title = _text(f"evidence ({len(rows):,})")
        parts.append(_FOLDED.format(title, _table(("evidence", "items", "ids"), rows)))
    parts += [_FAINT.format(_text(note)) for note in result.notes]
    return Markup("").join(parts)


def _estimates(estimates: Sequence[Estimate]) -> Markup:
    from ..report.format_numbers import format_estimate

    if not estimates:
        return Markup("")
    rows = [[e.name, format_estimate(e), e.n] for e in estimates]
    return _table(("estimate", "value", "n"), rows)


def _render_table(table: Table) -> Markup:
    return _table(table.columns, sort_flagged(table))


def _render_estimate(estimate: Estimate) -> Markup:
    return _estimates([estimate])


def _render_gate_result(result: GateResult) -> Markup:
    from ..gates.messages import describe_finding, describe_numbers, gate_title

    rows = [
        [o.limit.name, _verdict(o.status), describe_numbers(o), describe_finding(o)]
        for o in result.outcomes
    ]
    outcome = "passes" if result.passes() else "does not pass"
    return Markup("").join(
        [
            Markup("<p><b>{} {}</b></p>").format(_text(gate_title(result)), outcome),
            _table(("limit", "status", "value", "finding"), rows, len(rows)),
            _FAINT.format(_text(f"limits: {result.limits_source}")),
        ]
    )


def _render_benchmark(benchmark: Benchmark) -> Markup:
    roles = {split: role for role, split in benchmark.roles.items()}
    labelled = benchmark.labelled_splits()
    rows = [
        [split, len(items), roles.get(split, ""), "yes" if split in labelled else "no"]
        for split, items in benchmark.splits.items()
    ]
    first = next((item for items in benchmark.splits.values() for item in items), None)
    return Markup("").join(
        [
            Markup("<p><b>{}</b> {}</p>").format(
                _text(benchmark.name), _text(benchmark.card.title)
            ),
            _table(("split", "items", "role", "labelled"), rows),
            _FOLDED.format("first item", _render_item(first)) if first else "",
        ]
    )


def _render_item(item: Item) -> Markup:
    rows: list[list[object]] = [[name, text] for name, text in item.fields.items()]
    rows += [
        [f"choice {i}{' ✓' if i == item.answer else ''}", choice]
        for i, choice in enumerate(item.choices)
    ]
    return _table((item.id, ""), rows, len(rows))


def _render_predictions(run: Predictions) -> Markup:
    rows = [[id, ", ".join(f"{score:.3g}" for score in scores)] for id, scores in
            list(run.scores.items())[: MAX_ROWS + 1]]  # fmt: skip
    return Markup("").join(
        [
            _PARAGRAPH.format(_text(format_object(run).strip("<>"))),
            _table(("item", "scores of the choices"), rows, n_rows=len(run.scores)),
        ]
    )


def _table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    max_rows: int = MAX_ROWS,
    n_rows: int | None = None,
) -> Markup:
    """Render the first rows, and how many more there are of `n_rows`."""
    header = Markup("").join(_HEADER.format(_text(name, MAX_NAME)) for name in columns)
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(map(_cell, row))) for row in rows[:max_rows]
    )
    table = _TABLE.format(header, body)
    n_more = (len(rows) if n_rows is None else n_rows) - max_rows
    return table + _FAINT.format(f"… {n_more:,} more rows") if n_more > 0 else table


def _cell(value: object) -> Markup:
    if isinstance(value, Markup):
        return _CELL.format(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _NUMBER.format(f"{value:.4g}" if isinstance(value, float) else f"{value:,}")
    return _CELL.format("–" if value is None else _text(value))


def _verdict(verdict: str) -> Markup:
    return _VERDICT.format(COLOURS.get(verdict, OTHER_COLOUR), verdict)


def _text(value: object, length: int = MAX_TEXT) -> Markup:
    text = str(value)
    return escape_html(text if len(text) <= length else f"{text[:length]}…")


# by the name of the class: names are unique in the package
_RENDERERS: dict[str, Callable[[Any], Markup]] = {
    "Audit": _render_audit,
    "Benchmark": _render_benchmark,
    "Estimate": _render_estimate,
    "GateResult": _render_gate_result,
    "Item": _render_item,
    "Predictions": _render_predictions,
    "Result": _render_result,
    "Table": _render_table,
}
