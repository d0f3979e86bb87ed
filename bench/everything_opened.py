"""What a browser makes of a report: how soon it is there, what it complains of, does it fit?

Every load is in a fresh context, offline, in a browser that runs already. Seconds are counted from
the start of the navigation: until the document is read (DOMContentLoaded), until its load event,
and until the page says itself that its tables and the pictures in view are drawn; the others follow
when there is nothing else to do. The page's own work is what its thread did until that was seen,
whatever else the machine had to do.
"""

from __future__ import annotations

import shutil
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOADS = 5
WIDTHS = {"desk": 1200, "phone": 390}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# when the page says that it is drawn, by its own clock
WATCH = """
new MutationObserver((_, watch) => {
  if (!document.documentElement?.dataset.drawn) return;
  window.drawnAfter = performance.now();
  watch.disconnect();
}).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-drawn"] });
"""
TIMES = """() => {
  const [loaded] = performance.getEntriesByType("navigation");
  return { "document read": loaded.domContentLoadedEventEnd, "load event": loaded.loadEventEnd,
           "drawn, in view": window.drawnAfter };
}"""
WIDER = "document.documentElement.scrollWidth - window.innerWidth"

Found = dict[str, Any]


def opened(path: Path) -> Found:
    """Size, seconds, complaints and fit of a report."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        widths = {name: _at(browser, path, width) for name, width in WIDTHS.items()}
        version = browser.version
        browser.close()
    return {"MB": round(path.stat().st_size / 1e6, 3), "chromium": version, **widths}


def _at(browser: Browser, path: Path, width: int) -> Found:
    complaints: list[str] = []
    requests: list[str] = []
    loads = [_loaded(browser, path, width, complaints, requests) for _ in range(LOADS)]
    seconds = {name: _best_and_median([one[name] for one in loads]) for name in loads[0]}
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
    page = context.new_page()
    _go(page, path)
    wider = _scrolled(page)
    context.close()
    return {
        "width": width, "seconds": seconds, "console messages": complaints,
        "requests": requests, "pixels wider than the window": wider,
    }  # fmt: skip


def _loaded(
    browser: Browser, path: Path, width: int, complaints: list[str], requests: list[str]
) -> dict[str, float]:
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    _go(page, path)
    times = {name: ms / 1000 for name, ms in page.evaluate(TIMES).items()}
    metrics = session.send("Performance.getMetrics")["metrics"]
    times["own work until then"] = next(
        one["value"] for one in metrics if one["name"] == "TaskDuration"
    )
    page.wait_for_selector("html[data-drawn=all]", timeout=60_000)
    times["all drawn"] = page.evaluate("performance.now()") / 1000
    requests += [url for url in asked if url != path.as_uri()]
    context.close()
    return times


def _go(page: Page, path: Path) -> None:
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-drawn]", timeout=60_000)


def _scrolled(page: Page) -> int:
    """The most that the page is too wide, from its top to its end, as pictures are drawn."""
    height = page.evaluate("document.documentElement.scrollHeight")
    found = [page.evaluate(WIDER)]
    for top in range(0, height, 700):
        page.evaluate(f"window.scrollTo(0, {top})")
        page.wait_for_timeout(30)
        found.append(page.evaluate(WIDER))
    return int(max(found))


def _best_and_median(values: Sequence[float]) -> dict[str, float]:
    return {"best": round(min(values), 3), "median": round(statistics.median(values), 3)}
