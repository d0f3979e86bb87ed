"""The documentation says what is so."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from hansproof import plugins

from .support.markers import needs_data

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_the_command_line_reference_is_what_help_prints() -> None:
    written = runpy.run_path(str(ROOT / "docs" / "cli.py"))["page"]()
    assert (ROOT / "docs" / "cli.md").read_text() == written, "run `make docs`"


def test_the_results_of_fixing_are_those_that_were_measured() -> None:
    from bench.fixing_page import render_fixing_page

    found = json.loads((ROOT / "bench" / "fixing.json").read_text())
    assert (ROOT / "docs" / "results" / "fixing.md").read_text() == render_fixing_page(found)


def test_the_results_of_robustness_and_sensitivity_are_those_that_were_measured() -> None:
    from bench.robustness_page import render_robustness_page
    from bench.sensitivity_page import render_sensitivity_page

    for name, made in (
        ("robustness", render_robustness_page),
        ("sensitivity", render_sensitivity_page),
    ):
        found = json.loads((ROOT / "bench" / f"{name}.json").read_text())
        assert (ROOT / "docs" / "results" / f"{name}.md").read_text() == made(found)


def test_the_results_of_shortcuts_are_those_that_were_measured() -> None:
    from bench.shortcuts_page import render_shortcuts_page

    names = ("shortcuts", "shortcuts_planted", "shortcut_labels", "shortcut_speed")
    found = [json.loads((ROOT / "bench" / f"{name}.json").read_text()) for name in names]
    assert (ROOT / "docs" / "results" / "shortcuts.md").read_text() == render_shortcuts_page(*found)


def test_the_results_of_the_papers_models_are_those_that_were_measured() -> None:
    from bench.papers_page import render_papers_page

    found = json.loads((ROOT / "bench" / "papers.json").read_text())
    assert (ROOT / "docs" / "results" / "papers-mpnet.md").read_text() == render_papers_page(found)


@pytest.mark.parametrize("bench", ["attack", "attack_gpu"])
def test_the_speed_beside_textattack_is_what_was_measured(bench: str) -> None:
    page = (ROOT / "docs/robustness-textattack.md").read_text()
    for setting in json.loads((ROOT / f"bench/{bench}.json").read_text())["settings"].values():
        ours, peer = setting["ours"], setting["textattack"]
        numbers = (ours["attacked"], ours["flipped"], peer["flipped"])
        faster = f"{peer['ours_is_faster_by']:.1f}"
        cells = " | ".join((*map(str, numbers), faster, f"[bench/{bench}.json]"))
        assert f"| {cells}" in page
        if bench == "attack_gpu":
            assert "On the H200 the words put in are the same, too, in every item." in page
            assert peer["beside_ours"]["with the same words"] == ours["flipped"]


def test_the_gallery_tells_what_the_audits_found() -> None:
    found = json.loads((ROOT / "docs/gallery/found.json").read_text())
    made = runpy.run_path(str(ROOT / "docs" / "gallery.py"))
    assert tuple(found) == made["NAMES"]
    assert (ROOT / "docs/gallery.md").read_text() == made["page"](found), "run `make gallery`"


@needs_data
@pytest.mark.slow
def test_the_audit_of_copa_finds_what_the_gallery_tells() -> None:
    found = json.loads((ROOT / "docs/gallery/found.json").read_text())["copa"]
    made = runpy.run_path(str(ROOT / "docs" / "gallery.py"))
    assert made["summarize_audit"](made["audit_without_models"]("copa")) == found


@pytest.mark.parametrize("name", plugins.names("probes"))
def test_every_probe_has_a_page_that_asks_its_question(name: str) -> None:
    text = (ROOT / "docs" / "probes" / f"{name}.md").read_text()
    assert f"**{plugins.names('probes')[name]}**" in text
    assert "## When it misleads" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_readme_has_two_commands_that_make_knows() -> None:
    readme, makefile = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    commands = re.findall(r"^make (\w+)|`make (\w+)`", readme, re.M)
    names = {name for pair in commands for name in pair if name}
    assert {"audit", "test"} <= names
    assert all(re.search(rf"^{command}:", makefile, re.M) for command in names)


def test_the_false_alarms_are_what_was_counted_and_read() -> None:
    page = (ROOT / "docs/results/contamination.md").read_text()
    held = json.loads((ROOT / "docs/results/contamination.json").read_text())
    for size in ("n=own", "n=8", "n=6"):
        levels = held[size]["levels"]
        dirty = sum(row.get("match", 0) + row.get("match with answer", 0) for row in levels)
        searched = sum(row["items"] - row.get("unsearchable", 0) for row in levels)
        assert f"{dirty} of {searched:,} ({dirty / searched:.3%}" in page
    for size, name in (("n=8", "8, all"), ("n=6", "6, sample")):
        read = [one["read_as"] for one in held[size]["sample"]]
        counts = " | ".join(str(read.count(kind)) for kind in ("phrase", "subject", "item"))
        assert f"| {name} ({len(read)}) | {counts} |" in page
    assert len(held["n=6"]["sample"]) == 30


def test_the_page_of_benchmarks_lists_each_with_its_card() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text()
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    assert [row[0].strip("`") for row in rows] == sorted(plugins.names("benchmarks"))
    for name, _, licence, home in rows:
        card = plugins.load_module("benchmarks", name.strip("`")).CARD
        assert (licence, home) == (card.licence, f"<{card.home}>" if card.home else "embedded")
