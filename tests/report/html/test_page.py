"""What stands in the file, as far as it can be seen without a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from typing import get_args

import pytest

from hansproof.report import render_html
from hansproof.report.charts._theme import COLOUR_VARIABLES
from hansproof.types import Failure, Result, Table, Verdict

from ...support.odd_tables import SMALL
from ...support.report_page import data
from ...support.report_sample import audit, sample


@pytest.fixture(scope="module")
def small_page() -> str:
    """The page of the small sample, rendered once."""
    return render_html(SMALL)


def test_importing_the_package_is_light() -> None:
    heavy = "{'jinja2', 'altair', 'vl_convert', 'rich', 'msgspec', 'numpy'} & set(sys.modules)"
    code = f"import sys, hansproof.report; assert not {heavy}, {heavy}"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_each_item_is_embedded_once_and_at_most_fifty_per_finding() -> None:
    made = sample()
    embedded = data(render_html(made))
    ids = [item["id"] for item in embedded["items"]]
    assert len(ids) == len(set(ids)) <= len(made.items)
    assert max(len(evidence["items"]) for evidence in embedded["evidence"]) == 50
    sizes = [len(e["items"]) + e["omitted"] for e in embedded["evidence"]]
    assert sorted(sizes) == sorted(len(ids) for r in made.results for ids in r.evidence.values())


def test_scripts_are_known_by_their_bytes_and_nothing_may_be_loaded(small_page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', small_page)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1]
    assert "unsafe-eval" not in policy[1]
    assert policy[1].count("sha256-") == 2
    markup = re.sub(r"<script.*?</script>", "", small_page, flags=re.S)
    assert not re.findall(r"<(?:script|link|img|iframe|object)", markup)


def test_a_probe_from_elsewhere_gets_the_default() -> None:
    mine = Result(
        "./mine.py", {"depth": 3}, "caution", "Half of it rhymes.",
        tables={"rhymes": Table(("word", "count"), (("cat", 2),))},
        evidence={"cat and hat": ("dev-1",)},
    )  # fmt: skip
    items = sample(("dev",), 60, 30, 2).items
    page = render_html(audit((mine,), {"dev": items}))
    assert "Half of it rhymes." in page
    assert 'data-name="rhymes"' in page
    assert "cat and hat" in page


def test_failures_are_shown() -> None:
    page = render_html(sample(("dev",), 60, 30, 2, failures=(Failure("mine", "no such file"),)))
    assert '<h2 id="failed">Could not be run</h2>' in page
    assert "<dd><bdi>no such file</bdi></dd>" in page
    assert "1 probe could not be run" in page


def test_an_audit_of_nothing_is_a_page() -> None:
    assert "was not audited" in render_html(audit((), {"dev": ()}))


def test_a_missing_tokenizer_costs_the_marks_only() -> None:
    made = sample(("dev",), 60, 30, 2)
    cues = replace(made.results[1], params={"tokenizer": "klingon 1.0", "level": 0.05})
    page = render_html(replace(made, results=(cues,)))
    assert "Cues are not marked in the items" in page
    assert all(not marks for e in data(page)["evidence"] for _, marks in e["items"])


def test_numbers_that_json_lacks_become_nothing() -> None:
    table = Table(("word", "score"), (("a", float("nan")), ("b", float("inf")), ("c", 1 / 3)))
    page = render_html(audit((Result("mine", {}, "clear", "", tables={"t": table}),), {"dev": ()}))
    (embedded,) = data(page)["tables"].values()
    assert [row[1] for row in embedded["rows"]] == [None, None, 0.333333]


def test_only_our_own_intervals_are_said_to_be_of_95_percent() -> None:
    table = Table(("word", "value", "low", "high"), (("a", 2.0, 1.0, 3.0),))
    mine = Result("mine", {}, "clear", "", tables={"t": table})
    cues = sample(("dev",), 60, 30, 2).results[1]
    meanings = {
        name: column["meaning"]
        for name, embedded in data(render_html(audit((cues, mine), {"dev": ()})))["tables"].items()
        for column in embedded["columns"]
        if column["kind"] == "interval"
    }
    said = ["95%" in meaning for meaning in meanings.values()]
    assert said == [True, True, False]  # the cues' estimates, the cues, and mine


def test_q_stands_beside_the_verdict_and_is_explained(small_page: str) -> None:
    assert 'class="q"' not in small_page
    assert "<dt>q</dt>" not in small_page
    page = render_html(replace(SMALL, results=tuple(replace(r, q=0.0234) for r in SMALL.results)))
    assert page.count('<span class="q">q = 0.023</span>') == len(SMALL.results)
    assert "<dt>q</dt><dd>Beside a verdict: the p-value after correcting for all tests" in page
    assert "In a table: after correcting for the tests of that probe." in page


def test_clear_is_told_as_what_was_found(small_page: str) -> None:
    assert "<dd>Nothing was found. Where the benchmark was tested for shortcuts, one" in small_page
    for verdict in get_args(Verdict):
        assert f'<dt><span class="badge {verdict}">{verdict}</span></dt>' in small_page


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2."""
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in shares]
    return sum(w * x for w, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(colour: str, other: str) -> float:
    darker, lighter = sorted((luminance(colour), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def colours(page: str, dark: bool) -> dict[str, str]:
    """The variables of the style sheet, in light or in dark mode."""
    light_rules, dark_rules = page.split("prefers-color-scheme: dark", 1)
    rules = dark_rules.split("}", 1)[0] if dark else light_rules
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", rules))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("verdict", [*get_args(Verdict), "failed"])
def test_every_verdict_has_a_badge_that_can_be_read(
    verdict: str, dark: bool, small_page: str
) -> None:
    palette = colours(small_page, dark)
    assert contrast(palette["card"], palette[verdict]) >= 4.5
    assert contrast(palette["paper"], palette[verdict]) >= 4.5
    assert f".badge.{verdict}::before" in small_page
    assert f".{verdict} {{ --tone: var(--{verdict}); }}" in small_page


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_and_marks_of_charts_stand_out(dark: bool, small_page: str) -> None:
    palette = colours(small_page, dark)
    for text in ("ink", "quiet", "link"):
        for ground in ("card", "paper", "inset"):
            assert contrast(palette[text], palette[ground]) >= 4.5, (text, ground)
    assert contrast(palette["ink"], palette["mark"]) >= 4.5
    for fill in ("chart-below", "chart-above"):
        assert contrast(palette["ink"], palette[fill]) >= 4.5, fill
    for mark in ("chart-red", "chart-blue", "chart-ochre", "chart-violet"):
        assert contrast(palette[mark], palette["card"]) >= 3, mark


def test_the_style_sheet_has_the_colours_of_the_charts(small_page: str) -> None:
    palettes = colours(small_page, dark=False), colours(small_page, dark=True)
    for colour, variable in COLOUR_VARIABLES.items():
        name = variable.removeprefix("var(--").removesuffix(")")
        assert palettes[0][name] == colour
        assert name in palettes[1]
