"""What notebooks show: small tables, in which nothing of a benchmark is taken for markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from hansproof.gates import GateResult, Limit, LimitOutcome
from hansproof.types import Benchmark, Card, Estimate, Failure, Item, Predictions, Result, Table

from ..support.report_sample import sample
from .test_text import AUDIT, BENCHMARK, ITEM, RESULT, RUN, TABLE

EVIL = '<script>alert("1")</script>&<img src=x onerror=alert(2)>\u202e'
ITEM_OF_EVIL = Item(EVIL, {EVIL: EVIL}, (EVIL, EVIL), 1)
TABLE_OF_EVIL = Table((EVIL, "n"), ((EVIL, 1),))
RESULT_OF_EVIL = Result(
    EVIL, {}, "exposed", EVIL, (Estimate(EVIL, 0.5),), {EVIL: TABLE_OF_EVIL}, {EVIL: (EVIL,)},
    (EVIL,), q=0.01,
)  # fmt: skip
EVIL_VALUES: list[Any] = [
    ITEM_OF_EVIL,
    TABLE_OF_EVIL,
    RESULT_OF_EVIL,
    Benchmark(EVIL, {EVIL: (ITEM_OF_EVIL,)}, {EVIL: EVIL}, Card(EVIL)),
    Predictions(EVIL, EVIL, EVIL, EVIL, EVIL, {EVIL: (0.1, 0.9)}),
    sample(failures=(Failure(EVIL, EVIL),)),
    Estimate(EVIL, 0.5, 0.4, 0.6),
    GateResult(EVIL, (EVIL,), EVIL, (LimitOutcome(Limit(EVIL, 0.1), "fail", reason=EVIL),)),
]
TAGS = {
    "b", "bdi", "details", "div", "p", "span", "summary", "table", "tbody", "td", "th", "thead",
    "tr",
}  # fmt: skip


class TagReader(HTMLParser):
    """Collects the tags and the attributes of a page, and checks that tags are closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.open_tags: list[str] = []
        self.feed(text)
        assert self.open_tags == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.open_tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open_tags.pop() == tag


@pytest.mark.parametrize("value", EVIL_VALUES, ids=lambda value: type(value).__name__)
def test_everything_is_escaped(value: Any) -> None:
    html = value._repr_html_()
    reader = TagReader(html)
    assert reader.tags <= TAGS
    assert reader.attributes <= {"style", "class"}
    assert "\u202e" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    "value", [AUDIT, BENCHMARK, ITEM, RESULT, RUN, TABLE], ids=lambda value: type(value).__name__
)
def test_large_values_give_small_tables(value: Any) -> None:
    assert len(value._repr_html_()) < 2_000_000
    assert value._repr_html_().count("<tr>") < 700


def test_colours_suit_dark_and_light_notebooks() -> None:
    html = sample()._repr_html_()
    assert html is not None
    # only the dots are coloured; text and background are those of the notebook
    assert {*re.findall(r"color:(#\w+)", html)} == {"#e0483e", "#d9920a", "#2f9e5b"}
    assert "background" not in html


def test_an_audit_begins_with_its_headline() -> None:
    html = sample()._repr_html_()
    assert html is not None
    assert re.match(r"<div><p><b><bdi>.+ is not Hans-proof", html)


def test_an_item_shows_the_right_choice() -> None:
    html = Item("1", {"q": "Is ice cold?"}, ("yes", "no"), 1)._repr_html_()
    assert html is not None
    assert re.findall(r"choice \d[^<]*", html) == ["choice 0", "choice 1 ✓"]


def test_types_without_a_table_are_left_to_their_text() -> None:
    assert Card("title")._repr_html_() is None


def test_a_gate_result_lists_its_limits() -> None:
    outcomes = (
        LimitOutcome(Limit("cues", worst_verdict="caution"), "fail", verdict="exposed"),
        LimitOutcome(Limit("accuracy/a", 0.5), "not measured", reason="no result"),
    )
    html = GateResult("toy", ("original",), "built in", outcomes)._repr_html_()
    assert html is not None
    text = re.sub(r"<[^>]+>", " ", html)
    assert "toy:original" in text
    assert "does not pass" in text
    assert "exposed, allowed: caution" in text
    assert re.search(r"● +not measured +≤ 0.5\? +no result", text)


def test_an_estimate_is_a_row() -> None:
    html = Estimate("dev: longest", 0.62, 0.57, 0.67, 400, 0.5)._repr_html_()
    assert html is not None
    cells = re.findall(r"<td[^>]*>(.*?)</td>", html)
    texts = [re.sub(r"<[^>]+>", "", cell) for cell in cells]
    assert texts == ["dev: longest", "62.0% (57.0 to 67.0%), chance 50.0%", "400"]
