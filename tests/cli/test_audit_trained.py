"""Trained models from the command line: attacked, and refused where nobody asks for them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hansproof.vectors import save_vectors

from ..support.cli_runner import expect_one_line_error, run_here

WORDS = ("apples", "pears", "applesauce", "fig")  # near each other, none as long as another
FLAGS = ("--trained", "longest", "--encoder", "none", "--sentence", "0", "--tagger", "none")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {
            "id": f"{at}",
            "question": "what?",
            "choices": ["some apples", "one fig"],
            "answer": at % 2,
        }
        for at in range(6)
    ]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    save_vectors(str(tmp_path / "near.npz"), WORDS, (np.eye(4) + 3).astype(np.float32))
    return tmp_path


def test_right_answers_are_attacked_and_counted(folder: Path) -> None:
    flags = (*FLAGS, "--vectors", "near.npz", "--journal", "journal")
    done = run_here("run", "robustness", "items.jsonl", *flags, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "longest loses 3 of 3 right answers attacked on all" in found["summary"]
    edited = run_here("edit", "textfooler", "items.jsonl", "-o", "new", *flags, cwd=folder)
    assert edited.returncode == 0, edited.stderr
    assert edited.stdout.startswith("Replaced words in 3 of 3 attacked items")
    rows = [json.loads(line) for line in (folder / "new/all.jsonl").read_text().splitlines()]
    assert [row["choices"][1] for row in rows] == ["one applesauce", "one fig"] * 3


def test_an_audit_says_that_nobody_asks_for_a_trained_model(folder: Path) -> None:
    said = expect_one_line_error(
        run_here("audit", "items.jsonl", "--trained", "longest", cwd=folder)
    )
    assert "--trained: is not used by any probe of this audit: add --probe robustness" in said


def test_an_audit_attacks_on_request(folder: Path) -> None:
    spec = "robustness:vectors=near.npz,encoder=none,sentence=0,tagger=none,journal=journal"
    done = run_here("audit", "items.jsonl", "--trained", "longest", "--probe", spec, cwd=folder)
    assert done.returncode == 0, done.stderr
    found = json.loads((folder / "audit/audit.json").read_text())
    assert "robustness" in [result["probe"] for result in found["results"]]
