"""Charts of results for notebooks: the first chart of a probe's section, with its rows."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, cast

from .._infra.docstrings import keep_docstrings
from ..errors import BadInput, UnknownName
from ..report.escape import reveal_hidden

if TYPE_CHECKING:
    import altair

    from ..report.charts import ReportChart
    from ..types import Cell, Result, Table

WIDTH = 600  # pixels of a plot; in the report it is as wide as the page
CONTAINER_WIDTH = "containerSize()[0]"  # of the page, in expressions of the charts
CHART_CLASSES = {"layer": "LayerChart", "hconcat": "HConcatChart", "vconcat": "VConcatChart"}
TOP_LEVEL = ("$schema", "autosize", "background", "config", "datasets", "usermeta")


def build_chart(result: Result, split: str | None = None) -> altair.TopLevelMixin:
    """Build the first chart of a result; one below the other if it has several panes."""
    keep_docstrings("altair")  # it does not import without them
    import altair
    from altair.utils.schemapi import debug_mode

    from ..report.sections import build_section

    with debug_mode(False):  # else altair validates every mark against Vega-Lite's schema
        charts = build_section(result).charts
    if not charts:
        raise BadInput(result.probe, "there is no chart of this result; it may have tables")
    spec = _build_spec(result, charts[0], split)
    kind = next((name for key, name in CHART_CLASSES.items() if key in spec), "Chart")
    chart_class: Any = getattr(altair, kind)
    # to find the class by validating against all of them takes twice as long
    return cast("altair.TopLevelMixin", chart_class.from_dict(spec, validate=False))


def _build_spec(result: Result, chart: ReportChart, split: str | None) -> dict[str, Any]:
    """Join the panes of a chart, and embed the rows of its table."""
    if split is None:
        split = next(iter(chart.splits), None)
    elif not chart.splits:
        raise BadInput("split", "this chart shows all splits: leave it out")
    elif split not in chart.splits:
        raise UnknownName("split of this chart", split, chart.splits)
    panes = {label: _resize(pane) for label, pane in chart.panes.items()}
    rows = _select_rows(result.tables[chart.table], split)
    if len(panes) == 1:
        (spec,) = panes.values()
        spec.pop("autosize", None)
        _select_split(spec, split)
    else:
        spec = _stack_panes(panes)
    spec["title"] = chart.title
    spec["background"] = "white"  # the labels are dark, and so are some notebooks
    spec["datasets"] = {**spec.get("datasets", {}), "rows": rows}
    return spec


def _resize(pane: dict[str, Any]) -> dict[str, Any]:
    """Copy a pane with a fixed width: a cell of a notebook does not tell its own."""
    copied: dict[str, Any] = json.loads(json.dumps(pane).replace(CONTAINER_WIDTH, str(WIDTH)))
    return {**copied, "width": WIDTH}


def _select_split(spec: dict[str, Any], split: str | None) -> None:
    """Set the selected split and the height for its rows, as the script of the page does."""
    for parameter in spec.get("params", ()):
        if parameter["name"] == "split":
            parameter["value"] = split
    heights = spec.pop("usermeta", {}).get("heights", {})
    spec["height"] = heights.get(split, spec["height"])


def _stack_panes(panes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    first = next(iter(panes.values()))
    shared: dict[str, Any] = {key: first[key] for key in ("$schema", "config") if key in first}
    datasets = {k: v for pane in panes.values() for k, v in pane.get("datasets", {}).items()}
    views = [
        {"title": label, **{key: value for key, value in pane.items() if key not in TOP_LEVEL}}
        for label, pane in panes.items()
    ]
    return {**shared, "datasets": datasets, "vconcat": views}


def _select_rows(table: Table, split: str | None) -> list[dict[str, Any]]:
    """Return the rows of a split, or all rows, with hidden characters made visible."""
    records = [
        {"row": i}
        | {name: _plain_cell(cell) for name, cell in zip(table.columns, row, strict=True)}
        for i, row in enumerate(table.rows)
    ]
    return [record for record in records if split is None or record["split"] == split]


def _plain_cell(cell: Cell) -> Cell:
    """Make hidden characters visible; infinities become None, as JSON has none."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return None
    return reveal_hidden(cell) if isinstance(cell, str) else cell
