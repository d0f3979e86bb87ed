"""`hansproof compare`, and `--predictions NAME@VIEW=FILES` on other commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof import load

from ..support.cli_runner import expect_one_line_error, run_here

ITEMS = load("toy:original").splits["original"]


def write_answers(folder: Path, name: str, n_right: int, choices: dict[int, str]) -> None:
    """Right answers first, then wrong ones; `choices` replaces some."""
    rows = ["id,choice"]
    for index, item in enumerate(ITEMS):
        is_right = index < n_right
        choice = item.answer if is_right else 1 - (item.answer or 0)
        rows.append(f"{item.id},{choices.get(index, 'AB'[choice or 0])}")
    (folder / name).write_text("\n".join(row for row in rows if not row.endswith(",skip")) + "\n")


def run_json(*arguments: str, cwd: Path) -> dict[str, object]:
    done = run_here(*arguments, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert isinstance(result, dict)
    return result


def test_named_systems_on_the_items_that_both_answered(tmp_path: Path) -> None:
    write_answers(tmp_path, "x.csv", 30, {0: "", 1: "-1"})
    write_answers(tmp_path, "y.csv", 20, {5: "skip"})
    result = run_json("compare", "old=x.csv", "new=y.csv", "--bench", "toy:original",
                      cwd=tmp_path)  # fmt: skip
    n = len(ITEMS)
    assert f"on {n - 3} items of original" in str(result["summary"])
    notes = result["notes"]
    assert isinstance(notes, list)
    assert (
        f"original: old and new are compared on the {n - 3} of {n} items that both answered."
        in (notes)
    )


@pytest.mark.parametrize("blank", ["", "-1"])
def test_one_missing_answer_is_an_outcome(tmp_path: Path, blank: str) -> None:
    write_answers(tmp_path, "x.csv", 30, {0: blank})
    result = run_json("run", "accuracy", "toy:original", "--predictions", "x.csv", cwd=tmp_path)
    estimates = result["estimates"]
    assert isinstance(estimates, list)
    assert [estimate["value"] for estimate in estimates] == [pytest.approx(29 / len(ITEMS))]


def test_a_name_and_a_view_on_run_edit_and_convert(tmp_path: Path) -> None:
    write_answers(tmp_path, "x.csv", 30, {})
    result = run_json("run", "accuracy", "toy:original", "--predictions", "m@choices=x.csv",
                      cwd=tmp_path)  # fmt: skip
    assert result["key"] == "original: m on choices"
    unnamed = run_here("edit", "easy-hard", "toy:original", "--predictions", "x.csv",
                       "-o", "out", cwd=tmp_path)  # fmt: skip
    assert "NAME@VIEW=FILES" in expect_one_line_error(unnamed)
    named = run_here("edit", "easy-hard", "toy:original", "--predictions", "m@choices=x.csv",
                     "-o", "out", cwd=tmp_path)  # fmt: skip
    assert named.returncode == 0, named.stderr
    assert "30 easy" in named.stdout + named.stderr
    done = run_here("convert", "m@choices=x.csv", "--bench", "toy:original", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    header = json.loads((tmp_path / done.stdout.strip()).read_text().splitlines()[0])
    assert (header["model"], header["view"]) == ("m", "choices")


def test_files_that_collide_and_silent_files_are_refused_in_one_line(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    write_answers(tmp_path, "a/preds.csv", 30, {})
    write_answers(tmp_path, "b/preds.csv", 20, {})
    done = run_here("run", "accuracy", "toy:original", "--predictions", "*/preds.csv",
                    cwd=tmp_path)  # fmt: skip
    message = expect_one_line_error(done)
    assert "a/preds.csv" in message
    assert "b/preds.csv" in message
    assert "--predictions NAME=FILES" in message
    write_answers(tmp_path, "silent.csv", 0, dict.fromkeys(range(len(ITEMS)), "-1"))
    done = run_here("run", "accuracy", "toy:original", "--predictions", "silent.csv",
                    cwd=tmp_path)  # fmt: skip
    assert "silent has no answer to any item" in expect_one_line_error(done)
