"""Audits of our schema that no probe of ours writes: a page all the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.report import render_html
from hansproof.types import Audit, Cell, Result, Table

from ...support.odd_tables import (
    DRAWN,
    NOTE,
    SMALL,
    bare,
    cells,
    cut,
    doubled,
    renamed,
    widened,
    with_cell,
    with_table,
)
from ...support.report_page import data, pictures, write
from ...support.report_sample import audit

if TYPE_CHECKING:
    from ...support.report_page import Open


def changed(probe: str, change: Callable[[Result], Result]) -> Audit:
    """One result of the small sample, changed, as read from its file."""
    results = tuple(change(result) for result in SMALL.results if result.probe == probe)
    return msgspec.json.decode(msgspec.json.encode(replace(SMALL, results=results)), type=Audit)


@pytest.mark.parametrize("probe", DRAWN)
@pytest.mark.parametrize("change", [renamed, doubled, bare])
def test_other_columns_get_the_default(probe: str, change: Callable[[Table], Table]) -> None:
    assert NOTE in render_html(changed(probe, lambda result: with_table(result, change)))


@pytest.mark.parametrize("probe", DRAWN)
def test_without_its_tables_a_result_is_words(probe: str) -> None:
    page = render_html(changed(probe, lambda result: replace(result, tables={})))
    assert NOTE in page
    assert f'data-name="{DRAWN[probe]}"' not in page


@pytest.mark.parametrize("probe", DRAWN)
def test_uneven_rows_are_evened(probe: str) -> None:
    for change in (cut, widened):
        page = render_html(changed(probe, lambda result, how=change: with_table(result, how)))  # type: ignore[misc]
        for table in data(page)["tables"].values():
            assert {len(row) for row in table["rows"]} <= {len(table["names"])}


@pytest.mark.parametrize(
    ("probe", "column", "cell"),
    [
        ("cues", "high", None), ("cues", "coverage", 0), ("cues", "coverage", 5e-324),
        ("cues", "coverage", -1), ("cues", "productivity", "much"), ("cues", "productivity", 1e308),
        ("cues", "chance", 0), ("cues", "p", "small"), ("cues", "p", None), ("cues", "split", 7),
        ("cues", "flag", None), ("cues", "cue", None), ("cues", "applicability", True),
        ("cues", "applicability", 1.5), ("cues", "hits", 10**400), ("surface", "low", None),
        ("surface", "high", "x"), ("surface", "slice", None), ("surface", "tell", 3),
        ("surface", "chance", 2), ("class_balance", "high", None), ("class_balance", "n", 0),
        ("class_balance", "split", None), ("integrity", "splits", None),
    ],
)  # fmt: skip
def test_odd_cells_get_the_default(probe: str, column: str, cell: Cell) -> None:
    results = tuple(with_cell(r, column, cell) for r in SMALL.results if r.probe == probe)
    assert NOTE in render_html(replace(SMALL, results=results))


@pytest.mark.parametrize("n", [0, -3, None, "many", 10**400, 2.5])
def test_odd_sizes_get_the_default(n: Cell) -> None:
    results = tuple(with_cell(r, "n", n, "summary") for r in SMALL.results if r.probe == "cues")
    assert NOTE in render_html(replace(SMALL, results=results))


def test_missing_params_get_the_default() -> None:
    assert NOTE in render_html(changed("cues", lambda result: replace(result, params={})))
    assert NOTE in render_html(changed("cues", lambda r: replace(r, params={"tokenizer": 3})))


def test_what_the_probes_write_is_drawn() -> None:
    results = tuple(with_cell(r, "q", None) if r.probe == "cues" else r for r in SMALL.results)
    page = render_html(replace(SMALL, results=results))
    assert NOTE not in page
    assert len(data(page)["charts"]) == 3


@settings(max_examples=16, deadline=None)
@given(probe=st.sampled_from(list(DRAWN)), at=st.integers(0, 12), cell=cells)
def test_any_cell_anywhere_is_a_page(probe: str, at: int, cell: Cell) -> None:
    def change(result: Result) -> Result:
        columns = result.tables[DRAWN[probe]].columns
        return with_cell(result, columns[at % len(columns)], cell)

    one = tuple(change(r) for r in SMALL.results if r.probe == probe)
    pictures(render_html(replace(SMALL, results=one)))


def test_the_script_takes_odd_tables_too(open_page: Open, tmp_path: Path) -> None:
    cues, surface = SMALL.results[1], SMALL.results[3]
    odd = [
        with_cell(cues, column, cell)
        for column, cell in (("high", None), ("low", "x"), ("p", "x"), ("productivity", None),
                             ("chance", None), ("coverage", 0), ("split", None))
    ]  # fmt: skip
    odd += [with_table(cues, change) for change in (cut, bare, renamed)]
    odd += [with_cell(surface, "low", None), with_cell(surface, "q", "x")]
    page = open_page(write(audit(tuple(odd), {"dev": ()}), tmp_path))
    assert page.locator(".note", has_text=NOTE).count() == len(odd)
    assert page.locator(".chart").count() == 0
