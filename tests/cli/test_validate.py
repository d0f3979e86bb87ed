"""`hansproof list`, `show` and `validate`, and the flags that name columns."""

from __future__ import annotations

import os
from pathlib import Path

from ..support.cli_runner import run_here
from ..support.markers import needs_data


def test_list_show_and_validate(tmp_path: Path) -> None:
    assert (
        run_here("list", "probes")
        .stdout.splitlines()[0]
        .startswith("accuracy          How good are")
    )
    assert "benchmarks:" in run_here("list").stdout
    shown = run_here("show", "stable").stdout
    assert "balanced = original + mirrored" in shown
    assert "Ivan skipped his piano lessons" in shown
    (tmp_path / "q.jsonl").write_text('{"question": "why", "choices": ["a", "b"], "answer": "B"}\n')
    done = run_here("validate", "q.jsonl", cwd=tmp_path)
    assert done.stdout == "all: 1 items, 2 choices, labelled; fields: question\n"


def test_columns_by_flag(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("frage,eins,zwei,loesung\nwarum,a,b,1\nwie,c,d,0\n")
    flags = ("--choices", "eins", "--choices", "zwei", "--answer", "loesung", "--field", "frage")
    done = run_here("validate", "q.csv", *flags, cwd=tmp_path)
    assert done.stdout == "all: 2 items, 2 choices, labelled; fields: frage\n"


@needs_data
def test_a_named_benchmark_from_a_folder(tmp_path: Path) -> None:
    source = Path(os.environ["HANSPROOF_DATA"], "copa")
    for name in ("copa-dev.xml", "copa-test.xml"):
        (tmp_path / name).write_bytes((source / name).read_bytes())
    done = run_here("validate", "copa", "--data", str(tmp_path))
    assert done.stdout.startswith("dev: 500 items, 2 choices, labelled; fields: premise")
