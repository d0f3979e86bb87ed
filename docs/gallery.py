"""Audit public benchmarks and write the gallery: reports, pictures and the page.

    python -m docs.gallery

Reports quote items, which we may not redistribute, so docs/gallery/report-NAME.html are not
committed. docs/gallery/found.json, the pictures and docs/gallery.md are.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import hansproof
from docs.wrap import wrap_markdown
from hansproof.report.format_numbers import format_estimate
from hansproof.report.headline import build_headline
from hansproof.report.probe_order import sort_results

HERE = Path(__file__).parent / "gallery"
PAGE = Path(__file__).parent / "gallery.md"
NAMES = ("copa", "arct", "piqa", "csqa", "arc_challenge")
WIDTH = 900


def summarize_audit(audit: hansproof.Audit) -> dict[str, Any]:
    """Return what the page shows of an audit."""
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


def page(summaries: dict[str, Any]) -> str:
    """Render the gallery."""
    return wrap_markdown(
        "# Gallery\n\n"
        "What `hansproof audit NAME` finds in five public benchmarks. `make gallery` writes this"
        " page and the reports. The reports quote items, which we may not redistribute, so they"
        " are not part of the repository.\n\n"
        "A finding is about the benchmark. It does not show that a given model uses the shortcut."
        " The [verdicts](verdicts.md) and the words *cue*, *coverage* and *productivity* are"
        " explained in the [glossary](glossary.md).\n"
        + "".join(_render_section(name, summary) for name, summary in summaries.items())
    )


def _render_section(name: str, summary: dict[str, Any]) -> str:
    sizes = ", ".join(f"{split} {n:,}" for split, n in summary["items"].items())
    rows = "".join(
        f"| [{row['probe']}](probes/{row['probe']}.md) | {row['verdict']} | {row['sentence']} |\n"
        for row in summary["probes"]
    )
    return (
        f"\n## {summary['title'].partition(':')[0]}\n\n{summary['headline']}\n\n"
        f"![Cue map of {name}: coverage against productivity](gallery/{name}.png)\n\n"
        f"`hansproof audit {name}`; items: {sizes}. <!-- report: {name} -->\n\n"
        f"| probe | verdict | finding |\n|---|---|---|\n{rows}"
    )


def save_picture(report: Path, path: Path) -> None:
    """Save the cue map of a report as a picture with few colours."""
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


def audit_without_models(name: str) -> hansproof.Audit:
    """Audit a benchmark by name; likelihoods and vectors that happen to be cached are not used."""
    return hansproof.audit(hansproof.load(name), lm="none", encoder="none")


def main() -> None:
    HERE.mkdir(exist_ok=True)
    summaries = {}
    for name in NAMES:
        audit = audit_without_models(name)
        report = HERE / f"report-{name}.html"
        report.write_text(hansproof.html(audit), encoding="utf-8")
        save_picture(report, HERE / f"{name}.png")
        summaries[name] = summarize_audit(audit)
        print(f"{name}: {summaries[name]['headline']}", file=sys.stderr)
    text = json.dumps(summaries, indent=1, ensure_ascii=False)
    (HERE / "found.json").write_text(f"{text}\n")
    PAGE.write_text(page(summaries))


if __name__ == "__main__":
    main()
