"""The cues named on the map do not cover each other."""

from __future__ import annotations

from typing import Any

from hansproof.report.charts._labels import PLOT_WIDTHS, LabelSpot, place_labels
from hansproof.report.charts.cues import (
    MAX_FLAGGED_LABELS,
    MAX_UNFLAGGED_LABELS,
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
