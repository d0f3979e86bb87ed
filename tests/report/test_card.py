"""The section for a dataset card: short, true, and safe whatever the benchmark is called."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hansproof.gates import load_or_run
from hansproof.gates.limits_file import DEFAULTS
from hansproof.report.card import escape_markdown, render_card
from hansproof.types import Audit, Failure

from ..support import gate_factories

NASTY = "a|b\n# c `d` <script>x</script> *e* _f_ [g](http://h.io) ![i](j) & www.k.io\u202e ```\n$x$"


@pytest.fixture(scope="module")
def original() -> Audit:
    return load_or_run("toy:original", DEFAULTS)


def metadata(text: str) -> dict[str, Any]:
    (block,) = re.findall(r"(?ms)^```yaml\n(.*?)^```$", text)
    return dict(yaml.safe_load(block)["hansproof"])


def test_it_is_short_and_has_the_numbers_that_matter(original: Audit) -> None:
    text = render_card(original)
    assert len(text.splitlines()) <= 45
    assert "| answered from choices (bow) alone | 72.0% | 59.8 to 84.3% | 50.0% | 120 |" in text
    assert (
        "choice with “new” right (largest distance from chance among 3 significant cues) | 7.7%"
        in text
    )
    assert "tokenizer word, ngram 2, folds 10, randomisations 999, seed 0" in text
    assert (
        "| significant surface properties (there are too few items for a verdict) | 0 | – |" in text
    )
    assert f"Measured with hansproof {original.version}; the largest value over views," in text
    assert "does not show that a given model answers them this way." in text
    assert "Not measured: contamination." in text
    assert render_card(original) == text  # no clock in it


def test_metadata_says_what_the_audit_says(original: Audit) -> None:
    found = metadata(render_card(original))
    assert found["splits"] == [{"split": "original", "items": 120,
                                "sha256": original.sha256["original"]}]  # fmt: skip
    results = {one["measure"]: one for one in found["results"]}
    (blind,) = (result for result in original.results if result.probe == "partial_input")
    estimate = blind.estimates[0]
    assert results["blind_accuracy"]["about"] == "choices (bow)"
    for name in ("value", "low", "high", "chance", "n"):
        assert results["blind_accuracy"][name] == pytest.approx(getattr(estimate, name), abs=5e-5)
        assert not isinstance(results["blind_accuracy"][name], str)
    assert results["cue_productivity"]["worst_of"] == 3
    assert results["duplicates"] == {"measure": "duplicates", "value": 0}
    assert found["not_measured"] == ["contamination"]


def test_without_a_significant_cue_it_says_so() -> None:
    text = render_card(load_or_run("toy:balanced", DEFAULTS))
    assert "| significant cues | 0 | – | – | – | – |" in text
    results = {one["measure"]: one for one in metadata(text)["results"]}
    assert results["significant_cues"] == {"measure": "significant_cues", "value": 0}
    assert "cue_productivity" not in results


def test_what_could_not_be_run_is_named() -> None:
    text = render_card(gate_factories.audit(failures=(Failure("cues", "no | answers"),)))
    assert "Not measured: cues (no \\| answers), partial\\_input, surface, shortcuts, " in text
    assert "Nothing was measured." in text
    assert metadata(text)["results"] == []
    assert metadata(text)["not_measured"][0] == "cues"


def test_small_numbers_stay_numbers() -> None:
    row = ("dev", "x", 9, 9, 1.0, 0.7, 1e-7, 1e-5, "telling")
    (result,) = metadata(render_card(gate_factories.audit(gate_factories.cues([row]))))["results"]
    assert isinstance(result["high"], float)
    assert isinstance(result["chance"], float)


def rendered(text: str) -> Any:
    return MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)


def tokens(text: str) -> set[str]:
    """Every kind of Markdown that is seen in a text."""
    every = [inner for token in rendered(text) for inner in (token, *(token.children or ()))]
    return {token.type for token in every}


def test_text_of_others_stays_text() -> None:
    cue = (NASTY, NASTY, 20, 18, 0.9, 0.7, 0.97, 0.5, "telling")
    result = replace(gate_factories.cues([cue]), summary=f"{NASTY} is right.")
    text = render_card(
        replace(gate_factories.audit(result, name=NASTY), sizes={NASTY: 3}, version=NASTY)
    )
    assert not tokens(text) & {"html_block", "html_inline", "link_open", "image", "code_inline",
                               "em_open", "strong_open"}  # fmt: skip
    headings = [token for token in rendered(text) if token.type == "heading_open"]
    assert len(headings) == 1
    assert text.count("\n| ") == 3  # a header, a rule, a row
    cells = [row.count("|") - row.count("\\|") for row in text.splitlines() if row.startswith("|")]
    assert set(cells) == {7}
    found = metadata(text)
    assert found["benchmark"] == NASTY.replace("\u202e", "‹U+202E›")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_escaped_text_shows_as_it_is(text: str) -> None:
    shown = escape_markdown(text)
    assert "\n" not in shown
    paragraph = rendered(shown)
    if not paragraph:
        assert not shown
        return
    assert [token.type for token in paragraph] == ["paragraph_open", "inline", "paragraph_close"]
    inner = paragraph[1].children
    assert {token.type for token in inner} <= {"text", "text_special"}


@given(st.text())
def test_metadata_reads_back_whatever_a_benchmark_is_called(name: str) -> None:
    found = metadata(render_card(gate_factories.audit(name=name)))
    plain = not re.search(r"[^\t\n\r -~]", name)
    assert found["benchmark"] == name or not plain


def test_links_are_not_made_of_names() -> None:
    assert escape_markdown("see https://h.io, www.h.io, a@h.io") == (
        "see https\\://h.io, www\\.h.io, a\\@h.io"
    )
