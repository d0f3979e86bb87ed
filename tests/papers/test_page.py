"""A reproduction to look at: the terminal, the page, what is hostile in a paper's file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hansproof.papers import reproduce
from hansproof.papers.page import render_page

from ..support import paper_copies
from ..support.cli_runner import run_here, run_on_terminal
from ..support.markers import needs_chromium, needs_data

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = needs_data


@needs_chromium
@pytest.mark.parametrize("width", [390, 1200])
def test_the_page_opens_offline_and_fits(width: int, browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    done = run_here("reproduce", "niven2019", "--table", "1", "--table", "4", "-o", str(path))
    assert done.returncode == 0, done.stderr
    opened = browser.new_page(viewport={"width": width, "height": 800})
    trouble: list[str] = []
    asked: list[str] = []
    opened.on("console", lambda message: trouble.append(message.text))
    opened.on("pageerror", lambda error: trouble.append(str(error)))
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(path.as_uri())
    assert trouble == []
    assert asked == [path.as_uri()]
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    cell = opened.locator("td.differs").first
    assert cell.inner_text().split() == ["0.701", "±", "0.05", "≠", "0.700", "±", "0.05", "ours"]
    assert opened.locator(".found", has_text="were not trained on the adversarial set").count() == 1
    opened.close()


def test_what_a_paper_is_called_is_no_markup(tmp_path: Path) -> None:
    def hostile(paper: dict[str, Any]) -> None:
        paper["paper"] = "<script>alert(1)</script>"
        paper["tables"][1]["rows"][0]["split"] = "<img src=x onerror=alert(1)>"

    found = reproduce(paper_copies.paper("niven2019", tmp_path, hostile), ["1", "3"])
    text = render_page(found)
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "&lt;script&gt;alert" in text


def test_the_terminal_shows_both_numbers_where_they_differ() -> None:
    code, text = run_on_terminal("reproduce", "niven2019", "--table", "4")
    assert code == 0
    assert "0.501 ≠ 0.500" in text
    assert "4 of 12 computable figures reproduced, 12 in all" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
