"""Text from a benchmark shows as text, wherever it stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hansproof.types import Audit, Card, Estimate, Failure, Item, Result, Table

from ...support.report_page import EVIL, OVERRIDE, nothing_runs, nothing_turns, shown, write
from ...support.report_sample import audit, sample

if TYPE_CHECKING:
    from ...support.report_page import Open


def hostile() -> Audit:
    """The sample, with hostile text in every place that takes text."""
    item = Item(EVIL, {EVIL: EVIL}, ("alpha " + EVIL, OVERRIDE), 1)
    plain = sample(("dev",), 60, 30, 2)
    split = EVIL + OVERRIDE
    results = tuple(
        replace(
            result,
            summary=EVIL + OVERRIDE,
            headline=EVIL + OVERRIDE,
            notes=(EVIL,),
            params={EVIL: EVIL, "tokenizer": "word", "level": 0.05},
            estimates=(Estimate(EVIL, 0.6, 0.5, 0.7, 10, 0.5),),
            tables={
                name: Table(table.columns, tuple((split, *row[1:]) for row in table.rows))
                if table.columns[0] == "split" else table
                for name, table in result.tables.items()
            },
            evidence={},
        )
        for result in plain.results
    )  # fmt: skip
    cues = results[1].tables["cues"]
    named = ((split, 1, "alpha", *cues.rows[0][3:-1], "telling"), *cues.rows[1:])
    results = (
        results[0],
        replace(
            results[1],
            tables=results[1].tables | {"cues": Table(cues.columns, named)},
            evidence={f"{split}: alpha": (EVIL,)},
        ),
        *results[2:],
        Result(EVIL, {}, "caution", EVIL, tables={EVIL: Table((EVIL,), ((EVIL,),))},
               evidence={EVIL: (EVIL,)}),
    )  # fmt: skip
    made = audit(results, {split: (item,)}, (Failure(EVIL, EVIL),))
    card = Card(EVIL, "javascript:window.hacked = 1", EVIL, EVIL)
    return replace(
        made, benchmark=EVIL, version=EVIL, environment={EVIL: EVIL}, card=card, created=EVIL,
        command=f"hansproof audit {EVIL}",
    )  # fmt: skip


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(hostile(), tmp_path_factory.mktemp("evil"))


def test_everything_shows_as_text(open_page: Open, evil: Path) -> None:
    page = open_page(evil)
    opener = page.locator("[data-name=cues] .opener")
    opener.click()
    page.locator("details.loose").last.evaluate("details => { details.open = true; }")
    article = page.locator("[data-name=cues] article")
    assert article.locator("mark").all_inner_texts() == ["alpha"]
    assert page.locator(".example mark").first.inner_text() == "alpha"
    for place in (
        "h1",
        ".summary .failed a",
        ".finding .sentence",
        ".note",
        ".facts .wide dd",
        ".example",
        ".reasons",
    ):
        assert shown(EVIL) in (page.locator(place).first.text_content() or "")
    for place in (".item-id", ".field", "li"):
        assert shown(EVIL) in (article.locator(place).first.text_content() or "")
    assert page.locator(".loose article").count() == 1
    nothing_runs(page)
    assert page.locator("b script").count() == 0
    assert page.locator(".facts a").count() == 0  # only web addresses become links
    for chart in page.locator(".chart").all():
        assert chart.locator("svg [aria-roledescription]").count() > 3
    assert page.locator(".chart .mark-symbol path[aria-label*=alpha]").count() == 1


def test_nothing_reorders_the_page(open_page: Open, evil: Path) -> None:
    page = open_page(evil)
    page.locator("[data-name=cues] .opener").click()
    choice = page.locator("[data-name=cues] li.right")
    chips = choice.locator(".hidden-character").all_inner_texts()
    assert chips == ["U+202E", "U+202C", "U+2067", "U+2069", "U+200F", "U+200E"]
    assert choice.locator("bdi").count() == 1
    nothing_turns(page, "body *:not(script)")


def test_marks_count_characters_not_code_units(open_page: Open, tmp_path: Path) -> None:
    plain = sample(("dev",), 60, 30, 2)
    item = Item("1", {}, ("🐎🐎 İ alpha!", "beta"), 0)
    cues = plain.results[1].tables["cues"]
    rows = (("dev", 1, "alpha", *cues.rows[0][3:-1], "telling"),)
    result = replace(
        plain.results[1],
        tables=plain.results[1].tables | {"cues": Table(cues.columns, rows)},
        evidence={"dev: alpha": ("1",)},
    )
    page = open_page(write(audit((result,), {"dev": (item,)}), tmp_path))
    page.locator("[data-name=cues] .opener").click()
    assert page.locator("tr.panel mark").all_inner_texts() == ["alpha"]
    assert page.locator(".example mark").all_inner_texts() == ["alpha"]
