"""The cues named on the map do not cover each other."""

from __future__ import annotations

from typing import Any

from hansproof.report.charts._labels import MAX_FLAGGED_LABELS, MAX_UNFLAGGED_LABELS, select_labels


def row(cue: str, coverage: float, productivity: float, p: float, flag: str) -> dict[str, Any]:
    return {"split": "dev", "cue": cue, "coverage": coverage, "productivity": productivity,
            "chance": 0.5, "p": p, "flag": flag}  # fmt: skip


def test_of_two_in_one_place_the_stronger_is_named() -> None:
    rows = [row("a", 0.1, 0.8, 0.01, "telling"), row("b", 0.1, 0.8, 0.001, "telling"),
            row("c", 0.1, 0.2, 0.02, "eliminating"), row("d", 0.9, 0.5, 0.9, "")]  # fmt: skip
    assert select_labels(rows) == [1, 2]


def test_there_are_never_too_many() -> None:
    many = [row("x", 0.9**at, (at * 37 % 100) / 100, at / 1000, "telling") for at in range(90)]
    assert len(select_labels(many)) == MAX_FLAGGED_LABELS
    assert len(select_labels([one | {"flag": ""} for one in many])) == MAX_UNFLAGGED_LABELS
