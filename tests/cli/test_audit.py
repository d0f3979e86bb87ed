"""`hansproof audit`."""

from __future__ import annotations

import csv
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from hansproof import auditing, load
from hansproof.audit_checkpoint import FILE_NAME
from hansproof.errors import BadInput

from ..support.cli_runner import expect_one_line_error, run_fresh, run_here
from ..support.sample_plugins import MINE


def test_audit_writes_two_files_and_prints_a_summary(audited: Path) -> None:
    assert sorted(p.name for p in (audited / "out").iterdir()) == ["audit.json", "report.html"]
    text = (audited / "stdout").read_text()
    assert "exposed    cues" in text
    note = "report: out/report.html (--open shows it in the browser, -v prints details)\n"
    assert (audited / "stderr").read_text() == f"items: items.csv\n{note}"


def test_audit_items_is_one_row_per_item(audited: Path) -> None:
    rows = list(csv.DictReader((audited / "items.csv").open()))
    assert len(rows) == 120


@pytest.mark.usefixtures("quick_audit")
def test_a_probe_that_cannot_run_is_in_the_report_and_the_exit_code_is_1(tmp_path: Path) -> None:
    broken = MINE.replace(
        "return Result", "raise __import__('hansproof').HansproofError('no'); Result"
    )
    (tmp_path / "mine.py").write_text(broken)
    done = run_here("audit", "toy:original", "--probe", "mine.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert json.loads((tmp_path / "out/audit.json").read_text())["failures"] == [
        {"probe": "mine.py", "error": "no", "subject": "benchmark"}
    ]


def test_broken_input_leaves_no_output_behind(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "why", "choices": ["a", "b"], "answer": 7}\n')
    said = expect_one_line_error(run_here("audit", "q.jsonl", "-o", "out", cwd=tmp_path))
    assert said.startswith("hansproof: q.jsonl:1: answer: ")
    assert [p.name for p in tmp_path.iterdir()] == ["q.jsonl"]


def test_a_terminal_sees_a_bar(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "hansproof", "audit", "toy:original", "-o", "out"]
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


def test_a_benchmark_without_answers_is_not_called_hans_proof(tmp_path: Path) -> None:
    line = '{"question": "why", "choices": ["a", "b"]}\n'
    (tmp_path / "test.jsonl").write_text(line * 3)
    done = run_here("audit", "test.jsonl", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert "Hans-proof" not in done.stdout
    failures = json.loads((tmp_path / "out/audit.json").read_text())["failures"]
    assert {"needs answers, but no split has any" in failure["error"] for failure in failures} == {
        True
    }
    expect_one_line_error(run_here("run", "cues", "test.jsonl", cwd=tmp_path))


@pytest.mark.usefixtures("quick_audit")
def test_audit_sets_the_tokenizer_of_all_probes_but_those_that_have_one(tmp_path: Path) -> None:
    probes = ("--probe", "balance", "--probe", "surface:tokenizer=word")
    done = run_here(
        "audit", "toy:original", "--tokenizer", "chars", *probes, "-o", "out", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "out/audit.json").read_text())["results"]
    tokenizers = {result["probe"]: result["params"].get("tokenizer") for result in results}
    assert tokenizers == {"class_balance": None, "balance": "chars", "surface": "word"}


def test_audit_with_an_unknown_tokenizer(tmp_path: Path) -> None:
    done = run_here("audit", "toy:original", "--tokenizer", "pear", "-o", "out", cwd=tmp_path)
    assert "unknown tokenizer 'pear'; did you mean pairs?" in expect_one_line_error(done)
    assert not (tmp_path / "out").exists()


def test_a_sample_is_named_in_every_output(tmp_path: Path) -> None:
    done = run_here("audit", "toy:original", "--sample", "60", "-o", "out", cwd=tmp_path)
    remark = "a random sample of 60 of 120 items, seed 0"
    assert remark in done.stdout.replace("\n", " ")
    audit = json.loads((tmp_path / "out/audit.json").read_text())
    assert audit["sizes"] == {"original": 60}
    assert audit["card"]["title"].endswith(f"({remark})")
    assert all(remark in result["notes"][0] for result in audit["results"])
    assert remark in (tmp_path / "out/report.html").read_text()


def test_predictions_of_all_items_do_not_go_with_a_sample(tmp_path: Path) -> None:
    first = load("toy:original").splits["original"][0]
    rows = "".join(f"{first.id},{rater},0\n" for rater in "ab")
    (tmp_path / "crowd.csv").write_text(f"item,rater,choice\n{rows}")
    command = ("audit", "toy:original", "--sample", "60", "--ratings", "crowd.csv", "-o", "out")
    message = expect_one_line_error(run_here(*command, cwd=tmp_path))
    assert "--sample" in message
    assert "--ratings" in message


@pytest.mark.parametrize("value", ["soon", "1e300", "9" * 30, "1.5", ""])
def test_a_time_that_is_none_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", value)
    done = run_fresh("audit", "toy:original", "-o", "out", cwd=tmp_path)
    message = f"SOURCE_DATE_EPOCH: is {value!r}, must be a number of seconds since 1970"
    assert message in expect_one_line_error(done)
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("quick_audit")
def test_the_time_can_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert run_here("audit", "toy:original", "-o", "out", cwd=tmp_path).returncode == 0
    audit = json.loads((tmp_path / "out/audit.json").read_text())
    assert audit["created"] == "1970-01-02T00:00:00Z"


@pytest.mark.parametrize(
    ("folder", "message"),
    [
        ("sheet.csv", "sheet.csv: is a file, not a folder"),
        ("/proc/foo", "/proc/foo: cannot be written: No such file or directory"),
    ],
)
def test_a_folder_that_cannot_be_written_is_refused_before_any_probe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, message: str
) -> None:
    monkeypatch.setattr(auditing, "run_audit", pytest.fail)
    (tmp_path / "sheet.csv").write_text("")
    done = run_here("audit", "toy:original", "-o", folder, cwd=tmp_path)
    assert done.returncode == 2
    assert message in expect_one_line_error(done)


@pytest.mark.usefixtures("quick_audit")
def test_results_are_kept_until_the_report_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise BadInput("out/audit.json", "cannot be written: No space left on device")

    command = ("audit", "toy:original", "-o", "out")
    with monkeypatch.context() as patch:
        patch.setattr("hansproof.report.files.save_report", fail)
        assert run_here(*command, cwd=tmp_path).returncode == 2
    done = run_here(*command, cwd=tmp_path)
    assert "continued an interrupted audit; already run: class_balance" in done.stderr
    assert not (tmp_path / "out" / FILE_NAME).exists()


@pytest.mark.usefixtures("quick_audit")
def test_secrets_in_addresses_are_in_no_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy_items(url: str, path: str, sha256: str | None) -> None:
        Path(path).parent.mkdir(parents=True)
        rows = "".join(f"why {i}?,yes {i},no {i},{i % 2}\n" for i in range(40))
        Path(path).write_text(f"question,choice1,choice2,label\n{rows}")

    monkeypatch.setattr("hansproof.formats._source_files.download_file", copy_items)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    address = "https://me:s3cret@host/quiz.csv?token=s3cret&v=s3cret"
    command = ("audit", address, "--probe", "surface", "-o", str(tmp_path / "out"))
    done = run_here(*command, "--items", "items.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    audit = (tmp_path / "out/audit.json").read_text()
    expected = (
        "hansproof audit 'https://***@host/quiz.csv?token=***&v=***' --probe surface -o ~/out"
    )
    assert json.loads(audit)["command"] == f"{expected} --items items.csv"
    page = (tmp_path / "out/report.html").read_text()
    for text in (audit, page, (tmp_path / "items.csv").read_text(), done.stdout):
        assert "s3cret" not in text
        assert str(tmp_path) not in text
