"""The benchmark that predictions name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hansproof
from hansproof.errors import BadInput
from hansproof.inputs.benchmark_name import find_benchmark_name
from hansproof.predictions import write


def test_files_and_runs_name_their_benchmark(tmp_path: Path) -> None:
    run = hansproof.predict("toy:original", "longest")
    path = tmp_path / "run.jsonl"
    write(str(path), run)
    for predictions in (run, path, str(path), f"mine={tmp_path}/*.jsonl"):
        assert find_benchmark_name(predictions) == "toy"
    with pytest.raises(BadInput, match="does not name a known benchmark"):
        find_benchmark_name(replace(run, benchmark="mine"))
    table = tmp_path / "run.csv"
    table.write_text("id,choice\n1,A\n")
    with pytest.raises(BadInput, match=r"run\.csv: does not name a known benchmark"):
        find_benchmark_name(table)
    wrong: Any = 3
    with pytest.raises(BadInput, match="--predictions: is of type int, must be a path or"):
        find_benchmark_name(wrong)
