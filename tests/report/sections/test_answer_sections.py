"""Pictures of answers: systems, gaps, differences, runs and raters."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hansproof.report import render_html
from hansproof.types import Cell, Result, Table

from ...support.odd_tables import NOTE, with_cell
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
    write,
)
from ...support.sample_answers import answered, rated, results, run, runs, told

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from ...support.report_page import Open


PICTURES = [
    "Easy and Hard: original", "Easy and Hard: mirrored", "Accuracy of the systems",
    "Raters against the key", "Ranking", "Differences between systems", "Runs of each system",
]  # fmt: skip


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of horses and people, drawn once."""
    return write(answered(), tmp_path_factory.mktemp("ring"))


def named(probe: str) -> Result:
    return next(result for result in answered().results if result.probe == probe)


def flagged(table: Table, split: str) -> int:
    at = table.columns.index("flag")
    return sum(bool(row[at]) for row in table.rows if row[0] == split)


def test_every_answer_is_a_dot_and_what_is_flagged_has_a_colour(look_at: Open, ring: Path) -> None:
    page = look_at(ring)
    titles = page.locator("figure h4").evaluate_all("all => all.map(h => h.firstChild.textContent)")
    assert titles == PICTURES
    for title, probe, table, twice, colour in (
        ("Accuracy", "accuracy", "systems", 1, "var(--chart-faint)"),
        ("Differences", "compare", "pairs", 1, RED),
        ("Easy and Hard: original", "easy_hard", "gaps", 2, RED),
        ("Runs", "seeds", "runs", 1, "var(--chart-ochre)"),
    ):
        drawn, rows = figure(page, title), named(probe).tables[table]
        assert dots(drawn).count() == twice * sum(row[0] == "original" for row in rows.rows)
        path = f".mark-symbol.role-mark path:is([fill='{colour}'], [stroke='{colour}'])"
        assert drawn.locator(path).count() == twice * flagged(rows, "original") > 0
    assert dots(figure(page, "Ranking")).count() == 4
    assert dots(figure(page, "Raters")).count() == 4


def test_a_split_with_fewer_rows_is_less_high(look_at: Open, ring: Path) -> None:
    page = look_at(ring)
    for title in ("Accuracy", "Ranking"):
        drawn = figure(page, title)
        assert dots(drawn).count() == 4
        tall = height(drawn)
        drawn.locator("select").select_option("mirrored")
        dots(drawn).nth(2).wait_for(state="detached")
        assert dots(drawn).count() == 2
        assert round(tall - height(drawn)) == 2 * 25
        drawn.locator("select").select_option("original")
        dots(drawn).nth(3).wait_for(state="attached")


def height(figure: Locator) -> float:
    box = figure.locator("svg").bounding_box()
    assert box is not None
    return box["height"]


def test_what_can_be_read_opens(look_at: Open, ring: Path) -> None:
    page = look_at(ring)
    pairs = page.locator("[data-name=pairs]")
    dots(figure(page, "Differences")).first.dispatch_event("click")
    pairs.locator("tr.panel").wait_for()
    assert pairs.locator(".opener[aria-expanded=true]").inner_text() == "Hans"
    assert pairs.locator("tr.panel article").count() > 10
    sets = page.locator("[data-name=sets]")
    assert sets.locator(".opener").all_inner_texts() == [
        "Hans on choices",
        "cue rules",
        "cue rules",
    ]
    loose = page.locator("details.loose summary").all_inner_texts()
    assert {"original: vote against the key", "original: no majority"} <= set(loose)
    assert "Krippendorff's alpha" in page.locator(".note", has_text="4 people on 60").inner_text()
    page.locator("details.meanings").evaluate_all("all => all.forEach(e => { e.open = true; })")
    explained = page.locator(".meanings dt", has_text="interval")
    assert explained.count() == 7  # in all tables but those of runs
    page.locator("details.meanings").evaluate_all("all => all.forEach(e => { e.open = false; })")
    close_rows(pairs)


def test_a_phone_and_paper_show_them_whole(open_page: Open, ring: Path) -> None:
    page = open_page(ring, width=390)
    fits_a_phone(page)
    page.emulate_media(media="print")
    assert page.locator(".chart svg:visible").count() == len(PICTURES) + 1  # two ways to Easy


@pytest.mark.slow
def test_names_are_text_however_long(open_page: Open, tmp_path: Path) -> None:
    names = (EVIL.replace("\ud800", ""), OVERRIDE, f"{'very ' * 60}long")
    raters = (names[0], names[1], "\u202e", "x" * 400)
    page = open_page(write(told(results(runs(names), rated(raters))), tmp_path), width=390)
    nothing_runs(page)
    assert overflow(page) <= 0
    nothing_turns(page)
    lines = ".role-axis-label :is(tspan, text:not(:has(tspan)))"
    labels = figure(page, "Accuracy").locator(lines).all_text_contents()
    assert max(len(label) for label in labels) <= 22
    assert dots(figure(page, "Accuracy")).count() == 4


def test_one_system_with_one_run(open_page: Open, tmp_path: Path) -> None:
    page = open_page(write(told(results((run("Hans", 0.9, 1),), None)), tmp_path))
    titles = page.locator("figure h4").evaluate_all("all => all.map(h => h.firstChild.textContent)")
    assert titles == ["Accuracy of the systems", "Easy and Hard: original"]
    assert page.locator(".not-tested dt").all_text_contents() == ["compare", "seeds"]
    assert dots(figure(page, "Accuracy")).count() == 1


def test_many_systems_are_higher_but_not_without_end() -> None:
    accuracy = named("accuracy")
    row = accuracy.tables["systems"].rows[0]

    def tall(systems: int) -> int:
        rows = tuple((row[0], f"model {at}", *row[2:]) for at in range(systems))
        many = replace(
            accuracy, tables={"systems": Table(accuracy.tables["systems"].columns, rows)}
        )
        (chart,) = data(render_html(told((many,))))["charts"].values()
        found: int = chart["spec"]["height"]
        return found

    assert [tall(1), tall(26), tall(60)] == [25, 650, 1500]
    assert tall(200) == 2000


@pytest.mark.parametrize(
    ("probe", "table", "column", "cell"),
    [
        ("accuracy", "systems", "majority", None), ("accuracy", "systems", "low", -0.1),
        ("accuracy", "systems", "system", 3), ("accuracy", "systems", "flag", None),
        ("easy_hard", "gaps", "easy", None), ("easy_hard", "gaps", "relation", None),
        ("easy_hard", "gaps", "n_easy", 0), ("easy_hard", "sets", "chance", "x"),
        ("compare", "ranking", "rank", 0), ("compare", "pairs", "difference", None),
        ("compare", "pairs", "low", 1e308), ("compare", "pairs", "slice", None),
        ("seeds", "runs", "accuracy", 2), ("seeds", "runs", "chance", "half"),
        ("seeds", "runs", "flag", None), ("agreement", "overall", "vote_low", None),
        ("agreement", "overall", "kappa", "high"), ("agreement", "raters", "rater", None),
    ],
)  # fmt: skip
def test_odd_cells_get_the_default(probe: str, table: str, column: str, cell: Cell) -> None:
    assert NOTE in render_html(told((with_cell(named(probe), column, cell, table),)))


@pytest.mark.parametrize("probe", ["accuracy", "easy_hard", "compare", "seeds", "agreement"])
def test_odd_tables_get_the_default_and_empty_ones_no_picture(probe: str) -> None:
    result = named(probe)
    assert NOTE in render_html(told((replace(result, tables={}),)))
    empty: dict[str, Any] = {name: Table(t.columns, ()) for name, t in result.tables.items()}
    page = render_html(told((replace(result, tables=empty),)))
    assert NOTE not in page
    assert data(page)["charts"] == {}


def test_what_the_probes_leave_open_is_drawn() -> None:
    for probe, column, table in (
        ("seeds", "chance", "runs"), ("seeds", "train_accuracy", "runs"),
        ("agreement", "kappa", "overall"), ("agreement", "alpha", "overall"),
    ):  # fmt: skip
        assert NOTE not in render_html(told((with_cell(named(probe), column, None, table),)))


def test_an_interval_is_drawn_against_the_chance_of_what_it_is_about(ring: Path) -> None:
    tables = data(ring.read_text(encoding="utf-8"))["tables"].values()
    found = {
        table["names"][column["indices"][2]]: len(column["indices"])
        for table in tables
        for column in table["columns"]
        if column["kind"] == "interval"
    }
    assert found == {"accuracy": 4, "gap": 3, "difference": 3, "kappa": 3}


def test_meanings_are_of_columns_that_are_there() -> None:
    from hansproof.report.sections import build_section

    for result in answered().results:
        for name, meanings in build_section(result).meanings.items():
            columns = {*result.tables[name].columns, "interval"}
            assert set(meanings) <= columns, (result.probe, name)
            assert not any(re.search(r"[.]$", meaning) for meaning in meanings.values())
