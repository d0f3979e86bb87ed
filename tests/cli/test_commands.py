"""The commands as a user types them."""

from __future__ import annotations

import csv
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from hansproof import load
from hansproof.probes.class_balance import ClassBalance
from hansproof.types import Result

from ..support.cli_runner import expect_one_line_error, run_fresh, run_here
from ..support.markers import needs_data
from ..test_plugins import MINE


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the embedded benchmark was audited."""
    folder = tmp_path_factory.mktemp("audited")
    done = run_fresh("audit", "stable:original", "-o", "out", "--items", "items.csv", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "stdout").write_text(done.stdout)
    (folder / "stderr").write_text(done.stderr)
    return folder


def test_audit_writes_two_files_and_prints_a_summary(audited: Path) -> None:
    assert sorted(p.name for p in (audited / "out").iterdir()) == ["audit.json", "report.html"]
    text = (audited / "stdout").read_text()
    assert "had" in text
    assert "exposed" in text
    assert (audited / "stderr").read_text() == "report: out/report.html\n"


def test_audit_items_is_one_row_per_item(audited: Path) -> None:
    rows = list(csv.DictReader((audited / "items.csv").open()))
    assert len(rows) == 120


def test_report_draws_the_same_page_again(audited: Path) -> None:
    done = run_here("report", "out/audit.json", "-o", "again.html", cwd=audited)
    assert done.returncode == 0
    assert (audited / "again.html").read_text() == (audited / "out/report.html").read_text()


def test_diff_in_words_and_as_json(audited: Path) -> None:
    assert run_here("audit", "stable:balanced", "-o", "new", cwd=audited).returncode == 0
    args = ("diff", "out/audit.json", "new/audit.json")
    words = run_here(*args, "--items", "changed.csv", cwd=audited)
    assert words.returncode == 0
    assert "cues/balanced: had" in words.stdout
    assert {"id", "gone", "new"} == set(next(csv.DictReader((audited / "changed.csv").open())))
    assert "cues/balanced: had" in json.loads(run_here(*args, "--json", cwd=audited).stdout)["gone"]


def test_json_is_one_result_on_stdout() -> None:
    done = run_here("run", "class-balance", "stable:original", "--json")
    assert msgspec.json.decode(done.stdout, type=Result) == ClassBalance()(load("stable:original"))


def test_flags_are_the_fields_of_the_probe() -> None:
    done = run_here("run", "cues", "stable", "--split", "balanced", "--ngram", "1", "--json",
               "--randomisations", "9")  # fmt: skip
    params = json.loads(done.stdout)["params"]
    assert (params["split"], params["ngram"], params["randomisations"]) == ("balanced", 1, 9)
    assert "--tokenizer" in run_here("run", "cues", "--help").stdout
    assert "a split, a+b, or pooled" in run_here("run", "cues", "--help").stdout


def test_every_cue_goes_to_a_file_on_demand(tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    done = run_here("run", "cues", "stable:original", "--all", "cues.parquet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    table = parquet.read_table(tmp_path / "cues.parquet")
    assert table.num_rows > 2000
    assert table["cue"][0].as_py() == "the"


def test_a_probe_of_your_own(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    done = run_here("run", "./mine.py", "stable:original", "--colour", "red", cwd=tmp_path)
    assert "It is red." in done.stdout
    assert "of the sky" in run_here("run", "./mine.py", "--help", cwd=tmp_path).stdout
    done = run_here("audit", "stable:original", "--probe", "./mine.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0
    assert "It is blue." in (tmp_path / "out/report.html").read_text()


def test_a_probe_that_cannot_run_is_in_the_report_and_the_exit_code_is_1(tmp_path: Path) -> None:
    broken = MINE.replace(
        "return Result", "raise __import__('hansproof').HansproofError('no'); Result"
    )
    (tmp_path / "mine.py").write_text(broken)
    done = run_here("audit", "stable:original", "--probe", "mine.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert json.loads((tmp_path / "out/audit.json").read_text())["failures"] == [
        {"probe": "mine.py", "error": "no"}
    ]


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


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("audit", "stabel"), "did you mean stable?"),
        (("audit", "stable:orignal"), "did you mean original?"),
        (("run", "ceus", "stable"), "did you mean cues?"),
        (("run", "cues", "stable", "--tokenizer", "wrod"), "did you mean word?"),
        (("run", "cues", "stable", "--split", "mirored"), "did you mean mirrored"),
        (("report", "none.json"), "none.json: No such file"),
        (("validate", "none.jsonl"), "none.jsonl: no such file"),
        (("run", "./none.py", "stable"), "none.py: no such file"),
    ],
)
def test_one_line_for_a_mistake(tmp_path: Path, args: tuple[str, ...], said: str) -> None:
    assert said in expect_one_line_error(run_here(*args, cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_broken_input_leaves_no_output_behind(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "why", "choices": ["a", "b"], "answer": 7}\n')
    said = expect_one_line_error(run_here("audit", "q.jsonl", "-o", "out", cwd=tmp_path))
    assert said.startswith("hansproof: q.jsonl:1: answer: ")
    assert [p.name for p in tmp_path.iterdir()] == ["q.jsonl"]


def test_debug_shows_the_traceback() -> None:
    done = run_here("--debug", "show", "stabel")
    assert done.returncode == 1
    assert "Traceback" in done.stderr


def test_a_terminal_sees_a_bar(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "hansproof", "audit", "stable:original", "-o", "out"]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=follower, cwd=tmp_path,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(follower)
    seen = b""
    while True:
        try:
            chunk = os.read(leader, 4096)
        except OSError:
            break
        if not chunk:
            break
        seen += chunk
    assert process.wait() == 0
    assert b"cues" in seen
    assert b"left" in seen


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("run", "cues", "stable", "--level", "nan"), "--level: is nan, must be between"),
        (("run", "cues", "stable", "--ngram", "0"), "--ngram: is 0, must be at least 1"),
        (("audit", "stable", "-o", "file/below"), "file/below/audit.json: cannot be written"),
        (("audit", "stable", "--items", "folder"), "folder: cannot be written"),
        (("run", "cues", "stable", "--all", "folder"), "folder: cannot be written"),
        (("audit", "copa", "--data", "folder"), "folder/copa/copa-dev.xml: no such file"),
        (("audit", "q.jsonl", "--data", "folder"), "goes with a benchmark known by name"),
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


def test_a_benchmark_without_answers_is_not_called_hans_proof(tmp_path: Path) -> None:
    line = '{"question": "why", "choices": ["a", "b"]}\n'
    (tmp_path / "test.jsonl").write_text(line * 3)
    done = run_here("audit", "test.jsonl", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert "Hans-proof" not in done.stdout
    failures = json.loads((tmp_path / "out/audit.json").read_text())["failures"]
    assert {"no split has answers" in failure["error"] for failure in failures} == {True}
    expect_one_line_error(run_here("run", "cues", "test.jsonl", cwd=tmp_path))


@needs_data
def test_a_named_benchmark_from_a_folder(tmp_path: Path) -> None:
    source = Path(os.environ["HANSPROOF_DATA"], "copa")
    for name in ("copa-dev.xml", "copa-test.xml"):
        (tmp_path / name).write_bytes((source / name).read_bytes())
    done = run_here("validate", "copa", "--data", str(tmp_path))
    assert done.stdout.startswith("dev: 500 items, 2 choices, labelled; fields: premise")
