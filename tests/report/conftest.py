"""Pages opened offline in the browser that must not complain."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..support.report_page import unfold, write
from ..support.report_sample import sample

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

    from ..support.report_page import Open


@pytest.fixture(scope="session")
def paddock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the plain sample, drawn once."""
    return write(sample(), tmp_path_factory.mktemp("report"))


class Window:
    """Opens files without any network, and notes complaints and requests."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.complaints: list[str] = []
        self.contexts: list[BrowserContext] = []

    def open(self, path: Path, width: int = 1280, folded: bool = False, dark: bool = False) -> Page:
        """Open a file, with the details of its findings unfolded unless `folded`."""
        context = self.browser.new_context(
            viewport={"width": width, "height": 900},
            offline=True,
            color_scheme="dark" if dark else "light",
        )
        self.contexts.append(context)
        context.route("**/*", self._allow_files)
        page = context.new_page()
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-drawn=all]", timeout=20_000)
        if not folded:
            unfold(page)
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()

    def take_complaints(self) -> list[str]:
        """Those since the last call."""
        taken, self.complaints = self.complaints, []
        return taken

    def _allow_files(self, route: Route) -> None:
        if route.request.url.startswith("file:"):
            route.continue_()
        else:
            self.complaints.append(f"asked for {route.request.url}")
            route.abort()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens a file anew; complaints and requests fail the test."""
    window = Window(browser)
    yield window.open
    window.close()
    assert window.take_complaints() == []


@pytest.fixture(scope="module")
def shared_window(browser: Browser) -> Iterator[tuple[Window, Open]]:
    window = Window(browser)
    yield window, cache(window.open)
    window.close()


@pytest.fixture
def look_at(shared_window: tuple[Window, Open]) -> Iterator[Open]:
    """Opens a file once for all tests of a module that put back what they change."""
    window, open_once = shared_window
    yield open_once
    assert window.take_complaints() == []
