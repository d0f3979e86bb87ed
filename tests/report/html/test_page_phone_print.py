"""On a phone and on paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...support.report_page import overflow

if TYPE_CHECKING:
    from ...support.report_page import Open


def test_a_phone_scrolls_tables_not_the_page(open_page: Open, paddock: Path) -> None:
    page = open_page(paddock, width=375)
    assert overflow(page) <= 0
    opener = page.locator("[data-name=cues] .opener").first
    opener.click()
    assert overflow(page) <= 0
    panel = page.locator("[data-name=cues] .evidence").bounding_box()
    assert panel is not None
    assert panel["width"] <= 375  # read without scrolling sideways
    for chart in page.locator(".chart svg").all():
        box = chart.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 375


def test_paper_has_charts_and_nothing_to_click(open_page: Open, paddock: Path) -> None:
    page = open_page(paddock)
    page.locator("[data-name=cues] .opener").first.click()
    page.emulate_media(media="print")
    assert page.locator("input:visible, select:visible, .more:visible").count() == 0
    assert page.locator("article.item:visible").count() == page.locator(".example").count() > 0
    assert page.locator(".chart svg:visible").count() == 4
    assert page.locator("[data-name=cues] tbody tr:visible").count() <= 40
    assert page.locator(".on-show:visible").first.inner_text() == "dev"
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert 2 <= printed.count(b"/Type /Page\n") <= 12
