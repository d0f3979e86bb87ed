"""Audit public benchmarks for the gallery: reports, pictures, and the page about them.

    python docs/gallery.py

Reports quote items, which are not ours to pass on: docs/gallery/report-NAME.html stay where they
were built. docs/gallery/found.json, the pictures and docs/gallery.md are kept.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import hansproof
from hansproof.report.format_numbers import format_estimate
from hansproof.report.headline import build_headline
from hansproof.report.probe_order import sort_results

HERE = Path(__file__).parent / "gallery"
PAGE = Path(__file__).parent / "gallery.md"
NAMES = ("copa", "arct", "piqa", "csqa", "arc_challenge")
WIDTH = 900


def found(audit: hansproof.Audit) -> dict[str, Any]:
    """What the page tells of an audit."""
    return {
        "title": audit.card.title,
        "items": audit.sizes,
        "headline": build_headline(audit),
        "probes": [
            {
                "probe": result.probe,
                "verdict": result.verdict,
                "sentence": result.summary,
                "first": format_estimate(result.estimates[0]) if result.estimates else "",
            }
            for result in sort_results(audit)
        ],
    }


def page(all_found: dict[str, Any]) -> str:
    """The gallery."""
    return (
        "# Gallery\n\n"
        "What `hansproof audit NAME` finds in five public benchmarks, written by `make gallery`,"
        " which also builds the reports. They quote items, so they are not passed on here.\n\n"
        "A finding is about the benchmark. That a given model answers so is another claim.\n"
        + "".join(_section(name, one) for name, one in all_found.items())
    )


def _section(name: str, one: dict[str, Any]) -> str:
    sizes = ", ".join(f"{split} {n:,}" for split, n in one["items"].items())
    rows = "".join(
        f"| [{row['probe']}](probes/{row['probe']}.md) | {row['verdict']} | {row['sentence']} |\n"
        for row in one["probes"]
    )
    return (
        f"\n## {one['title'].partition(':')[0]}\n\n{one['headline']}\n\n"
        f"![Cue map of {name}: coverage against productivity](gallery/{name}.png)\n\n"
        f"`hansproof audit {name}`; items: {sizes}. <!-- report: {name} -->\n\n"
        f"| probe | verdict | finding |\n|---|---|---|\n{rows}"
    )


def picture(report: Path, path: Path) -> None:
    """The cue map of a report, in few colours."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": WIDTH, "height": WIDTH})
        window.goto(report.resolve().as_uri())
        window.wait_for_selector("html[data-drawn=all]")
        window.locator("figure", has_text="Cue map").first.screenshot(path=path)
        browser.close()
    Image.open(path).convert("RGB").quantize(255, Image.Quantize.MAXCOVERAGE).save(
        path, optimize=True
    )


def main() -> None:
    HERE.mkdir(exist_ok=True)
    all_found = {}
    for name in NAMES:
        audit = hansproof.audit(hansproof.load(name))
        report = HERE / f"report-{name}.html"
        report.write_text(hansproof.html(audit), encoding="utf-8")
        picture(report, HERE / f"{name}.png")
        all_found[name] = found(audit)
        print(f"{name}: {all_found[name]['headline']}", file=sys.stderr)
    text = json.dumps(all_found, indent=1, ensure_ascii=False)
    (HERE / "found.json").write_text(f"{text}\n")
    PAGE.write_text(page(all_found))


if __name__ == "__main__":
    main()
