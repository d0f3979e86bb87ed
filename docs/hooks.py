"""Hooks for mkdocs: build the navigation, and add files from outside docs/."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

from hansproof import plugins

DOCS = Path(__file__).parent
ROOT = DOCS.parent
# pages of the repository root that are part of the site
OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
# pages without the sidebar
ALONE = ("index.md", "tutorial.md", "papers.md", "gallery.md", "cli.md")
DEPTH = (
    "glossary",
    "benchmarks",
    "verdicts",
    "fixing",
    "gate",
    "predict",
    "models",
    "predictions",
    "vectors",
    "robustness-textattack",
)


def on_config(config: Any) -> Any:
    config.nav = build_nav()
    return config


def build_nav() -> list[Any]:
    """List all pages; new probes, results and how-tos are found automatically."""
    papers = [{"Papers": "papers.md"}] if (DOCS / "papers.md").exists() else []
    return [
        {"Home": "index.md"},
        {"Tutorial": "tutorial.md"},
        {"How to": ["howto/index.md", *list_howtos()]},
        {"Probes": ["probes/index.md", *_list_pages("probes")]},
        *papers,
        {"Results": ["results/index.md", *_list_pages("results")]},
        {"Gallery": "gallery.md"},
        {"In depth": [f"{name}.md" for name in DEPTH]},
        {"Command line": "cli.md"},
        {"Reference": ["reference/index.md", *_list_pages("reference")]},
        {"Project": list(OUTSIDE.values())},
    ]


def list_howtos() -> list[str]:
    """List the how-to pages in the order of their index."""
    index = (DOCS / "howto" / "index.md").read_text()
    return [f"howto/{page}" for page in re.findall(r"^- \[.+\]\((.+\.md)\)", index, re.M)]


def _list_pages(folder: str) -> list[str]:
    paths = sorted((DOCS / folder).glob("*.md"))
    return [f"{folder}/{page.name}" for page in paths if page.stem != "index"]


def on_files(files: Any, config: Any) -> Any:
    """Add index pages, pages of the root, and the JSON files of bench/ that pages link to."""
    generated = {"probes/index.md": probes_index(), "results/index.md": results_index()}
    generated |= {name: (ROOT / path).read_text() for path, name in OUTSIDE.items()}
    for name, text in generated.items():
        files.append(File.generated(config, name, content=text))
    for path in (ROOT / "bench").glob("*.json"):
        files.append(File.generated(config, f"bench/{path.name}", abs_src_path=str(path)))
    return files


def probes_index() -> str:
    """Render a table of all probes with their questions, by the inputs they need."""
    kinds: dict[str, list[str]] = {}
    for name, question in plugins.names("probes").items():
        row = f"| [`{name}`]({name}.md) | {question} |\n"
        kinds.setdefault(_probe_kind(plugins.load_class("probes", name)), []).append(row)
    tables = (
        f"\n## {kind}\n\n| probe | question |\n|---|---|\n{''.join(kinds[kind])}"
        for kind in sorted(kinds, key=lambda kind: (kind != _OF_ITEMS, kind))
    )
    return "".join((_PROBES, *tables))


_OF_ITEMS = "On the items alone"
_PROBES = """# Probes

A probe asks one question of a benchmark. `hansproof audit` runs all probes that have the inputs
they need; `hansproof run PROBE` runs one.
"""


def _probe_kind(probe: Any) -> str:
    if probe.needs:
        return "With " + " or ".join(f"`--{name}`" for name in probe.needs)
    return "On request" if getattr(probe, "on_request", False) else _OF_ITEMS


def results_index() -> str:
    """Render a list of all results pages."""
    titles = [
        (page, (DOCS / page).read_text().partition("\n")[0]) for page in _list_pages("results")
    ]
    rows = [f"- [{title.lstrip('# ')}]({Path(page).name})\n" for page, title in titles]
    return "# Results\n\nMeasurements, each with the command that repeats it.\n\n" + "".join(rows)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Rewrite links to files outside docs/, and link the gallery to reports that were built."""
    if page.file.src_uri in ALONE:
        page.meta["hide"] = ["navigation"]
    up = "../" * (page.file.src_uri.count("/") + 1)
    site_up = up.removesuffix("../")
    markdown = markdown.replace(f"]({up}bench/", f"]({site_up}bench/")
    for path, name in OUTSIDE.items():
        markdown = markdown.replace(f"]({up}{path}", f"]({site_up}{name}")
    if page.file.src_uri in OUTSIDE.values():
        markdown = markdown.replace("](docs/", "](")
    return re.sub(r"<!-- report: (\S+) -->", _report_link, markdown)


def _report_link(match: re.Match[str]) -> str:
    path = f"gallery/report-{match[1]}.html"
    return f"[The whole report]({path})" if (DOCS / path).exists() else ""
