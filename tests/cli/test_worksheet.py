"""Worksheets from the command line and back."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from hansproof.formats.jsonl import write_items
from hansproof.records.spreadsheet import write_sheet

from ..support.cli_runner import expect_one_line_error, run_here
from ..support.quiz_factories import fill_lengths, uneven_quiz

ITEMS = [
    {
        "id": "1",
        "premise": "The sky was grey.",
        "choices": ["It rained.", "It shone."],
        "answer": 0,
    },
    {"id": "2", "premise": "He was late.", "choices": ["He ran.", "He sat."], "answer": 0},
]
NEW = {"1": "The sky was blue.", "2": "He was early."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    text = "".join(json.dumps(item) + "\n" for item in ITEMS)
    (tmp_path / "items.jsonl").write_text(text)
    return tmp_path


def filled(folder: Path, name: str, ids: str) -> None:
    with (folder / name).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    new = {id: NEW[id] for id in ids}
    write_sheet(str(folder / name), [row | {"new_premise": new.get(row["id"], "")} for row in rows])


def test_a_worksheet_goes_out_and_comes_back(folder: Path) -> None:
    done = run_here("worksheet", "mirror", "items.jsonl", "-o", "sheet.csv", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")
    command = "hansproof edit mirror items.jsonl --sheet sheet.csv -o mirrored"
    hint = f"Fill in the column new_premise, then run: {command}\n"
    assert done.stderr == "sheet.csv: 2 rows\n" + hint
    empty = command.split()[1:]
    assert "sheet.csv: no row has a new_premise yet" in expect_one_line_error(
        run_here(*empty, cwd=folder)
    )
    filled(folder, "sheet.csv", "1")
    given = ("--sheet", "sheet.csv")
    done = run_here("edit", "mirror", "items.jsonl", *given, "-o", "new", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["evidence"]["to do"] == ["2"]
    found = [json.loads(line) for line in (folder / "new/all.jsonl").read_text().splitlines()]
    assert [item["id"] for item in found] == ["1", "1-mirrored", "2"]
    done = run_here("worksheet", "mirror", "items.jsonl", *given, "-o", "rest.csv", cwd=folder)
    assert done.stderr.startswith("rest.csv: 1 row\nFill in the column new_premise, then run: ")
    assert "--sheet sheet.csv,rest.csv -o mirrored" in done.stderr
    filled(folder, "rest.csv", "2")
    given = ("--sheet", "sheet.csv,rest.csv")
    done = run_here("worksheet", "mirror", "items.jsonl", *given, "-o", "none.csv", cwd=folder)
    assert done.stderr == "no worksheet was written: there is nothing to fill in\n"
    assert not (folder / "none.csv").exists()


def test_only_edits_that_have_one_are_named() -> None:
    text = run_here("worksheet", "--help").stdout
    assert "mirror" in text
    assert "negate" in text
    assert "easy_hard" not in text
    said = expect_one_line_error(run_here("worksheet", "easy_hard", "toy", "-o", "x.csv"))
    assert "unknown worksheet 'easy_hard'" in said


def test_a_worksheet_that_could_not_be_written(folder: Path) -> None:
    said = expect_one_line_error(
        run_here("worksheet", "mirror", "items.jsonl", "-o", "x.ods", cwd=folder)
    )
    assert said == "hansproof: x.ods: must end in .csv or .jsonl\n"


def test_an_edit_without_its_sheet_says_how_to_get_one(folder: Path) -> None:
    said = expect_one_line_error(run_here("edit", "mirror", "items.jsonl", "-o", "new", cwd=folder))
    assert "hansproof worksheet mirror BENCH -o sheet.csv" in said


def test_an_edit_of_ones_own_without_a_worksheet_is_refused(folder: Path) -> None:
    (folder / "mine.py").write_text(
        '"""Changes nothing."""\n'
        "from dataclasses import dataclass\n\n"
        "@dataclass(frozen=True, slots=True)\n"
        "class Mine:\n"
        "    needs = ()\n"
    )
    done = run_here("worksheet", "./mine.py", "items.jsonl", "-o", "sheet.csv", cwd=folder)
    assert "unknown worksheet './mine.py'" in expect_one_line_error(done)


def test_choices_to_rewrite_go_out_and_come_back(tmp_path: Path) -> None:
    write_items(str(tmp_path / "quiz.jsonl"), uneven_quiz(1, 80))
    done = run_here("worksheet", "rewrite", "quiz.jsonl", "-o", "sheet.csv", cwd=tmp_path)
    command = "hansproof edit rewrite quiz.jsonl --sheet sheet.csv -o rewritten"
    assert f"Fill in the column new_choice, then run: {command}\n" in done.stderr
    with (tmp_path / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    write_sheet(str(tmp_path / "filled.csv"), fill_lengths(rows))
    words = command.replace("sheet.csv", "filled.csv").split()[1:]
    done = run_here(*words, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["summary"].startswith(f"Rewrote {len(rows)} choices of ")
    # a filled worksheet is never replaced by an empty one
    again = run_here("worksheet", "rewrite", "quiz.jsonl", "-o", "filled.csv", cwd=tmp_path)
    assert again.returncode == 2
