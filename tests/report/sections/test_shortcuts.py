"""Shortcuts: the ladder, its last lines, the rules as sentences, and odd tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof import load
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
    dots,
    figure,
    fits_a_phone,
    nothing_runs,
    nothing_turns,
    on_paper,
    overflow,
    pictures,
    shown,
    write,
)
from ...support.sample_answers import run
from ...support.sample_shortcuts import (
    ask,
    beside_a_model,
    clear_by_design,
    length_tells,
    words_tell,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from ...support.report_page import Open

TITLE = "How far the choices alone get"
RUNGS = [
    "length and typography", "place in the list", "single words", "pairs of words",
    "word patterns", "classes of words", "relations of choices", "common or rare words",
]  # fmt: skip
UNTRIED = ["language model", "meaning (encoder)"]
TABLES = ["rungs", "rules", "blind"]


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(words_tell(), tmp_path_factory.mktemp("words"))


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(beside_a_model(), tmp_path_factory.mktemp("company"))


def result(audit: Audit) -> Result:
    (found,) = audit.results
    return found


def rows(audit: Audit, table: str = "rungs") -> list[dict[str, Any]]:
    return to_records(result(audit).tables[table])


def find_labels(page: Page, known: str) -> list[str]:
    groups = figure(page, TITLE).locator(".role-axis-label").all()
    labels = [group.locator("text").all_text_contents() for group in groups]
    return next(group for group in labels if known in group)


def test_rungs_are_listed_from_the_lowest_and_what_was_not_tried_below(
    look_at: Open, words: Path
) -> None:
    page = look_at(words)
    assert find_labels(page, RUNGS[0]) == [*RUNGS, *UNTRIED, "other blind models"]
    assert dots(figure(page, TITLE)).count() == len(RUNGS)
    hints = figure(page, TITLE).locator(".role-mark.mark-text text").all_text_contents()
    assert hints == [
        "not tried: add --lm MODEL", "not tried: add --encoder MODEL",
        "none given: add --blind MODEL",
    ]  # fmt: skip


def test_bars_begin_at_chance_and_the_leading_rung_is_red(look_at: Open, words: Path) -> None:
    page, made = look_at(words), rows(words_tell())
    bars = figure(page, TITLE).locator(".role-mark.mark-rect path")
    red = figure(page, TITLE).locator(f".role-mark.mark-rect path[fill='{RED}']")
    added = [
        row["together"] > before
        for row, before in zip(
            made, [made[0]["chance"], *(row["together"] for row in made)], strict=False
        )
    ]
    assert bars.count() == len(made) + sum(added)
    assert red.count() == 1
    (leading,) = [i for i, row in enumerate(made) if row["flag"] == "leading"]
    assert added[leading]
    label = figure(page, TITLE).locator(f".role-axis-label text[fill='{RED}']")
    assert label.all_text_contents() == [RUNGS[leading]]


def read_caption(page: Page) -> str:
    return figure(page, TITLE).locator("figcaption").inner_text()


def test_shares_are_on_the_right_and_add_up(look_at: Open, words: Path) -> None:
    page, made = look_at(words), rows(words_tell())
    expected = [f"{row['share']:.0%}".replace("-", "−") for row in made]
    shares = find_labels(page, expected[0])
    assert shares == [*expected, "", "", ""]
    assert "−4%" in shares
    numbers = [int(share.rstrip("%").replace("−", "-")) for share in expected]
    assert sum(numbers) == pytest.approx(100, abs=2)  # but for rounding
    assert "Below 0%: with that rung, fewer items" in read_caption(page)
    bold = figure(page, TITLE).locator(".role-axis-label text[font-weight=bold]")
    certain = [e for e, row in zip(expected, made, strict=True) if row["share_low"] > 0]
    assert [text for text in bold.all_text_contents() if "%" in text] == certain


def test_beside_a_better_model_the_last_line_is_what_no_rung_explains(
    look_at: Open, company: Path
) -> None:
    page = look_at(company)
    labels = find_labels(page, RUNGS[0])
    assert labels == [*RUNGS, "not explained by any rung", *UNTRIED]
    best = next(row for row in rows(beside_a_model(), "blind") if row["flag"] == "explained")
    assert find_labels(page, f"{best['unexplained']:.0%}")[len(RUNGS)] == "43%"
    assert (
        "Not explained by any rung: the ring is the best blind model, Hans. "
        "Dashed box: what it answers beyond all rungs." in read_caption(page)
    )
    assert figure(page, TITLE).locator(".mark-rect path[stroke-dasharray]").count() == 1


def test_a_model_that_answers_less_than_the_rungs_has_no_line(
    open_page: Open, tmp_path: Path
) -> None:
    beaten = ask(load("toy:original"), run("Hans", 0.5, 1, "choices"))
    page = open_page(write(beaten, tmp_path))
    assert find_labels(page, RUNGS[0]) == [*RUNGS, *UNTRIED]
    assert dots(figure(page, TITLE)).count() == len(RUNGS)
    assert figure(page, TITLE).locator(".mark-rect path[stroke-dasharray]").count() == 0
    caption = read_caption(page)
    assert "No other blind model answers more than all rungs together." in caption
    assert "ring" not in caption
    assert "Dashed box" not in caption


def test_a_dashed_box_is_explained_only_where_one_is_drawn(open_page: Open, tmp_path: Path) -> None:
    together = rows(beside_a_model())[-1]["together"]

    def make_level(blind: Table) -> Table:
        at = blind.columns.index("accuracy")
        return Table(
            blind.columns, tuple((*row[:at], together, *row[at + 1 :]) for row in blind.rows)
        )

    level = with_table(result(beside_a_model()), make_level, "blind")
    page = open_page(write(replace(beside_a_model(), results=(level,)), tmp_path))
    caption = read_caption(page)
    assert "the ring is the best blind model, Hans." in caption
    assert "Dashed box" not in caption
    assert figure(page, TITLE).locator(".mark-rect path[stroke-dasharray]").count() == 0


def test_dots_are_described_for_those_who_do_not_see_them(look_at: Open, words: Path) -> None:
    first = dots(figure(look_at(words), TITLE)).first.get_attribute("aria-label")
    row = rows(words_tell())[0]
    assert first is not None
    assert first.startswith(f"rung: {RUNGS[0]}; accuracy: {row['accuracy']:.1%}; 95% interval: ")
    assert first.endswith(f"share of the gain over chance: {row['share']:.0%}")


def test_rules_are_sentences_with_their_chance(look_at: Open, words: Path) -> None:
    stated = look_at(words).locator(".statements li")
    assert stated.locator(".stated").all_inner_texts() == [
        "The only choice with “had” is right in 15 of 19 items.",
    ]
    assert stated.locator(".figures-of").all_inner_texts() == [
        "78.9% (56.7 to 91.5%), chance 50.0% items",
    ]


def test_chance_of_a_wrong_choice_is_that_of_being_wrong() -> None:
    eliminating = with_cell(result(length_tells()), "kind", "eliminating", "rules")
    (statement,) = build_section(eliminating).statements
    row = rows(length_tells(), "rules")[0]
    assert statement.estimate.chance == 0.75
    assert statement.estimate.value == pytest.approx(1 - row["precision"])
    assert statement.estimate.low == pytest.approx(1 - row["high"])
    assert statement.sentence == "The longest choice is wrong in 16 of 200 items."


def test_a_rule_opens_its_items_with_the_keyboard(look_at: Open, words: Path) -> None:
    page = look_at(words)
    table = page.locator("[data-name=rules]")
    page.get_by_role("link", name="Items: The only choice with “had”").focus()
    page.keyboard.press("Enter")
    table.locator("tr.panel").wait_for()
    assert table.locator(".opener[aria-expanded=true]").inner_text() == "the only choice with “had”"
    assert table.locator("tr.panel article").count() == len(
        result(words_tell()).evidence["the only choice with “had”"]
    )
    assert {mark.lower() for mark in table.locator("mark").all_inner_texts()} == {"had"}
    assert table.locator(".evidence-size").inner_text() == "15 items"  # as many as are right
    assert page.evaluate("document.activeElement.className") == "opener"
    close_rows(table)


def test_the_example_is_about_the_strongest_rule(look_at: Open, words: Path) -> None:
    example = look_at(words).locator(".example")
    assert example.locator(".caption").inner_text() == (
        "The only choice with “had” is the right one."
    )
    marked = example.locator("li.right mark")
    assert marked.count() >= 1
    assert {mark.lower() for mark in marked.all_inner_texts()} == {"had"}
    assert example.locator("li:not(.right) mark").count() == 0


@pytest.mark.parametrize("audit", [words_tell(), length_tells()], ids=["telling", "lengths"])
def test_a_rule_opens_as_many_items_as_it_counts(audit: Audit) -> None:
    found = result(audit)
    for row in rows(audit, "rules"):
        wrong = row["n"] - row["right"]
        expected = wrong if row["kind"] == "eliminating" else row["right"]
        assert len(found.evidence[row["rule"]]) == expected


@pytest.mark.parametrize("space", ["\u00a0", "\u202f"])
def test_a_rule_about_spaces_shows_them(space: str, open_page: Open, tmp_path: Path) -> None:
    rule, audit = "the only choice with a no-break space", words_tell()
    found = with_cell(result(audit), "rule", rule, "rules")
    item = replace(audit.items[0], choices=(f"10{space}km away", "ten km away"), answer=0)
    odd = replace(found, evidence={rule: (item.id,)})
    page = open_page(write(replace(audit, items=(item,), results=(odd,)), tmp_path))
    page.get_by_role("link", name="Items: The only choice with a no-break space").click()
    for place in (".example", "tr.panel article"):
        marks = page.locator(f"{place} mark .hidden-character")
        assert marks.all_inner_texts() == [f"U+{ord(space):04X}"]


def test_rungs_keep_their_order_in_the_table(look_at: Open, words: Path) -> None:
    cells_of_rungs = look_at(words).locator("[data-name=rungs] tbody tr td[data-label=rung]")
    assert cells_of_rungs.all_inner_texts() == [row["rung"] for row in rows(words_tell())]


def test_without_a_finding_there_are_no_shares_and_no_rules(
    open_page: Open, tmp_path: Path
) -> None:
    overruled = replace(words_tell(), results=(replace(result(words_tell()), verdict="clear"),))
    page = open_page(write(overruled, tmp_path))
    assert find_labels(page, RUNGS[0]) == [*RUNGS, *UNTRIED]
    assert figure(page, TITLE).locator(".role-axis-label").count() == 2
    assert page.locator(f"[fill='{RED}']").count() == 0
    assert page.locator(".statements, .example").count() == 0
    caption = read_caption(page)
    assert "adds" not in caption
    assert "Red" not in caption


def test_what_is_clear_by_design_has_no_picture() -> None:
    page = render_html(clear_by_design())
    assert pictures(page) == 0
    assert NOTE not in page
    assert "by design" in page


def test_it_fits_a_phone_and_paper(open_page: Open, company: Path) -> None:
    page = open_page(company, 390)
    fits_a_phone(page)
    assert page.locator(".stated").first.is_visible()
    with on_paper(page):
        assert page.locator(".chart svg:visible").count() == 1
        assert page.locator(".stated:visible").count() == 1
        assert page.locator(".to-row:visible").count() == 0


def test_every_column_that_is_explained_exists() -> None:
    found = result(beside_a_model())
    for name, meanings in build_section(found).meanings.items():
        columns = {*found.tables[name].columns}
        intervals = {"interval", *(f"{c.removesuffix('_low')} interval" for c in columns)}
        assert {*meanings} <= columns | intervals, name


def test_texts_of_an_audit_are_text(open_page: Open, tmp_path: Path) -> None:
    made = result(beside_a_model())
    kept = ("leading", "explained", "eliminating")
    hostile = {
        name: Table(
            table.columns,
            tuple(tuple(EVIL + OVERRIDE if isinstance(c, str) and c not in kept else c for c in r)
                  for r in table.rows),
        )
        for name, table in made.tables.items()
    }  # fmt: skip
    evidence = {EVIL + OVERRIDE: next(iter(made.evidence.values()))}
    odd = replace(made, tables=hostile, evidence=evidence)
    page = open_page(write(replace(beside_a_model(), results=(odd,)), tmp_path), width=390)
    nothing_runs(page)
    nothing_turns(page)
    assert overflow(page) <= 0
    assert shown("<b>so</b>") in page.locator(".stated").first.inner_text()


@pytest.mark.parametrize("rung", ["constructor", "__proto__", "'", "\\", "a\u2028b"])
def test_a_rung_of_another_version_is_shown_by_its_name(
    rung: str, open_page: Open, tmp_path: Path
) -> None:
    odd = with_cell(result(words_tell()), "rung", rung, "rungs")
    page = open_page(write(replace(words_tell(), results=(odd,)), tmp_path))
    label = rung.replace("\u2028", "‹U+2028›")
    labels = find_labels(page, RUNGS[1])
    assert labels[: len(RUNGS)] == [label, *RUNGS[1:]]
    assert "length and typography" in labels[len(RUNGS) :]  # as one that was not tried


@settings(max_examples=25, deadline=None)
@given(table=st.sampled_from(TABLES), at=st.integers(0, 14), cell=cells)
def test_any_cell_anywhere_is_a_page(table: str, at: int, cell: Cell) -> None:
    audit = beside_a_model()
    columns = result(audit).tables[table].columns
    odd = with_cell(result(audit), columns[at % len(columns)], cell, table)
    pictures(render_html(replace(audit, results=(odd,))))


@pytest.mark.parametrize("table", TABLES)
def test_odd_tables_are_shown_without_pictures(table: str) -> None:
    for change in (renamed, doubled, bare, cut):
        odd = with_table(result(words_tell()), change, table)
        assert NOTE in render_html(replace(words_tell(), results=(odd,)))
