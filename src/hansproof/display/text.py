"""Short texts for a prompt: the `repr` of every public type fits on one screen.

Only the standard library is used: predictions are printed where models are trained, too. Nothing
is imported from the data types: `python -OO` prints a default value while they are defined.
"""

from __future__ import annotations

import reprlib
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..gates import GateResult
    from ..types import Audit, Benchmark, EditResult, Estimate, Predictions, Result, Table

MAX_LENGTH = 1900  # characters of a text
MAX_WIDTH = 100  # characters of a line
MAX_LINES = 10  # of a list: splits, results, estimates
MAX_ROWS, MAX_COLUMNS, MAX_CELL = 8, 7, 18  # of a table
FLAG = "flag"
DECISIVE_COLUMNS = ("q", FLAG)  # shown even where columns are cut
MAX_NAME = 40
MAX_SUMMARY = 300

_SHORT = reprlib.Repr()
_SHORT.maxlevel = 2
_SHORT.maxtuple = _SHORT.maxdict = 4
_SHORT.maxstring = _SHORT.maxother = 100  # characters


def format_object(value: object) -> str:
    """Return a text of less than 2,000 characters for a value of one of the data types."""
    formatter = _FORMATTERS.get(type(value).__name__, format_fields)
    return _truncate(formatter(value), MAX_LENGTH)


def format_fields(value: Any) -> str:
    """Return the fields of a dataclass that are not at their defaults, each shortened."""
    parts = []
    for field in fields(value):
        default = field.default
        if default is MISSING and field.default_factory is not MISSING:
            default = field.default_factory()
        content = getattr(value, field.name)
        if default is MISSING or content != default:
            parts.append(f"{field.name}={_SHORT.repr(content)}")
    return f"{type(value).__name__}({', '.join(parts)})"


def _format_benchmark(benchmark: Benchmark) -> str:
    labelled = benchmark.labelled_splits()
    n_items = sum(map(len, benchmark.splits.values()))
    roles = {split: f", for {role}" for role, split in benchmark.roles.items()}
    rows = [
        (split, f"{len(items):,} items{roles.get(split, '')}"
                f"{'' if split in labelled else ', without answers'}")
        for split, items in benchmark.splits.items()
    ]  # fmt: skip
    title = f"Benchmark {_plain(benchmark.name)}: {n_items:,} items"
    return "\n".join([f"<{title}>", *_align(rows)])


def _format_predictions(run: Predictions) -> str:
    details = [f"view {run.view}", run.protocol]
    details += [f"trained on {run.trained_on}"] if run.trained_on else []
    details += [f"seed {run.seed}"] if run.seed is not None else []
    details += [f"{len(run.scores):,} items scored"]
    details += [f"{len(run.unanswered):,} without an answer"] if run.unanswered else []
    title = f"Predictions of {_plain(run.model)} for {_plain(run.benchmark)}:{_plain(run.split)}"
    return f"<{title}: {', '.join(map(_plain, details))}>"


def _format_table(table: Table) -> str:
    title = f"<Table: {len(table.rows):,} rows, {len(table.columns)} columns>"
    if not table.columns:
        return title
    cells = [table.columns, *sort_flagged(table)[:MAX_ROWS]]
    indices = _choose_columns(table.columns)
    rows = [[_format_cell(row[i]) for i in indices] for row in cells]
    hidden = [_plain(name) for i, name in enumerate(table.columns) if i not in indices]
    lines = [*_align(rows, len(rows))]
    n_more = len(table.rows) - MAX_ROWS
    lines += [f"  … {n_more:,} more rows"] if n_more > 0 else []
    lines += [_truncate(f"  … more columns: {', '.join(hidden)}", MAX_WIDTH)] if hidden else []
    return "\n".join([title, *lines])


def sort_flagged(table: Table) -> list[tuple[Any, ...]]:
    """Return the rows of a table, flagged ones first if it has a column of flags."""
    if table.columns.count(FLAG) != 1:
        return [*table.rows]
    index = table.columns.index(FLAG)
    return sorted(table.rows, key=lambda row: row[index] in ("", None))


def _choose_columns(columns: Sequence[str]) -> list[int]:
    """Choose the columns that fit on a screen: the first ones, and those that decide."""
    first, last = range(len(columns))[:MAX_COLUMNS], range(len(columns))[MAX_COLUMNS:]
    decisive = [i for i in last if columns[i] in DECISIVE_COLUMNS][: len(DECISIVE_COLUMNS)]
    return [*first[: len(first) - len(decisive)], *decisive]


def _format_result(result: Result) -> str:
    q = "" if result.q is None else f", q = {result.q:.2g}"
    lines = [
        f"<Result of {_plain(result.probe)}: {result.verdict}{q}>",
        *_wrap(result.summary),
        *_align([(e.name, _format_estimate(e)) for e in result.estimates]),
        *_list_sizes("tables", {name: len(t.rows) for name, t in result.tables.items()}, "rows"),
        *_list_sizes("evidence", {k: len(ids) for k, ids in result.evidence.items()}, "items"),
    ]
    return "\n".join(lines)


def _format_audit(audit: Audit) -> str:
    from ..report.headline import build_headline
    from ..report.probe_order import sort_results

    n_items = sum(audit.sizes.values())
    title = f"Audit of {_plain(audit.benchmark)}: {n_items:,} items, hansproof {audit.version}"
    rows: list[tuple[str, str, str]] = [
        (result.probe, result.verdict, result.summary) for result in sort_results(audit)
    ]
    rows += [(failure.probe, "failed", failure.error) for failure in audit.failures]
    lines = [*_wrap(build_headline(audit)), *_align(rows, len(rows))]
    return "\n".join([f"<{_plain(title)}>", *lines])


def _format_gate_result(result: GateResult) -> str:
    outcome = "passes" if result.passes() else "does not pass"
    title = f"GateResult: {result.benchmark} {outcome}, limits: {result.limits_source}"
    rows = [(o.limit.name, o.status, o.reason) for o in result.outcomes]
    return "\n".join([f"<{_plain(title)}>", *_align(rows, len(rows))])


def _format_edit_result(result: EditResult) -> str:
    lines = [_format_benchmark(result.benchmark), *_wrap(result.report.summary)]
    return "\n".join(lines).replace("<Benchmark", "<EditResult with benchmark", 1)


def _format_estimate(estimate: Estimate) -> str:
    interval = (
        f" ({estimate.low:.3g} to {estimate.high:.3g})"
        if estimate.low is not None and estimate.high is not None
        else ""
    )
    chance = "" if estimate.chance is None else f", chance {estimate.chance:.3g}"
    return f"{estimate.value:.3g}{interval}{chance}"


def _format_cell(cell: object) -> str:
    text = f"{cell:.4g}" if isinstance(cell, float) else "–" if cell is None else str(cell)
    return _truncate(_plain(text), MAX_CELL)


def _list_sizes(label: str, sizes: Mapping[str, int], unit: str) -> Iterator[str]:
    """Yield one line that names things and how much each contains."""
    if sizes:
        names = (f"{_truncate(_plain(name), MAX_NAME)} ({n:,} {unit})" for name, n in sizes.items())
        yield _truncate(f"  {label}: {', '.join(names)}", 2 * MAX_WIDTH)


def _align(rows: Sequence[Sequence[str]], max_rows: int = MAX_LINES) -> Iterator[str]:
    """Yield the first rows as lines with aligned columns, cut to the width of a screen."""
    cells = [[_plain(cell) for cell in row] for row in rows[:max_rows]]
    widths = [min(max(map(len, column)), MAX_NAME) for column in zip(*cells, strict=True)]
    for row in cells:
        line = "  ".join(
            f"{_truncate(cell, MAX_NAME) if i < len(row) - 1 else cell:<{width}}"
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield _truncate(f"  {line}".rstrip(), MAX_WIDTH)
    if len(rows) > max_rows:
        yield f"  … {len(rows) - max_rows:,} more"


def _wrap(text: str) -> list[str]:
    indent = "  "
    summary = _truncate(_plain(text), MAX_SUMMARY)
    return textwrap.wrap(summary, MAX_WIDTH, initial_indent=indent, subsequent_indent=indent)


def _plain(text: str) -> str:
    """Escape characters that are not printable: the texts of a benchmark are untrusted."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _truncate(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


# by the name of the class: names are unique in the package
_FORMATTERS: dict[str, Callable[[Any], str]] = {
    "Audit": _format_audit,
    "Benchmark": _format_benchmark,
    "EditResult": _format_edit_result,
    "GateResult": _format_gate_result,
    "Predictions": _format_predictions,
    "Result": _format_result,
    "Table": _format_table,
}
