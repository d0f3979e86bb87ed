"""The cues named on the map do not cover each other."""

from __future__ import annotations

from typing import Any

from hansproof.report.charts._labels import PLOT_WIDTHS, LabelSpot, place_labels
from hansproof.report.charts.cues import (
    MAX_FLAGGED_LABELS,
    MAX_UNFLAGGED_LABELS,
    _build_caption,
    select_labels,
)

WIDE, NARROW = PLOT_WIDTHS


def row(cue: str, coverage: float, productivity: float, p: float, flag: str) -> dict[str, Any]:
    return {"split": "dev", "cue": cue, "coverage": coverage, "productivity": productivity,
            "chance": 0.5, "p": p, "flag": flag}  # fmt: skip


def test_of_two_in_one_place_the_stronger_is_named_on_the_right() -> None:
    rows = [row("a", 0.1, 0.8, 0.01, "telling"), row("b", 0.1, 0.8, 0.001, "telling"),
            row("c", 0.1, 0.2, 0.02, "eliminating"), row("d", 0.9, 0.5, 0.9, "")]  # fmt: skip
    assert select_labels(rows, WIDE) == {1: False, 0: True, 2: False}
    assert select_labels(rows, NARROW) == {1: False, 2: False}


def test_there_are_never_too_many() -> None:
    many = [row("x", 0.9**at, (at * 37 % 100) / 100, at / 1000, "telling") for at in range(90)]
    assert len(select_labels(many, WIDE)) == MAX_FLAGGED_LABELS
    unflagged = [record | {"flag": ""} for record in many]
    assert len(select_labels(unflagged, WIDE)) == MAX_UNFLAGGED_LABELS
    assert 0 < len(select_labels(many, NARROW)) <= MAX_FLAGGED_LABELS


def test_a_label_without_room_on_the_right_is_on_the_left_or_left_out() -> None:
    spots = [LabelSpot(0, "beginning", 0.95, 0.5), LabelSpot(1, "word" * 20, 0.5, 0.2)]
    assert place_labels(spots, WIDE, 5) == {0: True, 1: False}
    assert place_labels(spots, NARROW, 5) == {0: True}


def test_no_label_covers_a_dot_that_has_none() -> None:
    dots = [LabelSpot(0, "word", 0.4, 0.5, 11), LabelSpot(1, "beside", 0.42, 0.51, 11)]
    assert place_labels(dots, WIDE, 1) == {0: True}  # to the right there is the other dot
    between = [LabelSpot(2, "left", 0.38, 0.5, 11), *dots]
    assert 0 not in place_labels(between, WIDE, 3)
    far_above = [dots[0], LabelSpot(1, "beside", 0.42, 0.6, 11)]
    assert place_labels(far_above, WIDE, 1) == {0: False}


def test_the_caption_names_the_colours_and_the_chance_that_are_drawn() -> None:
    telling = row("a", 0.1, 0.8, 0.01, "telling")
    assert "Blue" not in _build_caption([telling])
    assert "Dashed: chance." in _build_caption([telling])
    both = [telling, row("b", 0.1, 0.1, 0.01, "eliminating") | {"chance": 0.25}]
    assert "Blue" in _build_caption(both)
    assert "Dashed: mean chance." in _build_caption(both)
    assert "No cue is significant" in _build_caption([telling | {"flag": ""}])
