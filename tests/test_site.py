"""The site: every page has its place, nothing comes from the network, and it can be read."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import hansproof
from hansproof import plugins, stats

from .support.markers import needs_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parent.parent
# what a browser fetches by itself; links wait for a click
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)[^>]*\ssrc=["']?(?:https?:)?//"""
    r"""|<link[^>]*rel=["']?(?:stylesheet|preconnect|preload|icon|modulepreload)[^>]*//"""
    r"""|url\(["']?(?:https?:)?//|@import""",
    re.I,
)

PAGES = ("index", "tutorial", "probes/cues", "reference/nouns", "reference/index", "gallery", "cli")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as `make site` builds it; a warning would be an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not re.search("warn|error|not (?:found|in)", done.stderr, re.I), done.stderr
    return folder


def test_every_page_is_there_and_in_the_navigation(site: Path) -> None:
    """What is left out of the navigation is a warning, so it is enough that it was built."""
    for page in (ROOT / "docs").rglob("*.md"):
        built = site / page.relative_to(ROOT / "docs").with_suffix(".html")
        assert built.exists(), page
    index = (site / "probes/index.html").read_text()
    for name, question in plugins.names("probes").items():
        assert f'href="{name}.html"' in index
        assert question in index


def test_nothing_comes_from_the_network(site: Path) -> None:
    ours = [path for path in site.rglob("*") if path.suffix in (".html", ".css")]
    assert len(ours) > 40
    for path in ours:
        if not path.name.startswith("report-"):  # tests/report looks at these
            assert not (found := FETCHED.search(path.read_text())), f"{path}: {found}"
    assert (site / "bench/fixing.json").exists()  # what pages link to comes along


def test_the_reference_has_every_public_name(site: Path) -> None:
    inside = "".join(page.read_text() for page in (site / "reference").glob("*.html"))
    anchors = set(re.findall(r'id="(hansproof\.[^"]+)"', inside))
    for name in hansproof.__all__:
        value = getattr(hansproof, name)
        home = f"{value.__module__}.{value.__name__}" if callable(value) else value.__name__
        homes = {home, re.sub(r"\._\w+(?=\.\w+$)", "", home)}  # a package shows what is inside it
        assert homes & anchors, home
    for name in ("Model", "Learner", "View", "Edit"):
        assert f"hansproof.types.{name}" in anchors
    assert "hansproof.capabilities.Attributions" in anchors
    for name in set(stats.__all__) - {"Floats"}:  # a type, which the page has no heading for
        assert f"hansproof.stats.{name}" in anchors, name


def opened(browser: Browser, path: Path, width: int) -> tuple[Page, list[str]]:
    """A page opened from the disk, without a network, and what it complains of."""
    complaints: list[str] = []
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    page.goto(path.as_uri())
    return page, complaints


@needs_chromium
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [390, pytest.param(1200, marks=pytest.mark.slow)])
def test_pages_can_be_read(site: Path, browser: Browser, name: str, width: int) -> None:
    page, complaints = opened(browser, site / f"{name}.html", width)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert complaints == []
    assert wide <= width
    page.context.close()


@needs_chromium
def test_search_finds_a_probe_from_the_disk(site: Path, browser: Browser) -> None:
    page, complaints = opened(browser, site / "index.html", 1200)
    page.click(".md-search__input")
    page.keyboard.type("partial_input")
    page.wait_for_selector(".md-search-result__item a", timeout=10_000)
    found = page.eval_on_selector_all(".md-search-result__item a", "all => all.map(a => a.href)")
    assert any("probes/partial_input.html" in link for link in found)
    assert complaints == []
    page.context.close()
