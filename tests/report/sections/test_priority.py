"""Which items to mirror first: the pictures, the order that opens items, and odd tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof import auditing, load
from hansproof.probes.priority import Priority
from hansproof.report import render_html
from hansproof.report.sections import build_section
from hansproof.types import Audit, Benchmark, Cell

from ...support.cue_factories import some_items
from ...support.odd_tables import NOTE, cells, with_cell
from ...support.quiz_factories import uneven_quiz
from ...support.report_page import close_rows, figure, fits_a_phone, pictures, write

if TYPE_CHECKING:
    from ...support.report_page import Open


@pytest.fixture(scope="module")
def told() -> Audit:
    probe = Priority(shuffles=3, randomisations=99)
    return auditing.run_audit(load("toy:original"), {"priority": probe})


@pytest.fixture(scope="module")
def page(told: Audit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(told, tmp_path_factory.mktemp("priority"))


def test_the_curves_are_drawn_with_their_marks(look_at: Open, page: Path, told: Audit) -> None:
    shown = look_at(page)
    strength = figure(shown, "How fast the cues lose their strength")
    assert strength.locator(".pane").count() == 2
    result = told.results[0]
    marks = {(row[0], row[1]): row[2] for row in result.tables["until"].rows}
    texts = strength.locator(".role-mark.mark-text text").all_text_contents()
    assert texts == [f"{marks['null', 'priority']}"] * 2
    left = figure(shown, "What is left to be seen")
    texts = left.locator(".role-mark.mark-text text").all_text_contents()
    assert texts == [f"{marks['significant', 'priority']}"]
    assert left.locator(".role-legend text").all_text_contents() == ["priority", "random"] * 2


def test_without_a_mark_there_is_none_and_no_complaint(open_page: Open, tmp_path: Path) -> None:
    items = some_items(11, 60, (2,))
    probe = Priority(shuffles=2, randomisations=99)
    found = auditing.run_audit(Benchmark("b", {"all": items}), {"priority": probe})
    assert found.results[0].verdict == "skipped"
    shown = open_page(write(found, tmp_path))
    assert figure(shown, "How fast the cues").locator(".role-mark.mark-text text").count() == 0


def test_a_row_of_the_order_opens_its_item(look_at: Open, page: Path, told: Audit) -> None:
    shown = look_at(page)
    first = str(told.results[0].tables["order"].rows[0][1])
    item = next(item for item in told.items if item.id == first)
    shown.get_by_role("button", name=first).first.click()
    assert shown.get_by_text(item.fields["premise"]).first.is_visible()
    close_rows(shown.locator("[data-name=order]"))


def test_it_fits_a_phone(open_page: Open, page: Path) -> None:
    fits_a_phone(open_page(page, 390))


@pytest.fixture(scope="module")
def about_rules() -> Audit:
    probe = Priority(target="rules", shuffles=2, randomisations=99)
    quiz = Benchmark("quiz", {"all": uneven_quiz(1, 80)})
    return auditing.run_audit(quiz, {"priority": probe})


@pytest.mark.parametrize("name", ["told", "about_rules"])
def test_every_column_is_explained_that_needs_it(name: str, request: pytest.FixtureRequest) -> None:
    result = request.getfixturevalue(name).results[0]
    for table, meanings in build_section(result).meanings.items():
        known = {*result.tables[table].columns, "interval"}
        assert set(meanings) <= known, table


def test_of_rules_the_pictures_say_so(look_at: Open, about_rules: Audit, tmp_path: Path) -> None:
    shown = look_at(write(about_rules, tmp_path))
    strength = figure(shown, "How fast the rules lose their strength")
    assert strength.locator(".pane").count() == 1
    assert "features of the choices" in figure(shown, "What is left to be seen").inner_text()
    fits_a_phone(shown)


@settings(max_examples=12, deadline=None)
@given(table=st.sampled_from(["curve", "left", "order"]), at=st.integers(0, 14), cell=cells)
def test_any_cell_anywhere_is_a_page(table: str, at: int, cell: Cell, told: Audit) -> None:
    result = told.results[0]
    columns = result.tables[table].columns
    odd = with_cell(result, columns[at % len(columns)], cell, table)
    pictures(render_html(replace(told, results=(odd,))))


def test_odd_tables_are_shown_without_pictures(told: Audit) -> None:
    odd = with_cell(told.results[0], "ratio", "x", "curve")
    assert NOTE in render_html(replace(told, results=(odd,)))
