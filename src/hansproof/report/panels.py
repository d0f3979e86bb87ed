"""What the page shows of each result: words for the template, data for the script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..types import Estimate, Result, Table
from .charts import Chart
from .numbers import key_estimate
from .sections import Opens, Section, section
from .store import Store
from .tables import evened, of_estimates, records, table_data


@dataclass(frozen=True, slots=True)
class Panel:
    """One result, ready to be shown; `id` begins the names of all its parts on the page."""

    id: str
    result: Result
    question: str
    key: Estimate | None
    notes: tuple[str, ...]
    charts: Mapping[str, Chart]  # by id
    tables: Mapping[str, dict[str, Any]]  # by name
    evidence: Mapping[str, int]  # what no row opens: label -> place in the store


def panel(id: str, result: Result, question: str, store: Store) -> Panel:
    result = replace(result, tables={name: evened(t) for name, t in result.tables.items()})
    shown = section(result)
    places = {key: store.add(key, ids, shown.mark) for key, ids in result.evidence.items()}
    tables = {
        name: {"id": f"{id}-table-{at}", **_table(name, table, shown, places, store)}
        for at, (name, table) in enumerate(_tables(result, shown).items())
    }
    opened = {place for table in tables.values() for place in table["opens"].values()}
    return Panel(
        id,
        result,
        question,
        key_estimate(result),
        result.notes + shown.notes,
        {f"{id}-chart-{at}": chart for at, chart in enumerate(shown.charts)},
        tables,
        {key: place for key, place in places.items() if place not in opened},
    )


def data(panels: list[Panel], store: Store) -> dict[str, Any]:
    """What the page's script draws from."""
    return {
        "items": store.items,
        "evidence": store.evidence,
        "tables": {table["id"]: table for panel in panels for table in panel.tables.values()},
        "charts": {
            f"{id}-{label}": {"spec": spec, "table": panel.tables[chart.table]["id"]}
            for panel in panels
            for id, chart in panel.charts.items()
            for label, spec in chart.panes.items()
        },
    }


def _tables(result: Result, shown: Section) -> dict[str, Table]:
    if shown.estimates and result.estimates:
        return {"estimates": of_estimates(result.estimates), **result.tables}
    return result.tables


def _table(
    name: str, table: Table, shown: Section, places: Mapping[str, int], store: Store
) -> dict[str, Any]:
    """A table with, for the rows that open evidence, where that is in the store."""
    opens = shown.opens.get(name)
    found = [_opened(opens, row, shown, places, store) for row in records(table)] if opens else []
    lead = opens.lead if opens else next(iter(table.columns), "")
    return {
        **table_data(table, lead, shown.meanings.get(name, {})),
        "opens": {row: place for row, place in enumerate(found) if place is not None},
    }


def _opened(
    opens: Opens, row: dict[str, Any], shown: Section, places: Mapping[str, int], store: Store
) -> int | None:
    """Where the evidence of a row is in the store, if there is some."""
    key = opens.key(row)
    if opens.items is None:
        return places.get(key)
    ids = opens.items(row)
    return store.add(key, ids, shown.mark) if store.knows(ids) else None
