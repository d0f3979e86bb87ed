"""Bag of vectors and BiLSTM beside Niven and Kao 2019, table 3: what bench/niven.json holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.niven import MODELS, SEEDS, VIEWS, _comparison_row

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "bench/niven.json").read_text())
    return found


def printed() -> list[dict[str, Any]]:
    paper = json.loads((ROOT / "src/hansproof/papers/figures/niven2019.json").read_text())
    (table,) = (t for t in paper["tables"] if t["id"] == "table-3")
    return [row for row in table["rows"] if row["model"] in MODELS]


def test_rows_follow_from_the_runs_and_the_paper(kept: dict[str, Any]) -> None:
    assert len(kept["runs"]) == len(MODELS) * len(VIEWS) * SEEDS
    for row, kept_row in zip(printed(), kept["rows"], strict=True):
        mine = [
            run
            for run in kept["runs"]
            if (run["model"], run["view"]) == (MODELS[row["model"]], VIEWS[row["input"]])
        ]
        assert sorted(run["seed"] for run in mine) == list(range(SEEDS))
        assert _comparison_row(row, mine) == kept_row


def test_seven_of_eight_means_agree(kept: dict[str, Any]) -> None:
    apart = [
        (row["model"], row["input"])
        for row in kept["rows"]
        if not row["difference_95"][0] <= 0 <= row["difference_95"][1]
    ]
    assert apart == [("BoV", "C,W")]


def test_the_docs_show_these_rows(kept: dict[str, Any]) -> None:
    page = (ROOT / "docs/models.md").read_text()
    for row in kept["rows"]:
        mean, sd = (f"{row[name]:.3f}".lstrip("0") for name in ("mean", "sd"))
        assert f"| {row['model']} | {row['input']} |" in page
        assert f"{mean} ± {sd}" in page
