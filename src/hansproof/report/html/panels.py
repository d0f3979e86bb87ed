"""The panels of the page, one per result: text for the template, data for the script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...results import key_estimate
from ...types import Estimate, Result, Table
from ..charts import ReportChart
from ..sections import EvidenceLink, Section, build_section
from .evidence import EvidenceStore
from .tables import estimates_table, pad_rows, table_data, to_records


@dataclass(frozen=True, slots=True)
class ResultPanel:
    """One result, ready to be rendered; the ids of all its parts begin with `id`."""

    id: str
    result: Result
    question: str
    key_estimate: Estimate | None
    notes: tuple[str, ...]
    charts: Mapping[str, ReportChart]  # by id
    tables: Mapping[str, dict[str, Any]]  # by name
    evidence: Mapping[str, int]  # evidence that no row opens: label -> index in the store


def build_panel(id: str, result: Result, question: str, store: EvidenceStore) -> ResultPanel:
    result = replace(result, tables={name: pad_rows(t) for name, t in result.tables.items()})
    section = build_section(result)
    evidence_indices = {
        key: store.add_evidence(key, ids, section.mark) for key, ids in result.evidence.items()
    }
    tables = {
        name: {
            "id": f"{id}-table-{i}",
            **_table_payload(name, table, section, evidence_indices, store),
        }
        for i, (name, table) in enumerate(_tables_to_show(result, section).items())
    }
    opened_indices = {index for table in tables.values() for index in table["opens"].values()}
    return ResultPanel(
        id,
        result,
        question,
        key_estimate(result),
        result.notes + section.notes,
        {f"{id}-chart-{i}": chart for i, chart in enumerate(section.charts)},
        tables,
        {key: index for key, index in evidence_indices.items() if index not in opened_indices},
    )


def page_data(panels: list[ResultPanel], store: EvidenceStore) -> dict[str, Any]:
    """Collect the data that the script of the page draws."""
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


def _tables_to_show(result: Result, section: Section) -> dict[str, Table]:
    if section.show_estimates and result.estimates:
        return {"estimates": estimates_table(result.estimates), **result.tables}
    return result.tables


def _table_payload(
    name: str,
    table: Table,
    section: Section,
    evidence_indices: Mapping[str, int],
    store: EvidenceStore,
) -> dict[str, Any]:
    """Build the data of a table, with the evidence index of each row that opens evidence."""
    link = section.links.get(name)
    row_indices = (
        [
            _row_evidence_index(link, row, section, evidence_indices, store)
            for row in to_records(table)
        ]
        if link
        else []
    )
    lead = link.column if link else next(iter(table.columns), "")
    return {
        **table_data(table, lead, section.meanings.get(name, {})),
        "opens": {row: index for row, index in enumerate(row_indices) if index is not None},
    }


def _row_evidence_index(
    link: EvidenceLink,
    row: dict[str, Any],
    section: Section,
    evidence_indices: Mapping[str, int],
    store: EvidenceStore,
) -> int | None:
    """Return the index of the evidence of a row in the store, if there is any."""
    key = link.key(row)
    if link.items is None:
        return evidence_indices.get(key)
    ids = link.items(row)
    return store.add_evidence(key, ids, section.mark) if store.has_any(ids) else None
