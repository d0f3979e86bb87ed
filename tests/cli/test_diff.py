"""`hansproof diff`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from ..support.cli_runner import run_here


def test_diff_in_words_and_as_json(audited: Path) -> None:
    assert run_here("audit", "toy:balanced", "-o", "new", cwd=audited).returncode == 0
    args = ("diff", "out/audit.json", "new/audit.json")
    words = run_here(*args, "--items", "changed.csv", cwd=audited)
    assert words.returncode == 0
    assert "cues: “had” predicts answers (original)" in words.stdout
    assert "no longer found" in words.stdout
    assert words.stdout.startswith("old: toy:original is not Hans-proof: ")
    clear = "\nnew: In toy:balanced, no shortcut by words, length or position was found"
    assert clear in words.stdout
    rows = [*csv.DictReader((audited / "changed.csv").open(encoding="utf-8-sig"))]
    assert {"id", "gone", "new"} == set(rows[0])
    assert "cues: “had” predicts answers (original)" in {
        reason for row in rows for reason in row["gone"].split("; ")
    }
    changes = json.loads(run_here(*args, "--json", cwd=audited).stdout)
    assert "cues/original: had" in changes["removed"]
    assert changes["sizes"] == {"original → balanced": [120, 240]}
