"""What carries over: a field for each pair, odd tables, a phone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hansproof.probes.transfer import Transfer
from hansproof.report import render_html
from hansproof.report.headline import build_headline
from hansproof.report.sections import build_section
from hansproof.types import Cell, Result, Table

from ...support.odd_tables import NOTE, with_cell, with_table
from ...support.report_page import (
    EVIL,
    OVERRIDE,
    figure,
    fits_a_phone,
    nothing_runs,
    nothing_turns,
    write,
)
from ...support.report_sample import audit
from ...support.transfer_benchmarks import LIKE, ONE, OTHER, planted

if TYPE_CHECKING:
    from ...support.report_page import Open


NAMES = {"one": "one", "like": "a_benchmark_with_quite_a_name", "x": "x"}
PARTS = {"test": ONE.splits["test"]}


@pytest.fixture(scope="module")
def found() -> Result:
    like = replace(LIKE, name=NAMES["like"])
    return Transfer(seeds=2)(ONE, [like, OTHER, replace(planted("bare", "no"), roles={})])


@pytest.fixture(scope="module")
def drawn(found: Result, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(audit((found,), PARTS), tmp_path_factory.mktemp("transfer"))


def test_every_pair_has_a_field_with_its_number(
    open_page: Open, drawn: Path, found: Result
) -> None:
    shown = figure(open_page(drawn), "What carries over")
    table = found.tables["matrix"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    texts = shown.locator(".mark-text.role-mark text").all_text_contents()
    wanted = [f"{100 * float(r['accuracy']):.1f}{'*' * bool(r['flag'])}" for r in rows]  # type: ignore[arg-type]
    assert sorted(texts) == sorted([*wanted, "50.0", "25.0", "50.0", "50.0"])
    assert any(text.endswith("*") for text in texts)
    fields = shown.locator(".mark-rect.role-mark path[aria-label]")
    assert fields.count() == len(rows) == 12
    said = fields.first.get_attribute("aria-label") or ""
    for part in ("trained on: one; ", "tested on: one; ", "accuracy: 92.5%; 95% interval: 84.6%"):
        assert part in said
    outlined = shown.locator(".mark-rect.role-mark path:not([aria-label])")
    assert outlined.count() == 3
    labels = shown.locator(".role-axis-label text").all_text_contents()
    assert labels[-4:] == ["one", NAMES["like"], "x", "by guessing"]


def test_a_phone_shows_all_of_it(open_page: Open, drawn: Path) -> None:
    fits_a_phone(open_page(drawn, 390))


def test_rows_open_the_items_that_stand_in_both(open_page: Open, tmp_path: Path) -> None:
    copied = replace(ONE, name="copied", splits={"test": ONE.splits["train"][:5]}, roles={})
    result = Transfer(seeds=1)(copied, [ONE])
    page = open_page(write(audit((result,), copied.splits), tmp_path))
    table = page.locator("[data-name=matrix]")
    assert table.locator(".opener").count() == 1
    table.locator(".opener").click()
    assert copied.splits["test"][0].choices[0] in table.locator("article").first.inner_text()


def test_every_column_is_explained(found: Result) -> None:
    meanings = build_section(found).meanings
    for name in ("matrix", "runs"):
        columns = {*found.tables[name].columns} - {"low", "high"}
        assert {*meanings[name]} - {"interval"} == columns


def test_hostile_names_are_inert(open_page: Open, found: Result, tmp_path: Path) -> None:
    odd = found
    for column in ("trained_on", "tested_on", "flag", "split"):
        odd = with_cell(odd, column, EVIL + OVERRIDE, "matrix")
    page = open_page(write(audit((odd,), PARTS), tmp_path))
    nothing_runs(page)
    nothing_turns(page, "body *:not(script)")


@pytest.mark.parametrize(
    ("column", "cell"),
    [("accuracy", 1.5), ("chance", None), ("trained_on", 3), ("q", "low"), ("sd", float("nan"))],
)
def test_odd_cells_are_shown_without_a_picture(found: Result, column: str, cell: Cell) -> None:
    assert NOTE in render_html(audit((with_cell(found, column, cell, "matrix"),), PARTS))


def test_a_table_without_rows_is_no_picture(found: Result) -> None:
    bare = with_table(found, lambda table: Table(table.columns, ()), "matrix")
    assert build_section(bare).charts == ()


def test_it_judges_models_and_not_the_benchmark(found: Result) -> None:
    cues = Result("cues", {}, "clear", "Nothing.")
    assert found.verdict == "caution"
    assert build_headline(audit((cues, found), {"dev": PARTS["test"], "test": PARTS["test"]})) == (
        "In paddock, cues found nothing; stronger models than a bag of words may still find one. "
        "About models, see transfer."
    )
