"""Pages opened offline in the browser that must not complain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..support.report_page import write
from ..support.report_sample import sample

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from ..support.report_page import Open


@pytest.fixture(scope="session")
def paddock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the plain sample, drawn once."""
    return write(sample(), tmp_path_factory.mktemp("report"))


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a file without any network; complaints and requests fail the test."""
    complaints: list[str] = []
    contexts = []

    def only_files(route: Route) -> None:
        if route.request.url.startswith("file:"):
            route.continue_()
        else:
            complaints.append(f"asked for {route.request.url}")
            route.abort()

    def opened(path: Path, width: int = 1280) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
        contexts.append(context)
        context.route("**/*", only_files)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-drawn=all]", timeout=20_000)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
