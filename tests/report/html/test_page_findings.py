"""The findings of a page: numbers, examples, next steps, and what is folded away."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hansproof.report import render_html
from hansproof.types import Audit, Estimate, Result, Table

from ...support.audited_benchmarks import audited
from ...support.odd_tables import SMALL
from ...support.report_page import fits_a_phone, on_paper, write
from ...support.report_sample import audit

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from ...support.report_page import Open

COMMAND = "hansproof audit toy:original -o toy"
SKIPPED = Result("balance", {}, "skipped", "Skipped: no mirrored pairs.", notes=("A note.",))


def toy() -> Audit:
    """A real audit, with a skipped probe, when and how it was made."""
    made = audited("exposed")
    results = (*(r for r in made.results if r.verdict != "skipped"), SKIPPED)
    return replace(made, results=results, created="2026-11-18T16:34:47+00:00", command=COMMAND)


@pytest.fixture(scope="module")
def toy_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(toy(), tmp_path_factory.mktemp("toy"))


def background(page: Page, selector: str) -> str:
    colour: str = page.locator(selector).first.evaluate("e => getComputedStyle(e).backgroundColor")
    return colour


def test_the_summary_leads_to_every_finding(look_at: Open, toy_page: Path) -> None:
    page = look_at(toy_page)
    tested = [r for r in toy().results if r.verdict != "skipped"]
    links = page.locator(".summary a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert len(links) == len(tested) + 1
    assert links[-1] == "#not-tested"
    for link in links:
        assert page.locator(link).count() == 1
    anchors = page.locator(".finding").evaluate_all("all => all.map(e => `#${e.id}`)")
    assert anchors == links[:-1]
    line = page.locator(".summary li", has_text="single words").inner_text().replace("\n", " ")
    assert "72.5% (66.4 to 78.2%) chance 50.0%" in line


def test_headings_are_in_order(look_at: Open, toy_page: Path) -> None:
    levels = (
        look_at(toy_page)
        .locator("h1, h2, h3, h4, h5, h6")
        .evaluate_all("all => all.map(h => Number(h.tagName[1]))")
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_a_finding_has_its_number_beside_chance(look_at: Open, toy_page: Path) -> None:
    finding = look_at(toy_page).locator("#cues")
    assert finding.locator("h3").inner_text().startswith("Do single words or phrases")
    assert finding.locator(".terms").inner_text().startswith("A cue is a word or phrase that")
    assert finding.locator(".measured").inner_text().split("\n") == ["72.5%", "chance 50.0%"]
    about = finding.locator(".estimate > .quiet").inner_text().replace("\xa0", " ")
    assert "95% interval 66.4 to 78.2%; n = 120" in about
    ends = finding.locator(".ends span").all_inner_texts()
    assert ends == ["20%", "chance", "80%"]


def test_the_example_has_the_right_choice_ticked_and_the_cue_marked(
    look_at: Open, toy_page: Path
) -> None:
    example = look_at(toy_page).locator("#cues .example")
    assert example.locator(".caption").inner_text() == (
        "Only one choice contains “had”, and it is the right one."
    )
    assert example.locator("li").count() == 2
    assert example.locator("li.right").count() == 1
    assert [text.lower() for text in example.locator("mark").all_inner_texts()] == ["had"]
    assert example.locator("li.right mark").count() == 1
    blind = look_at(toy_page).locator("#partial_input .example")
    assert blind.locator("mark").count() >= 1


def test_findings_without_evidence_have_no_example_and_no_empty_block(
    look_at: Open, toy_page: Path
) -> None:
    page = look_at(toy_page)
    assert page.locator("#class_balance .example").count() == 0
    assert page.locator("#integrity .figures").count() == 0
    blocks = page.locator("main :is(section, div, p, dl, dd, ol, li, figure, details, h3, h4, h5)")
    empty = blocks.evaluate_all("all => all.filter(e => !e.textContent.trim()).length")
    # gauges and the lines of statements are drawn with spans
    assert empty == page.locator("main :is(.scale, .share-line)").count()


def test_the_next_step_is_copied(look_at: Open, toy_page: Path) -> None:
    page = look_at(toy_page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    step = page.locator("#cues .next")
    command = step.locator("code").inner_text()
    assert command == "hansproof worksheet mirror toy:original -o sheet.csv"
    step.get_by_role("button", name="Copy the command").focus()
    page.keyboard.press("Enter")
    step.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == command


def test_where_copying_is_forbidden_the_command_is_selected(
    open_page: Open, toy_page: Path
) -> None:
    page = open_page(toy_page)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    page.locator("#cues .copy").click()
    page.locator("#cues").get_by_text("Press Ctrl+C").wait_for()
    selected = page.evaluate("String(getSelection())")
    assert selected.strip() == page.locator("#cues .next code").inner_text()


def test_skipped_probes_are_folded_away_with_their_reason(open_page: Open, toy_page: Path) -> None:
    page = open_page(toy_page, folded=True)
    folded = page.locator("#not-tested")
    assert folded.locator("summary").inner_text() == "Not tested (1)"
    assert folded.locator("dd").is_hidden()
    assert page.locator("#balance.finding").count() == 0
    page.locator(".summary a", has_text="Not tested: balance").click()
    folded.locator("dd").wait_for(state="visible")
    reason = folded.locator("dd").inner_text()
    assert "No mirrored pairs." in reason
    assert "Skipped" not in reason
    assert "A note." in reason


def test_tables_are_folded_until_a_dot_or_the_reader_opens_them(
    open_page: Open, toy_page: Path
) -> None:
    page = open_page(toy_page, folded=True)
    cues = page.locator("#cues [data-name=cues]")
    assert cues.is_hidden()
    page.locator("#cues .mark-symbol path[aria-label*='telling']").last.dispatch_event("click")
    cues.locator("tr.panel").wait_for(state="visible")


def test_paper_has_the_tables_the_examples_and_what_was_not_tested(
    open_page: Open, toy_page: Path
) -> None:
    page = open_page(toy_page, folded=True)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    with on_paper(page):
        for part in ("#cues [data-name=cues]", "#cues .example", "#not-tested dd", ".reading"):
            assert page.locator(part).first.is_visible(), part
        assert page.locator("#cues .next code").is_visible()
        assert page.locator(".copy:visible, .up:visible, .details > summary:visible").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#cues [data-name=cues]").is_hidden()
    assert page.locator("#not-tested dd").is_hidden()


def test_dark_mode_has_other_colours_and_paper_has_not(open_page: Open, toy_page: Path) -> None:
    light, dark = open_page(toy_page), open_page(toy_page, dark=True)
    for selector in ("body", ".finding", ".example .item", "mark"):
        assert background(light, selector) != background(dark, selector), selector
    assert background(dark, "body") == "rgb(21, 23, 27)"
    label = ".chart .role-axis-label text"
    fills = [
        page.locator(label).first.evaluate("e => getComputedStyle(e).fill")
        for page in (light, dark)
    ]
    assert fills == ["rgb(35, 38, 47)", "rgb(233, 229, 219)"]
    with on_paper(dark):
        printed = dark.locator(label).first.evaluate("e => getComputedStyle(e).fill")
        assert printed == fills[0]
        assert background(dark, ".example .item") != "rgb(21, 23, 27)"


def test_a_phone_keeps_the_words_of_the_cue_map(open_page: Open, toy_page: Path) -> None:
    page = open_page(toy_page, width=390)
    fits_a_phone(page)
    shown = page.locator("#cues .chart .role-mark text:not([opacity='0'])").all_text_contents()
    assert {"had", "new", "too"} <= {*shown}


def test_names_of_several_words_have_two_lines_on_a_phone(open_page: Open, toy_page: Path) -> None:
    page = open_page(toy_page, width=390)
    names = page.locator("#surface .role-axis-label text").evaluate_all(
        "all => all.map(text => [...text.querySelectorAll('tspan')].map(t => t.textContent))"
    )
    assert ["most overlap with", "premise"] in names
    assert not any("…" in line for lines in names for line in lines)


def test_when_and_how_it_was_made_is_shown_only_if_it_is_known(toy_page: Path) -> None:
    page = toy_page.read_text(encoding="utf-8")
    assert page.count("2026-11-18 16:34 UTC") == 2  # in the head and in the foot
    assert "<dt>command</dt>" in page
    before = render_html(replace(toy(), created="", command=""))
    assert "<dt>audited</dt>" not in before
    assert "<dt>command</dt>" not in before
    assert "Made by hansproof" in before
    odd = render_html(replace(toy(), created="yesterday"))
    assert "<dt>audited</dt><dd><bdi>yesterday</bdi></dd>" in odd


def test_one_item_is_one_item() -> None:
    page = render_html(replace(SMALL, sizes={"dev": 1}))
    assert re.search(r"<dd>1 item\b(?!s)", page)
    assert "1 items" not in page


def test_a_widened_interval_is_explained_where_it_is_shown() -> None:
    widened = Estimate("dev: longest", 0.55, 0.5, 0.62, 100, 0.5)
    result = Result("surface", {}, "clear", "Nothing.", (widened,))
    sentence = "The interval was widened to include chance"
    assert sentence in render_html(audit((result,), {"dev": ()}))
    for other in (
        replace(result, verdict="exposed"),
        replace(result, estimates=(replace(widened, low=0.49),)),
        replace(result, estimates=(Estimate("dev: digit", 0.5, 0.5, 0.5, 100, 0.5),)),
    ):
        assert sentence not in render_html(audit((other,), {"dev": ()}))


def test_rules_that_apply_to_no_item_are_named_and_left_out() -> None:
    surface = next(r for r in audited("exposed").results if r.probe == "surface")
    tells = surface.tables["tells"]
    applies, name = tells.columns.index("applies"), tells.columns.index("tell")
    idle = {str(row[name]) for row in tells.rows if row[applies] == 0}
    assert {"digit", "odd capitalisation"} <= idle
    page = render_html(audit((surface,), {"dev": ()}))
    assert "Left out, since they apply to no item: odd capitalisation, digit." in page
    assert '"digit"' not in page


def test_empty_tables_are_not_shown() -> None:
    mine = Result("mine", {}, "clear", "", tables={"rhymes": Table(("word",), ())})
    page = render_html(audit((mine,), {"dev": ()}))
    assert "data-name=" not in page.split("<script", 1)[0]


def test_results_of_one_probe_have_anchors_of_their_own() -> None:
    probes = ("cues", "cues", "./My Probe.py", "summary", "§", "cues-2")
    results = tuple(Result(probe, {}, "clear", "") for probe in probes)
    page = render_html(audit(results, {"dev": ()}))
    anchors = re.findall(r'<section class="finding clear" id="([^"]+)"', page)
    assert anchors == ["cues", "cues-2", "my-probe-py", "summary-2", "probe", "cues-2-2"]


def test_an_address_that_cannot_be_decoded_stops_nothing(look_at: Open, paddock: Path) -> None:
    page = look_at(paddock)
    page.goto(f"{paddock.as_uri()}#%E0%A4%A")
    page.reload()
    page.wait_for_selector("html[data-drawn=all]", timeout=20_000)
    assert page.locator(".chart svg").count() > 0
