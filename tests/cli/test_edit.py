"""Edits from the command line: what is written, what is said, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..support.cli_runner import expect_one_line_error, run_here

ITEMS = [
    {"id": f"{i}", "question": f"why {i}?", "choices": [f"one {i}", f"other {i}"], "answer": 0}
    for i in range(10)
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    text = "".join(json.dumps(item) + "\n" for item in ITEMS)
    (tmp_path / "items.jsonl").write_text(text)
    return tmp_path


def test_items_to_a_folder_and_an_account_to_the_terminal(folder: Path) -> None:
    done = run_here("edit", "permute", "items.jsonl", "-o", "new", cwd=folder)
    assert done.returncode == 0
    assert done.stderr == "new/all.jsonl: 10 items\n"
    assert done.stdout.startswith("Shuffled the choices of ")
    found = [json.loads(line) for line in (folder / "new/all.jsonl").read_text().splitlines()]
    assert sorted(item["answer"] for item in found) == [0] * 5 + [1] * 5
    again = run_here("edit", "permute", "items.jsonl", "-o", "new", "--json", cwd=folder)
    assert json.loads(again.stdout)["summary"] == done.stdout.splitlines()[0]


def test_a_folder_with_other_items_is_not_mixed_with_new_ones(folder: Path) -> None:
    run_here("edit", "permute", "items.jsonl", "-o", "new", cwd=folder)
    (folder / "new/all.jsonl").rename(folder / "new/old.jsonl")
    done = run_here("edit", "permute", "items.jsonl", "-o", "new", cwd=folder)
    said = expect_one_line_error(done)
    assert "new: contains other items (old.jsonl): name a new folder" in said
    assert not (folder / "new/all.jsonl").exists()


def test_an_edit_that_leaves_nothing_says_so(folder: Path) -> None:
    done = run_here("edit", "contrast", "items.jsonl", "-o", "new", cwd=folder)
    said = expect_one_line_error(done)
    assert "items.jsonl: no items are left: 0 of 10 items have a partner" in said
    assert not (folder / "new").exists()
