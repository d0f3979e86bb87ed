"""For readers with a keyboard or a screen reader: names of marks, tables that scroll, links."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from hansproof.report.charts._aria import describe_marks

from ...support.report_page import on_paper

if TYPE_CHECKING:
    from ...support.report_page import Open

LONG_NUMBER = re.compile(r"\d\.\d{5}")


def test_marks_are_described_by_their_tooltips_and_hidden_without() -> None:
    tooltip = [
        {"field": "cue", "type": "nominal"},
        {"field": "q", "type": "quantitative", "format": ".2g", "title": "corrected p"},
    ]
    dot = {"mark": {"type": "circle"}, "encoding": {"tooltip": tooltip}}
    line = {"mark": "line", "encoding": {"tooltip": tooltip}}
    rule = {"mark": {"type": "rule"}}
    describe_marks({"layer": [dot, line, rule]})
    assert dot["encoding"]["description"] == {  # type: ignore[index]
        "value": {
            "expr": "'cue: ' + datum['cue'] + '; ' + 'corrected p: ' + "
            "(isValid(datum['q']) ? format(datum['q'], '.2g') : 'none')"
        }
    }
    assert line["mark"] == {"type": "line", "aria": False}
    assert rule["mark"] == {"type": "rule", "aria": False}


def test_no_mark_is_described_by_columns_that_nobody_sees(open_page: Open, paddock: Path) -> None:
    page = open_page(paddock)
    labels = page.locator(".chart svg [aria-label]").evaluate_all(
        "all => all.map(mark => mark.getAttribute('aria-label'))"
    )
    assert any(label.startswith("cue: ") for label in labels)
    assert not any("evidence" in label or LONG_NUMBER.search(label) for label in labels)
    charts = page.locator(".chart")
    assert page.locator(".chart[role=graphics-document][aria-label]").count() == charts.count()


def test_a_table_that_scrolls_can_be_reached_with_the_keyboard(
    open_page: Open, paddock: Path
) -> None:
    page = open_page(paddock)
    cues = page.locator("[data-name=cues] .scroll[tabindex='0']")
    cues.wait_for()  # its size is observed once the page is drawn
    assert cues.get_attribute("role") == "region"
    assert cues.get_attribute("aria-label") == "Table cues, can be scrolled"
    findings = page.locator("[data-name=findings] .scroll")
    assert findings.get_attribute("tabindex") is None
    assert findings.get_attribute("role") is None


def test_every_chart_leads_to_its_table_as_often_as_it_is_clicked(
    open_page: Open, paddock: Path
) -> None:
    page = open_page(paddock, folded=True)
    links = page.locator("figcaption a")
    assert links.count() == page.locator("figure").count()
    link = page.locator("#cues figcaption a")
    assert link.inner_text() == "Rows of the table open their items."
    details = page.locator("#cues .details")
    for _ in range(2):
        link.click()
        page.locator("#cues [data-name=cues] table").wait_for(state="visible")
        details.evaluate("details => { details.open = false; }")


def test_paper_has_no_heading_without_its_text(open_page: Open, paddock: Path) -> None:
    page = open_page(paddock)
    with on_paper(page):
        assert page.locator("h5:visible", has_text="Items").count() == 0
        assert page.locator("figcaption a:visible").count() == 0
        button = page.locator("[data-name=cues] th button").first
        # a header with boxes of buttons would not be repeated on the next page
        assert button.evaluate("e => getComputedStyle(e).display") == "contents"
    page.close()


def test_what_the_digest_is_of_is_said(paddock: Path) -> None:
    assert 'title="sha256 of the items: ' in paddock.read_text(encoding="utf-8")
