"""A reproduction for machines."""

from __future__ import annotations

from dataclasses import asdict
from importlib import metadata
from typing import Any

from .ours import Ours
from .outcome import Outcome, Reproduction
from .shown import Line, Shown, difference, tables

SCHEMA = 1


def as_json(found: Reproduction) -> dict[str, Any]:
    """Every figure with ours, the difference, a status and why."""
    return {
        "schema": SCHEMA,
        "version": metadata.version("hansproof"),
        "paper": found.paper.key,
        "title": found.paper.title,
        "citation": found.paper.citation,
        "model": found.model,
        "counts": asdict(found.counts()),
        "tables": [_table(found, table) for table in tables(found)],
    }


def _table(found: Reproduction, table: Shown) -> dict[str, Any]:
    return {
        "id": table.printed.id,
        "title": table.printed.title,
        "unit": table.printed.unit,
        "counts": asdict(table.counts),
        "rows": [_row(table, line) for line in table.lines],
        "findings": [
            {"id": one.id, "text": one.text, "cells": [list(place) for place in one.cells]}
            for one in found.findings
            if one.table == table.printed.id
        ],
        "notes": list(table.notes),
    }


def _row(table: Shown, line: Line) -> dict[str, Any]:
    return {
        "labels": dict(zip(table.labels, line.labels, strict=True)),
        "cells": {column: _cell(one) for column, one in line.cells.items()},
    }


def _cell(one: Outcome) -> dict[str, Any]:
    return {
        "published": one.figure.parts,
        "digits": one.figure.digits,
        "ours": _ours(one.ours),
        "difference": difference(one),
        "status": one.said(),
        "why": one.why,
        "rerun": _ours(one.rerun),
    }


def _ours(one: Ours | None) -> dict[str, Any] | None:
    return (
        None if one is None else {**one.parts, "source": one.source, "note": one.note, "by": one.by}
    )
