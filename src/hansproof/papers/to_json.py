"""Reproductions as JSON."""

from __future__ import annotations

from dataclasses import asdict
from importlib import metadata
from typing import Any

from .computed_figures import ComputedFigure
from .render import ComparisonRow, ComparisonTable, comparison_tables, difference
from .reproduction import FigureComparison, Reproduction

SCHEMA = 1


def reproduction_to_json(reproduction: Reproduction) -> dict[str, Any]:
    """Convert a reproduction: printed and computed figures, differences, statuses and reasons."""
    return {
        "schema": SCHEMA,
        "version": metadata.version("hansproof"),
        "paper": reproduction.paper.key,
        "title": reproduction.paper.title,
        "citation": reproduction.paper.citation,
        "model": reproduction.model,
        "counts": asdict(reproduction.figure_counts()),
        "tables": [
            _table_to_json(reproduction, table) for table in comparison_tables(reproduction)
        ],
    }


def _table_to_json(reproduction: Reproduction, table: ComparisonTable) -> dict[str, Any]:
    return {
        "id": table.printed.id,
        "title": table.printed.title,
        "unit": table.printed.unit,
        "counts": asdict(table.counts),
        "rows": [_row_to_json(table, row) for row in table.rows],
        "findings": [
            {"id": finding.id, "text": finding.text, "cells": [list(key) for key in finding.cells]}
            for finding in reproduction.findings
            if finding.table == table.printed.id
        ],
        "notes": list(table.notes),
    }


def _row_to_json(table: ComparisonTable, row: ComparisonRow) -> dict[str, Any]:
    return {
        "labels": dict(zip(table.labels, row.labels, strict=True)),
        "cells": {column: _cell_to_json(comparison) for column, comparison in row.cells.items()},
    }


def _cell_to_json(comparison: FigureComparison) -> dict[str, Any]:
    return {
        "published": comparison.figure.parts,
        "digits": comparison.figure.digits,
        "ours": _computed_to_json(comparison.computed),
        "difference": difference(comparison),
        "status": comparison.status_text(),
        "why": comparison.reason,
        "rerun": _computed_to_json(comparison.retrained),
    }


def _computed_to_json(figure: ComputedFigure | None) -> dict[str, Any] | None:
    return (
        None
        if figure is None
        else {**figure.parts, "source": figure.source, "note": figure.note, "by": figure.model}
    )
