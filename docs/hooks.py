"""What mkdocs does not know by itself: which pages there are, and what lies outside docs/."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

from hansproof import plugins

DOCS = Path(__file__).parent
ROOT = DOCS.parent
# pages of the root that are pages of the site
OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
ALONE = ("index.md", "tutorial.md", "papers.md", "gallery.md", "cli.md")  # with nothing beside them
DEPTH = ("fixing", "gate", "predict", "models", "predictions", "vectors", "robustness-textattack")


def on_config(config: Any) -> Any:
    config.nav = nav()
    return config


def nav() -> list[Any]:
    """Every page has its place; a probe, a result or a how-to that is new is found."""
    papers = [{"Papers": "papers.md"}] if (DOCS / "papers.md").exists() else []
    return [
        {"Home": "index.md"},
        {"Tutorial": "tutorial.md"},
        {"How to": ["howto/index.md", *howtos()]},
        {"Probes": ["probes/index.md", *_pages("probes")]},
        *papers,
        {"Results": ["results/index.md", *_pages("results")]},
        {"Gallery": "gallery.md"},
        {"In depth": [f"{name}.md" for name in DEPTH]},
        {"Command line": "cli.md"},
        {"Reference": ["reference/index.md", *_pages("reference")]},
        {"Project": list(OUTSIDE.values())},
    ]


def howtos() -> list[str]:
    """The questions in the order of their index."""
    index = (DOCS / "howto" / "index.md").read_text()
    return [f"howto/{page}" for page in re.findall(r"^- \[.+\]\((.+\.md)\)", index, re.M)]


def _pages(folder: str) -> list[str]:
    found = sorted((DOCS / folder).glob("*.md"))
    return [f"{folder}/{page.name}" for page in found if page.stem != "index"]


def on_files(files: Any, config: Any) -> Any:
    """Indexes of folders, pages of the root, and the measurements that pages link to."""
    made = {"probes/index.md": probes(), "results/index.md": results()}
    made |= {name: (ROOT / path).read_text() for path, name in OUTSIDE.items()}
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    for path in (ROOT / "bench").glob("*.json"):
        files.append(File.generated(config, f"bench/{path.name}", abs_src_path=str(path)))
    return files


def probes() -> str:
    """Every probe with its question, by what it looks at."""
    kinds: dict[str, list[str]] = {}
    for name, question in plugins.names("probes").items():
        row = f"| [`{name}`]({name}.md) | {question} |\n"
        kinds.setdefault(_kind(plugins.load_class("probes", name)), []).append(row)
    tables = (
        f"\n## {kind}\n\n| probe | question |\n|---|---|\n{''.join(kinds[kind])}"
        for kind in sorted(kinds, key=lambda kind: (kind != _OF_ITEMS, kind))
    )
    return "".join((_PROBES, *tables))


_OF_ITEMS = "Of the items alone"
_PROBES = """# Probes

A probe asks a benchmark one question. `hansproof audit` asks all that it can; `hansproof run PROBE`
asks one.
"""


def _kind(probe: Any) -> str:
    if probe.needs:
        return "With " + " or ".join(f"`--{name}`" for name in probe.needs)
    return "On request" if getattr(probe, "on_request", False) else _OF_ITEMS


def results() -> str:
    """Every page of results, by its title."""
    titles = [(page, (DOCS / page).read_text().partition("\n")[0]) for page in _pages("results")]
    rows = [f"- [{title.lstrip('# ')}]({Path(page).name})\n" for page, title in titles]
    return "# Results\n\nWhat was measured, with the command that measures it again.\n\n" + "".join(
        rows
    )


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links between docs/ and the rest stay in the site; the gallery links to what was built."""
    if page.file.src_uri in ALONE:
        page.meta["hide"] = ["navigation"]
    up = "../" * (page.file.src_uri.count("/") + 1)
    less = up.removesuffix("../")
    markdown = markdown.replace(f"]({up}bench/", f"]({less}bench/")
    for path, name in OUTSIDE.items():
        markdown = markdown.replace(f"]({up}{path}", f"]({less}{name}")
    if page.file.src_uri in OUTSIDE.values():
        markdown = markdown.replace("](docs/", "](")
    return re.sub(r"<!-- report: (\S+) -->", _report, markdown)


def _report(found: re.Match[str]) -> str:
    path = f"gallery/report-{found[1]}.html"
    return f"[The whole report]({path})" if (DOCS / path).exists() else ""
