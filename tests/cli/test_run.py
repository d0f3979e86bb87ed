"""`hansproof run`."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from hansproof import load
from hansproof.probes.class_balance import ClassBalance
from hansproof.types import Result

from ..support.cli_runner import run_here
from ..support.sample_plugins import MINE


def test_json_is_one_result_on_stdout() -> None:
    done = run_here("run", "class-balance", "toy:original", "--json")
    assert msgspec.json.decode(done.stdout, type=Result) == ClassBalance()(load("toy:original"))


def test_flags_are_the_fields_of_the_probe() -> None:
    done = run_here("run", "cues", "toy", "--split", "balanced", "--ngram", "1", "--json",
               "--randomisations", "9")  # fmt: skip
    params = json.loads(done.stdout)["params"]
    assert (params["split"], params["ngram"], params["randomisations"]) == ("balanced", 1, 9)
    assert "--tokenizer" in run_here("run", "cues", "--help").stdout
    assert "a split, a+b, or pooled" in run_here("run", "cues", "--help").stdout


def test_every_cue_goes_to_a_file_on_demand(tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    done = run_here("run", "cues", "toy:original", "--all", "cues.parquet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    table = parquet.read_table(tmp_path / "cues.parquet")
    assert table.num_rows > 2000
    assert table["cue"][0].as_py() == "the"


@pytest.mark.usefixtures("quick_audit")
def test_a_probe_of_your_own(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    done = run_here("run", "./mine.py", "toy:original", "--colour", "red", cwd=tmp_path)
    assert "It is red." in done.stdout
    assert "of the sky" in run_here("run", "./mine.py", "--help", cwd=tmp_path).stdout
    done = run_here("audit", "toy:original", "--probe", "./mine.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0
    assert "It is blue." in (tmp_path / "out/report.html").read_text()
