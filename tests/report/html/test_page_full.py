"""Every section in one report: on a desk and on a phone, offline, without a word of complaint."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hansproof.report.sections import SCHEMA_MISMATCH

from ...support.full_audit import everything
from ...support.report_page import (
    fits_a_phone,
    overflow,
    pictures,
    probes,
    shown_probes,
    write,
)

if TYPE_CHECKING:
    from ...support.report_page import Open


WIDTHS = (390, 1200)
FINGER = 24  # pixels: the least of WCAG 2.2
HEIGHTS = "all => all.map((e) => e.getBoundingClientRect().height)"
COLLIDING = """[...document.querySelectorAll(".chart svg")].flatMap((svg) => {
  const shown = [...svg.querySelectorAll("text")].filter((text) => (
    text.textContent.trim() && text.getAttribute("opacity") !== "0"));
  const boxes = shown.map((text) => [text.textContent, text.getBoundingClientRect()]);
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  return boxes.flatMap(([one, a], at) => (
    boxes.slice(at + 1).filter(([, b]) => meet(a, b)).map(([other]) => `${one} / ${other}`)));
})"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    audit = replace(everything(), command="hansproof audit paddock.jsonl -o audit")
    return write(audit, tmp_path_factory.mktemp("everything"))


@pytest.mark.parametrize("width", WIDTHS)
def test_every_probe_is_there_and_nothing_covers_anything(
    look_at: Open, whole: Path, width: int
) -> None:
    page = look_at(whole, width)  # which complains of requests, errors and warnings
    assert shown_probes(page) == probes()
    assert page.locator(".chart svg").count() == page.locator("[data-chart]").count() > 20
    assert overflow(page) <= 0
    assert page.evaluate(COLLIDING) == []


def test_none_of_them_is_shown_without_its_pictures(whole: Path) -> None:
    page = whole.read_text(encoding="utf-8")
    assert SCHEMA_MISMATCH.notes[0] not in page
    assert pictures(page) > 20


def test_a_phone_has_room_for_pictures_and_fingers(look_at: Open, whole: Path) -> None:
    page = look_at(whole, 390)
    fits_a_phone(page)
    for kind in (
        ".opener",
        "summary",
        "select",
        "input",
        ".more:visible",
        ".summary a",
        ".copy",
        ".up",
    ):
        assert min(page.locator(kind).evaluate_all(HEIGHTS)) >= FINGER, kind
    table = page.locator("[data-name=cues] .scroll").first
    table.evaluate("e => { e.scrollLeft = 300; }")
    first, around = table.locator("tbody td").first.bounding_box(), table.bounding_box()
    assert first is not None
    assert around is not None
    assert abs(first["x"] - around["x"]) <= 1  # who scrolls sideways still sees whose row it is
    table.evaluate("e => { e.scrollLeft = 0; }")
    long = page.locator("[data-name=items].listed")
    assert long.count() > 0
    assert long.evaluate_all("all => all.every((e) => e.scrollWidth <= e.clientWidth)")
