"""Open a report in a browser: loading time, console messages, and whether it fits the window.

Each load happens in a fresh offline context of a browser that is already running. Seconds count
from the start of the navigation: until the document is parsed (DOMContentLoaded), until the load
event, and until the page reports that its tables and the visible charts are drawn. The remaining
charts are drawn when the page is idle. "own work until then" is the time that the page's main
thread was busy, whatever else the machine was doing.
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
# records when the page reports that it is drawn, by the page's clock
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
OVERFLOW = "document.documentElement.scrollWidth - window.innerWidth"

BrowserFigures = dict[str, Any]


def measure_report(path: Path) -> BrowserFigures:
    """Return the size of a report, and loading times, messages and fit for each width."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        widths = {name: _measure_width(browser, path, width) for name, width in WIDTHS.items()}
        version = browser.version
        browser.close()
    return {"MB": round(path.stat().st_size / 1e6, 3), "chromium": version, **widths}


def _measure_width(browser: Browser, path: Path, width: int) -> BrowserFigures:
    complaints: list[str] = []
    requests: list[str] = []
    loads = [_measure_load(browser, path, width, complaints, requests) for _ in range(LOADS)]
    seconds = {name: _best_and_median([times[name] for times in loads]) for name in loads[0]}
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
    page = context.new_page()
    _open_page(page, path)
    overflow = _measure_overflow(page)
    context.close()
    return {
        "width": width, "seconds": seconds, "console messages": complaints,
        "requests": requests, "pixels wider than the window": overflow,
    }  # fmt: skip


def _measure_load(
    browser: Browser, path: Path, width: int, complaints: list[str], requests: list[str]
) -> dict[str, float]:
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.add_init_script(WATCH)
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    _open_page(page, path)
    times = {name: ms / 1000 for name, ms in page.evaluate(TIMES).items()}
    metrics = session.send("Performance.getMetrics")["metrics"]
    times["own work until then"] = next(
        metric["value"] for metric in metrics if metric["name"] == "TaskDuration"
    )
    page.wait_for_selector("html[data-drawn=all]", timeout=60_000)
    times["all drawn"] = page.evaluate("performance.now()") / 1000
    requests += [url for url in requested if url != path.as_uri()]
    context.close()
    return times


def _open_page(page: Page, path: Path) -> None:
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-drawn]", timeout=60_000)


def _measure_overflow(page: Page) -> int:
    """Return how many pixels the page is too wide at most, scrolling from top to end."""
    height = page.evaluate("document.documentElement.scrollHeight")
    overflows = [page.evaluate(OVERFLOW)]
    for top in range(0, height, 700):
        page.evaluate(f"window.scrollTo(0, {top})")
        page.wait_for_timeout(30)
        overflows.append(page.evaluate(OVERFLOW))
    return int(max(overflows))


def _best_and_median(values: Sequence[float]) -> dict[str, float]:
    return {"best": round(min(values), 3), "median": round(statistics.median(values), 3)}
