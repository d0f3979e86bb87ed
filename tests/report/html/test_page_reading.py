"""Reading the page: search, sorting, opening a cue's items."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hansproof.types import Cell

from ...support.report_page import close_rows
from ...support.report_sample import sample, word

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from ...support.report_page import Open


def cues(page: Page) -> Locator:
    return page.locator("[data-name=cues]")


def column(table: Locator, label: str) -> list[str]:
    labels = table.locator("th").all_inner_texts()
    cells: list[str] = table.locator("tbody").evaluate(
        "(body, at) => [...body.rows].map(row => row.cells[at].textContent)", labels.index(label)
    )
    return cells


def flagged_rows() -> list[tuple[Cell, ...]]:
    return [row for row in sample().results[1].tables["cues"].rows if row[-1]]


def test_it_leads_with_the_finding_and_draws_every_chart(look_at: Open, paddock: Path) -> None:
    page = look_at(paddock)
    assert page.locator("h1").inner_text() == "paddock"
    assert (
        page.locator(".headline")
        .inner_text()
        .startswith("paddock is not Hans-proof: rules based on words")
    )
    verdicts = ["exposed", "exposed", "caution", "clear"]
    assert page.locator(".summary .badge").all_inner_texts() == verdicts
    assert page.locator(".finding .badge").all_inner_texts() == verdicts
    charts = page.locator(".chart").all()
    assert len(charts) == 4  # the cue map, class balance of two splits, surface tells
    for chart in charts:
        assert chart.locator("svg path").count() > 3


def test_the_cue_map_opens_on_the_split_of_the_finding_and_shows_the_chosen_one(
    look_at: Open, paddock: Path
) -> None:
    page = look_at(paddock)
    figure = page.locator("figure", has_text="Cue map")
    right = {row[0]: f"{row[4]} of {row[3]}" for row in flagged_rows()}
    dot = ".mark-symbol path[aria-label*='right: {};']"
    assert sample().results[1].key == "dev: rules over words"
    assert figure.locator("select").input_value() == "dev"
    figure.locator(dot.format(right["dev"])).first.wait_for(state="attached")
    figure.locator("select").select_option("pooled")
    figure.locator(dot.format(right["pooled"])).first.wait_for(state="attached")
    assert figure.locator(dot.format(right["pooled"])).count() >= 1
    figure.locator("select").select_option("dev")
    figure.locator(dot.format(right["dev"])).first.wait_for(state="attached")
    assert figure.locator(dot.format(right["pooled"])).count() == 0
    figure.locator(dot.format(right["dev"])).first.hover()
    assert right["dev"] in page.locator("#vg-tooltip-element").inner_text()


def test_search_filters(look_at: Open, paddock: Path) -> None:
    table = cues(look_at(paddock))
    phrase = f"{word(9)} {word(16)}"
    table.get_by_role("searchbox").fill(f" {phrase.upper()} ")
    assert column(table, "cue") == [phrase] * 3  # in dev, in test, and pooled
    assert table.locator("output").inner_text() == "3 of 900 rows"
    table.get_by_role("searchbox").fill("no such cue")
    assert column(table, "cue") == []
    table.get_by_role("searchbox").fill("")
    assert table.locator("output").inner_text() == "900 rows"


def test_selectors_filter(look_at: Open, paddock: Path) -> None:
    table = cues(look_at(paddock))
    table.get_by_label("flag").select_option(label="eliminating")
    table.get_by_label("split").select_option(label="dev")
    assert set(column(table, "flag")) == {"eliminating"}
    assert set(column(table, "split")) == {"dev"}
    for label in ("flag", "split"):
        table.get_by_label(label).select_option(index=0)
    assert table.locator("output").inner_text() == "900 rows"


def test_long_tables_are_drawn_as_far_as_needed_and_sorted_whole(
    open_page: Open, paddock: Path
) -> None:
    """By number, both ways, and by keyboard."""
    page = open_page(paddock)
    table = cues(page)
    assert table.locator("th[aria-sort=ascending]").inner_text() == "q"  # the strongest first
    assert len(column(table, "cue")) == 200
    table.get_by_role("button", name="Show all 900 rows").click()
    assert len(column(table, "cue")) == 900
    assert table.get_by_role("button", name="Show all").count() == 0
    head = table.locator("th", has_text="applicability")
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    down = [int(cell) for cell in column(table, "applicability")]
    assert len(down) == 900
    assert down == sorted(down, reverse=True)
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") == "ascending"
    assert [int(cell) for cell in column(table, "applicability")] == sorted(down)
    assert table.locator("th[aria-sort=ascending]").count() == 1


def test_a_flagged_cue_opens_its_items(look_at: Open, paddock: Path) -> None:
    table = cues(look_at(paddock))
    table.get_by_label("split").select_option(label="dev")
    opener = table.get_by_role("button", name=word(1), exact=True)
    assert opener.get_attribute("aria-expanded") == "false"
    opener.click()
    assert opener.get_attribute("aria-expanded") == "true"
    items = table.locator("article")
    assert items.count() == 50
    assert table.locator(".evidence-size").inner_text() == (
        "50 items shown; 34 more in the benchmark, not embedded here"
    )
    for item in items.all()[:5]:
        # a telling cue stands in the right choice, and nowhere else
        assert item.locator("mark").all_inner_texts() == [word(1)]
        assert item.locator("li.right mark").count() == 1
        assert item.locator(".right-word").count() == 1
    opener.click()
    assert items.count() == 0
    table.get_by_label("split").select_option(index=0)


def test_open_rows_survive_sorting(open_page: Open, paddock: Path) -> None:
    table = cues(open_page(paddock))
    table.locator(".opener").first.click()
    table.locator("th", has_text="coverage").locator("button").click()
    assert table.locator("tr.panel").count() == 1
    assert table.locator(".opener[aria-expanded=true]").count() == 1


def test_a_dot_opens_its_row(look_at: Open, paddock: Path) -> None:
    page = look_at(paddock)
    table = cues(page)
    table.get_by_role("searchbox").fill("something else")
    flagged = page.locator(".chart .mark-symbol path[aria-label*='telling']").last
    flagged.dispatch_event("click")
    table.locator("tr.panel").wait_for()
    assert table.locator("output").inner_text() == "900 rows"
    close_rows(table)


def test_evidence_of_other_probes_opens(look_at: Open, paddock: Path) -> None:
    page = look_at(paddock)
    findings = page.locator("[data-name=findings]")
    findings.get_by_role("button", name="exact duplicates").click()
    assert findings.locator("article").count() == 2
    tells = page.locator("[data-name=tells]")
    assert tells.locator(".opener").all_inner_texts() == [
        "longest choice",
        "longest choice",
    ]  # no slices
    tells.locator(".opener").first.click()
    assert "310" not in tells.locator(".evidence-size").inner_text()
    assert "260 more" in tells.locator(".evidence-size").inner_text()
    close_rows(findings)
    close_rows(tells)
