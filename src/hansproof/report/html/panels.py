"""The panels of the page, one per result: text for the template, data for the script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...results import key_estimate
from ...types import FINDINGS, Audit, Estimate, Result, Table
from ..charts import ReportChart
from ..escape import reveal_hidden
from ..explain import explain_terms, explain_verdict
from ..next_steps import NextStep, next_step
from ..probe_order import sort_results
from ..sections import EvidenceLink, Section, Statement, build_section
from .evidence import EvidenceStore
from .example import Example, choose_example
from .gauge import Gauge, build_gauge
from .tables import estimates_table, pad_rows, table_data, to_records

PAGE_ANCHORS = ("summary", "findings", "failed", "not-tested", "reading", "data")  # of the template


@dataclass(frozen=True, slots=True)
class ResultPanel:
    """One result, ready to be rendered; the ids of all its parts begin with `id`."""

    id: str
    result: Result
    question: str
    terms: str
    meaning: str
    key_estimate: Estimate | None
    gauge: Gauge | None
    is_widened: bool  # the interval was widened to include chance
    example: Example | None
    next_step: NextStep | None
    notes: tuple[str, ...]
    charts: Mapping[str, ReportChart]  # by id
    statements_title: str
    statements: tuple[Statement, ...]
    tables: Mapping[str, dict[str, Any]]  # by name
    evidence: Mapping[str, int]  # evidence that no row opens: label -> index in the store


def build_panels(
    audit: Audit, questions: Mapping[str, str], store: EvidenceStore
) -> list[ResultPanel]:
    """Build the panels of all results, the strongest findings first."""
    results = sort_results(audit)
    return [
        _build_panel(id, result, questions.get(result.probe, ""), audit, store)
        for id, result in zip(_anchors(results), results, strict=True)
    ]


def _anchors(results: list[Result]) -> Iterator[str]:
    """Yield a unique id for each result, made from the name of its probe."""
    taken = {*PAGE_ANCHORS}
    for result in results:
        name = re.sub(r"[^a-z0-9_]+", "-", result.probe.lower()).strip("-") or "probe"
        numbered = (f"{name}-{i}" if i > 1 else name for i in range(1, len(results) + 2))
        anchor = next(candidate for candidate in numbered if candidate not in taken)
        taken.add(anchor)
        yield anchor


def _build_panel(
    id: str, result: Result, question: str, audit: Audit, store: EvidenceStore
) -> ResultPanel:
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
    estimate = key_estimate(result)
    return ResultPanel(
        id=id,
        result=result,
        question=question,
        terms=explain_terms(result),
        meaning=explain_verdict(result),
        key_estimate=estimate,
        gauge=build_gauge(estimate),
        is_widened=result.verdict not in FINDINGS and is_widened(estimate),
        example=choose_example(result, section, store),
        next_step=next_step(result, audit),
        notes=result.notes + section.notes,
        charts={
            f"{id}-chart-{i}": _open_on(chart, estimate) for i, chart in enumerate(section.charts)
        },
        statements_title=section.statements_title,
        statements=section.statements,
        tables=tables,
        evidence={
            key: index for key, index in evidence_indices.items() if index not in opened_indices
        },
    )


def _open_on(chart: ReportChart, estimate: Estimate | None) -> ReportChart:
    """Let a chart with a selector of splits open on the split of an estimate, if it has it."""
    split = reveal_hidden(estimate.split) if estimate else ""
    return replace(chart, first_split=split) if split in chart.splits else chart


def is_widened(estimate: Estimate | None) -> bool:
    """Tell whether an interval ends exactly at chance, as those do that were widened to reach it.

    An interval around chance itself, of a number that is fixed, was not.
    """
    if estimate is None or estimate.chance is None or estimate.value == estimate.chance:
        return False
    return estimate.chance in (estimate.low, estimate.high)


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
    """Return the tables that have rows, and the estimates where no table contains them."""
    tables = {**result.tables, **section.tables}
    if section.show_estimates and result.estimates:
        tables = {"estimates": estimates_table(result.estimates), **tables}
    return {name: table for name, table in tables.items() if table.rows}


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
        "ordered": name in section.ordered,
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
