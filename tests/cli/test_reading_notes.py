"""How an audit says in which way it read the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..support.cli_runner import run_here

ITEM = {"question": "why?", "options": ["a", "b"], "correct": 1}
MORE = "`hansproof validate` shows more"


def write_items(path: Path, *items: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(items))


def audit_notes(folder: Path, *args: str) -> list[str]:
    done = run_here("audit", *args, "-o", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("note: ")]


pytestmark = pytest.mark.usefixtures("quick_audit")


def test_many_files_take_one_line(tmp_path: Path) -> None:
    for i in range(12):
        write_items(tmp_path / f"quiz/{i}.json", ITEM, {**ITEM, "correct": 0, "stage": "pre"})
    write_items(tmp_path / "quiz/12.json", {**ITEM, "id": "x"})
    (note,) = audit_notes(tmp_path, "quiz")
    assert note == f"note: read 13 files: question, options, correct (0 = the first choice); {MORE}"
    details = run_here("validate", "quiz", cwd=tmp_path).stdout
    assert "equivalent flags: --field question --choices options --answer correct" in details


def test_what_is_not_read_takes_a_second_line(tmp_path: Path) -> None:
    write_items(tmp_path / "quiz/a.json", {**ITEM, "correct": "b"}, {**ITEM, "correct": "a"})
    write_items(tmp_path / "quiz/more/b.json", ITEM)
    (tmp_path / "quiz/notes.txt").write_text("my notes")
    assert audit_notes(tmp_path, "quiz") == [
        f"note: read a.json: question, options, correct (letters); {MORE}",
        "note: subfolders were not read: more/; files of other formats were left out: notes.txt",
    ]


def test_answers_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text('{"goal": "why?", "sol1": "a", "sol2": "b"}\n' * 2)
    (tmp_path / "labels.lst").write_text("0\n1\n")
    assert audit_notes(tmp_path, "items.jsonl", "--labels", "labels.lst") == [
        f"note: read items.jsonl: goal, sol1, sol2, labels.lst (0 = the first choice); {MORE}"
    ]


def test_named_benchmarks_are_read_without_a_word(tmp_path: Path) -> None:
    assert audit_notes(tmp_path, "toy:original") == []
