"""Helpers for tests of the report: write a page, read its data, look at it in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hansproof.plugins import names
from hansproof.report import render_html
from hansproof.types import Audit

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    Open = Callable[..., Page]

RED = "var(--chart-red)"
STICKING_OUT = """[...document.querySelectorAll(".chart svg text")].flatMap((text) => {
  const box = text.getBoundingClientRect();
  const around = text.closest("[data-chart]").getBoundingClientRect();
  const unseen = text.getAttribute("opacity") === "0";
  const inside = unseen || box.left >= around.left - 1 && box.right <= around.right + 1;
  return inside ? [] : [`${text.closest("[data-chart]").dataset.chart}: ${text.textContent}`];
})"""
EVIL = (
    "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
    "<!-- \"quoted\" 'so' & <b>so</b> {{ 7 * 7 }} \u2028 \ud800 \x1b[31m"
)
OVERRIDE = "abc \u202edef\u202c \u2067ghi\u2069 \u200f\u200e jkl"


def write(audit: Audit, folder: Path) -> Path:
    path = folder / "report.html"
    path.write_text(render_html(audit), encoding="utf-8")
    return path


def data(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found is not None
    loaded: dict[str, Any] = json.loads(found[1])
    return loaded


def pictures(page: str) -> int:
    """How many there are, each as Vega-Lite takes it; a report does not look that up again."""
    import altair

    specs = [one["spec"] for one in data(page)["charts"].values()]
    for spec in specs:
        altair.TopLevelSpec.validate(spec)
    return len(specs)


def figure(page: Page, title: str) -> Locator:
    return page.locator("figure", has=page.locator("h4", has_text=title))


def dots(figure: Locator) -> Locator:
    return figure.locator(".mark-symbol.role-mark path")


def overflow(page: Page) -> int:
    wider: int = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return wider


def fits_a_phone(page: Page) -> None:
    """Nothing sticks out: not of the page, and no text of a picture."""
    assert overflow(page) <= 0
    assert page.evaluate(STICKING_OUT) == []


@contextmanager
def on_paper(page: Page) -> Iterator[None]:
    """The page as it is printed, for a while."""
    page.emulate_media(media="print")
    try:
        yield
    finally:
        page.emulate_media(media="null")


def unfold(page: Page) -> None:
    """Open the details of every finding."""
    page.locator("details.details").evaluate_all("all => all.forEach(e => { e.open = true; })")


def close_rows(table: Locator) -> None:
    """Closes all that was opened in a table."""
    for opener in table.locator(".opener[aria-expanded=true]").all():
        opener.click()
    assert table.locator("tr.panel").count() == 0


def shown(text: str) -> str:
    """As the page writes it: hidden characters by their codes."""
    codes = {"\u2028": "U+2028", "\ud800": "U+D800", "\x1b": "U+001B", "\u202e": "U+202E"}
    for hidden, code in codes.items():
        text = text.replace(hidden, code)
    return text


def nothing_runs(page: Page) -> None:
    """No text of the benchmark became an element, or ran."""
    assert page.evaluate("window.hacked") is None
    assert page.locator("script").count() == 3
    assert page.locator("img").count() == 0


def nothing_turns(page: Page, where: str = ".chart") -> None:
    """No character that changes the direction of text is left."""
    drawn = page.locator(where).evaluate_all("all => all.map(e => e.outerHTML).join()")
    assert not set(drawn) & set(
        "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"
    )


def seconds_to_open_again(page: Page) -> float:
    """The page's own work, so that other work on the machine is not held against it."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.reload()
    page.wait_for_selector("html[data-drawn]", timeout=20_000)
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))


def shown_probes(page: Page) -> list[str]:
    """The names of all probes that the page shows, also of those that were not tested."""
    return sorted(page.locator(".finding .probe, .not-tested dt").all_text_contents())


def probes() -> list[str]:
    return sorted(name.replace("_", " ") for name in names("probes"))
