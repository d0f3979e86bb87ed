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
    assert "cues/balanced: had" in words.stdout
    assert "no longer found" in words.stdout
    assert words.stdout.startswith("old: toy:original is not Hans-proof: ")
    assert (
        "\nnew: In toy:balanced, no shortcut by words, length or position was found" in words.stdout
    )
    assert {"id", "gone", "new"} == set(next(csv.DictReader((audited / "changed.csv").open())))
    changes = json.loads(run_here(*args, "--json", cwd=audited).stdout)
    assert "cues/balanced: had" in changes["removed"]
