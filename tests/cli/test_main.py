"""Mistakes on the command line: one line each, before any work."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..support.cli_runner import expect_one_line_error, run_here


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("audit", "tooy"), "did you mean toy?"),
        (("audit", "toy:orignal"), "did you mean original?"),
        (("run", "ceus", "toy"), "did you mean cues?"),
        (("run", "cues", "toy", "--tokenizer", "wrod"), "did you mean word?"),
        (("run", "cues", "toy", "--split", "mirored"), "did you mean mirrored"),
        (("report", "none.json"), "none.json: is not a saved audit (No such file"),
        (("validate", "none.jsonl"), "none.jsonl: no such file"),
        (("run", "./none.py", "toy"), "none.py: no such file"),
    ],
)
def test_one_line_for_a_mistake(tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    assert said in expect_one_line_error(run_here(*args, cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_debug_shows_the_traceback() -> None:
    done = run_here("--debug", "show", "tooy")
    assert done.returncode == 1
    assert "Traceback" in done.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("run", "cues", "toy", "--level", "nan"), "--level: is nan, must be between"),
        (("run", "cues", "toy", "--ngram", "0"), "--ngram: is 0, must be between 1 and 5"),
        (("run", "cues", "toy", "--ngram", "99"), "--ngram: is 99, must be between 1 and 5"),
        (("show", "toy", "--items", "-1"), "--items: is -1, must be at least 0"),
        (("audit", "toy", "-o", "file/below"), "file/below/audit.json: cannot be written"),
        (("audit", "toy", "--items", "folder"), "folder: cannot be written"),
        (("run", "cues", "toy", "--all", "folder"), "folder: cannot be written"),
        (("audit", "copa", "--data", "folder"), "folder/copa/copa-dev.xml: no such file"),
        (("audit", "q.jsonl", "--data", "folder"), "applies only to a benchmark given by its name"),
    ],
)
def test_what_cannot_work_is_refused_before_the_work(
    tmp_path: Path, args: tuple[str, ...], said: str
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "q.jsonl").write_text('{"question": "why", "choices": ["a", "b"], "answer": "B"}\n')
    assert said in expect_one_line_error(run_here(*args, cwd=tmp_path))
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["file", "folder", "q.jsonl"]
