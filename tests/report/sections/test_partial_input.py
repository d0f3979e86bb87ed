"""What blind models answer: the picture, the rows that open, and what odd tables make of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.report import render_html
from hansproof.report.html.tables import to_records
from hansproof.report.sections import build_section
from hansproof.types import Audit, Cell, Result, Table

from ...support.odd_tables import NOTE, bare, cells, cut, doubled, renamed, with_cell, with_table
from ...support.report_page import (
    EVIL,
    OVERRIDE,
    RED,
    close_rows,
    data,
    dots,
    figure,
    fits_a_phone,
    nothing_runs,
    nothing_turns,
    overflow,
    pictures,
    write,
)
from ...support.sample_answers import told
from ...support.sample_blind import alone, asked, horses, in_company

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from ...support.report_page import Open


TITLE = "Accuracy by what is shown"
BLUE, FAINT = "var(--chart-blue)", "var(--chart-faint)"
PARTS = ["pooled", "original", "mirrored", "original → mirrored"]
FIXED = ("by construction", "no choices")


@pytest.fixture(scope="module")
def lone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(alone(), tmp_path_factory.mktemp("lone"))


@pytest.fixture(scope="module")
def herd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(in_company(), tmp_path_factory.mktemp("herd"))


def result(audit: Audit) -> Result:
    (found,) = audit.results
    return found


def rows(audit: Audit, table: str = "views") -> list[dict[str, Any]]:
    return to_records(result(audit).tables[table])


def labels(page: Page, part: str) -> list[str]:
    pane = page.locator(".pane", has=page.get_by_role("heading", name=part, exact=True))
    return pane.locator(".role-axis-label text").all_text_contents()


def test_every_view_is_a_dot_in_the_pane_of_its_part(look_at: Open, lone: Path) -> None:
    page, made = look_at(lone), rows(alone())
    drawn = figure(page, TITLE)
    assert drawn.count() == 1
    assert drawn.locator("h5").all_inner_texts() == PARTS
    assert dots(drawn).count() == len(made)
    for part in PARTS:
        assert labels(page, part)[-4:] == ["choices", "full", "full/shuffled", "premise"]
    assert "It does not show that your model does so." in drawn.locator("figcaption").inner_text()


def test_colours_tell_findings_from_what_is_fixed(look_at: Open, lone: Path) -> None:
    page, made = look_at(lone), rows(alone())
    drawn = figure(page, TITLE)
    red = [row for row in made if row["flag"] == "above chance"]
    fixed = [row for row in made if row["flag"] in FIXED]
    full = [row for row in made if row["view"] == "full"]
    shuffled = [row for row in made if row["view"] == "full/shuffled"]
    assert red
    assert {row["flag"] for row in fixed} == {*FIXED}
    mark = ".mark-symbol.role-mark path"
    assert drawn.locator(f"{mark}[fill='{RED}']").count() == len(red)
    assert drawn.locator(f"{mark}[fill='{BLUE}']").count() == len(full)
    assert drawn.locator(f"{mark}[stroke='{FAINT}']").count() == len(fixed)
    assert drawn.locator(f"{mark}[stroke='{BLUE}']").count() == len(shuffled)


def test_models_have_lines_of_their_own(open_page: Open, herd: Path) -> None:
    page, made = open_page(herd), rows(in_company())
    assert dots(figure(page, TITLE)).count() == len(made)
    assert labels(page, "original")[-8:] == [
        "bow · choices", "bow · full", "bow · full/shuffled", "bow · premise",
        "Hans · full", "Hans · choices", "Muhamed · full", "bow (predictions) · choices",
    ]  # fmt: skip
    lines = {
        round(place.bounding_box()["y"])  # type: ignore[index]
        for place in page.locator(".pane").nth(1).locator(".mark-symbol.role-mark path").all()
    }
    assert len(lines) == 8


def test_a_dot_and_a_row_open_what_is_always_right(look_at: Open, lone: Path) -> None:
    page = look_at(lone)
    table = page.locator("[data-name=views]")
    assert table.locator(".opener").count() == len(result(alone()).evidence)
    figure(page, TITLE).locator(f".mark-symbol.role-mark path[fill='{RED}']").first.dispatch_event(
        "click"
    )
    table.locator("tr.panel").wait_for()
    assert table.locator(".opener[aria-expanded=true]").inner_text() == "choices"
    assert table.locator("tr.panel article").count() > 10
    assert page.locator("details.loose").count() == 0
    close_rows(table)


def opened(page: str, column: str) -> list[int]:
    """The places of the rows that open something, in the table with this column."""
    (table,) = [t for t in data(page)["tables"].values() if column in t["names"]]
    return [int(at) for at in table["opens"]]


def test_findings_open_and_by_the_name_of_their_part(herd: Path) -> None:
    made = rows(in_company())
    found = [at for at, row in enumerate(made) if row["flag"] == "above chance"]
    assert opened(herd.read_text(encoding="utf-8"), "best") == found
    ids = next(iter(result(alone()).evidence.values()))
    learnt = {"original → mirrored: bow sees choices": ids, "mirrored: bow sees full": ids}
    page = render_html(told((replace(result(alone()), evidence=learnt),)))
    shown = [
        (row["split"], row["protocol"], row["view"])
        for row in (rows(alone())[at] for at in opened(page, "best"))
    ]
    assert shown == [("mirrored", "train-test", "choices"), ("mirrored", "cv", "full")]


def test_an_item_opens_with_the_words_that_told(look_at: Open, lone: Path) -> None:
    page, first = look_at(lone), rows(alone(), "items")[0]
    table = page.locator("[data-name=items]")
    table.locator(".opener").first.click()
    article = table.locator("tr.panel article")
    assert article.count() == 1
    assert article.locator(".item-id").inner_text() == first["item"]
    marked = article.locator("mark").all_inner_texts()
    assert marked
    assert all(word.lower() in first["words"] for word in marked)
    assert table.locator(".evidence-size").inner_text() == "1 item"
    close_rows(table)


def test_items_that_are_not_in_the_file_do_not_open(lone: Path) -> None:
    whole = lone.read_text(encoding="utf-8")
    assert opened(whole, "words") == [*range(len(rows(alone(), "items")))]
    assert opened(render_html(replace(alone(), items=())), "words") == []


def test_a_phone_and_paper_show_it_whole(open_page: Open, herd: Path) -> None:
    page = open_page(herd, width=390)
    fits_a_phone(page)
    page.emulate_media(media="print")
    assert page.locator(".chart svg:visible").count() == len(PARTS)
    assert page.locator(".q:visible, .shared:visible").count() >= 1


def test_no_column_is_cut_off_on_paper(open_page: Open, lone: Path) -> None:
    page = open_page(lone)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 688, "height": 980})  # A4 between its margins
    for table in page.locator(".table").all():
        wide: int = table.locator("table").evaluate("table => table.offsetWidth")
        assert wide <= 688


@pytest.mark.slow
def test_names_are_text_however_long(open_page: Open, tmp_path: Path) -> None:
    names = (EVIL.replace("\ud800", "") + OVERRIDE, f"{'very ' * 60}long")
    page = open_page(write(told((asked(*horses(names)),)), tmp_path), width=390)
    nothing_runs(page)
    assert overflow(page) <= 0
    nothing_turns(page)
    lines = page.locator(".role-axis-label :is(tspan, text:not(:has(tspan)))").all_text_contents()
    assert max(map(len, lines)) <= 22
    assert page.locator("[data-name=views] .opener", has_text="choices").count() > 0


def test_splits_and_views_are_text_too(open_page: Open, tmp_path: Path) -> None:
    made = result(alone())
    hostile = {
        name: Table(
            table.columns,
            tuple(tuple(EVIL + OVERRIDE if isinstance(c, str) else c for c in r)
                  for r in table.rows),
        )
        for name, table in made.tables.items()
    }  # fmt: skip
    page = open_page(write(told((replace(made, tables=hostile, evidence={}),)), tmp_path))
    nothing_runs(page)
    assert figure(page, TITLE).locator(".pane").count() == 1  # all are called the same now
    assert dots(figure(page, TITLE)).count() == len(made.tables["views"].rows)


@pytest.mark.parametrize(
    ("table", "column", "cell"),
    [
        ("views", "split", None), ("views", "view", 3), ("views", "model", None),
        ("views", "protocol", None), ("views", "trained_on", 7), ("views", "accuracy", 1.2),
        ("views", "low", None), ("views", "high", "x"), ("views", "chance", -1), ("views", "n", 0),
        ("views", "q", "small"), ("views", "hans", 1e308), ("views", "hans_high", "much"),
        ("views", "flag", None), ("items", "item", None), ("items", "words", 3),
    ],
)  # fmt: skip
def test_odd_cells_get_the_default(table: str, column: str, cell: Cell) -> None:
    assert NOTE in render_html(told((with_cell(result(alone()), column, cell, table),)))


@pytest.mark.parametrize("change", [renamed, doubled, bare, cut])
def test_odd_tables_get_the_default(change: Callable[[Table], Table]) -> None:
    for table in ("views", "items"):
        assert NOTE in render_html(told((with_table(result(alone()), change, table),)))


def test_without_tables_or_tokenizer_it_is_words() -> None:
    assert NOTE in render_html(told((replace(result(alone()), tables={}),)))
    assert NOTE in render_html(told((replace(result(alone()), params={}),)))
    unknown = render_html(told((replace(result(alone()), params={"tokenizer": "klingon 1.0"}),)))
    assert NOTE not in unknown
    assert "Words are not marked in the items" in unknown


def test_empty_tables_have_no_picture() -> None:
    made = result(alone())
    empty = {name: Table(table.columns, ()) for name, table in made.tables.items()}
    page = render_html(told((replace(made, tables=empty),)))
    assert NOTE not in page
    assert data(page)["charts"] == {}


@settings(max_examples=6, deadline=None)
@given(table=st.sampled_from(["views", "differences", "items"]), at=st.integers(0, 18), cell=cells)
def test_any_cell_anywhere_is_a_page(table: str, at: int, cell: Cell) -> None:
    made = result(in_company())
    columns = made.tables[table].columns
    pictures(render_html(told((with_cell(made, columns[at % len(columns)], cell, table),))))


def test_what_the_probe_leaves_open_is_drawn(open_page: Open, tmp_path: Path) -> None:
    made = result(alone())
    for column in ("trained_on", "p", "q", "hans", "hans_low", "hans_high"):
        made = with_cell(made, column, None, "views")
    page = open_page(write(told((made,)), tmp_path))
    assert page.get_by_text(NOTE).count() == 0
    about = figure(page, TITLE).locator("[aria-label*='q: not judged']").first
    assert "Hans score: none" in (about.get_attribute("aria-label") or "")


def test_every_column_is_explained() -> None:
    made = result(alone())
    meanings = build_section(made).meanings
    ends = {"low", "high", "hans_low", "hans_high", "p_floor", "q_floor"}
    for name, table in made.tables.items():
        explained = set(meanings[name])
        assert {*table.columns} - ends <= explained, name
        assert explained <= {*table.columns, "interval", "hans interval"}, name
        assert not any(meaning.endswith(".") for meaning in meanings[name].values())


def test_ends_stand_in_one_column_with_what_they_are_of(lone: Path) -> None:
    tables = data(lone.read_text(encoding="utf-8"))["tables"].values()
    (table,) = [table for table in tables if "best" in table["names"]]
    columns = [column["label"] for column in table["columns"]]
    assert columns[columns.index("hans") + 1] == "hans interval"
    assert columns[columns.index("accuracy") + 1] == "interval"
    assert not {"hans low", "hans high", "low", "high"} & set(columns)


def test_what_all_rows_of_a_wide_table_share_is_said_once(look_at: Open, lone: Path) -> None:
    page = look_at(lone)
    views = page.locator("[data-name=views]")
    assert views.locator(".shared").inner_text() == "In every row: model bow chance 0.500"
    assert not {"model", "chance"} & set(views.locator("th").all_inner_texts())
    assert page.locator("[data-name=differences] .shared").count() == 0
    assert page.locator("[data-name=differences] th", has_text="model").count() == 1
