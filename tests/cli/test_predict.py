"""`hansproof predict` as a user types it, kills it, and starts it again."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ..support.cli_runner import expect_one_line_error, run_here
from ..support.sweep_factories import SLOW, SPY


def records(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def predict(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    done = run_here("predict", *args, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done


def test_a_table_and_the_same_as_json(tmp_path: Path) -> None:
    args = ("toy:original", "--model", "longest", "--model", "chance", "--seeds", "2")
    views = ("--views", "full,premise,choices/alone")
    done = predict(*args, *views, cwd=tmp_path)
    assert done.stderr == ""
    first, *_, note, files = done.stdout.splitlines()
    assert first.startswith("toy")
    assert "chance: 50.0%" in first
    assert "n: 120" in first
    assert note.startswith("note: premise of original shows no choices, so all of them tie")
    assert files.startswith("files: store/toy.*.jsonl")
    found = json.loads(predict(*args, *views, "--json", cwd=tmp_path).stdout)
    assert len(found["rows"]) == 6
    row: dict[str, Any] = found["rows"][0]
    assert (row["model"], row["view"], row["protocol"]) == ("longest", "full", "given")
    assert row["seeds"] == 2
    assert row["sd"] == 0
    assert row["files"] == "store/toy.longest.original.full.*.jsonl"
    assert f"{100 * row['accuracy']:.1f}%" in done.stdout
    assert found["notes"] == [note.removeprefix("note: ")]
    assert len(records(tmp_path / "store")) == 12


def test_an_audit_reads_the_store(tmp_path: Path) -> None:
    args = ("--views", "full,choices", "--seeds", "2", "--folds", "3", "--store", "runs")
    predict("toy:original", "--model", f"{SPY}:choose=true", *args, cwd=tmp_path)
    read = ("toy:original", "--predictions", "runs/*.jsonl")
    done = run_here("run", "accuracy", *read, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["tables"]["systems"]["rows"]) >= 2
    assert run_here("audit", *read, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (("--model", "chanse"), "unknown model 'chanse'; did you mean chance?"),
        (("--model", "chance", "--views", "premis"), "unknown view 'premis'; did you mean premise"),
        (("--model", "chance", "--split", "orignal"), "did you mean original?"),
        (("--model", "chance", "--seeds", "0"), "--seeds: is 0, must be at least 1"),
        (("--model", "chance", "--jobs", "0"), "--jobs: is 0, must be at least 1"),
        (("--model", SPY, "--folds", "1"), "--folds: is 1, must be at least 2"),
        (("--model", SPY, "--protocol", "train-test"), "no other split with answers"),
        (("--model", f"{SPY}:does=nan"), "a score is nan (view full, seed 0)"),
        (("--model", f"{SPY}:does=nan", "--jobs", "2"), "a score is nan (view full, seed "),
        (("--model", f"{SPY}:nap=1"), "unknown parameter of"),
        (("--model", "./none.py"), "./none.py: no such file"),
        (("--model", "chance", "--store", __file__), "test_predict.py: is not a folder"),
    ],
)
def test_bad_input_is_met_with_one_line(tmp_path: Path, args: tuple[str, ...], what: str) -> None:
    done = run_here("predict", "toy:original", *args, cwd=tmp_path)
    assert what in expect_one_line_error(done)


def test_a_benchmark_without_answers(tmp_path: Path) -> None:
    lines = [{"id": str(n), "question": f"q{n}", "choices": ["a", "b"]} for n in range(3)]
    (tmp_path / "test.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = run_here("predict", "test.jsonl", "--model", "chance", cwd=tmp_path)
    assert "no split has answers" in expect_one_line_error(done)


SWEEP = ("predict", "toy:original", "--model", SLOW, "--views", "full,choices,premise",
         "--folds", "2")  # fmt: skip


def test_a_record_that_cannot_be_written(tmp_path: Path) -> None:
    predict(*SWEEP[1:], "--seeds", "1", cwd=tmp_path)
    before = records(tmp_path / "store")
    command = [sys.executable, "-m", "hansproof", *SWEEP, "--seeds", "3", "--jobs", "2"]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000)),
    )  # fmt: skip
    assert "jsonl: cannot be written: File too large" in expect_one_line_error(done)
    assert records(tmp_path / "store") == before


def test_a_damaged_record_is_named_and_done_again(tmp_path: Path) -> None:
    predict(*SWEEP[1:], "--seeds", "2", cwd=tmp_path)
    whole = records(tmp_path / "store")
    name = sorted(whole)[3]
    (tmp_path / "store" / name).write_bytes(whole[name][:300])
    for jobs in ("1", "2"):
        done = predict(*SWEEP[1:], "--seeds", "2", "--jobs", jobs, cwd=tmp_path)
        if jobs == "1":
            assert done.stderr.count("\n") == 1
            assert f"store/{name}: is damaged" in done.stderr
        else:
            assert done.stderr == ""
    now = records(tmp_path / "store")
    assert now.pop(f"{name}.damaged") == whole[name][:300]
    assert now == whole


@pytest.mark.slow
def test_two_who_share_a_store_do_each_run_once(tmp_path: Path) -> None:
    counted = tmp_path / "counted"
    command = [sys.executable, "-m", "hansproof", *SWEEP, "--seeds", "4"]
    both = [
        subprocess.Popen(
            [*command, "--jobs", jobs], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "HANSPROOF_COUNTED": str(counted)},
        )
        for jobs in "12"
    ]  # fmt: skip
    one, other = (process.communicate(timeout=300)[0] for process in both)
    assert one == other
    assert "full" in one
    assert len(records(tmp_path / "store")) == 12
    assert counted.stat().st_size == 2 * 12  # two folds each


def kill(command: list[str], cwd: Path, after: float, workers: bool) -> None:
    """Start it, kill it with SIGKILL soon after its first record, and wait till all have ended."""
    store = cwd / "store"
    before = len(list(store.glob("*.jsonl")))
    process = subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while process.poll() is None and len(list(store.glob("*.jsonl"))) == before:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    time.sleep(after)
    if workers:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate(timeout=60)  # workers have the other end of the pipe


def test_a_sweep_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    args = (*SWEEP, "--seeds", "8")
    predict(*args[1:], "--jobs", "2", "--store", "whole", cwd=tmp_path)
    whole = records(tmp_path / "whole")
    assert len(whole) == 24
    command = [sys.executable, "-m", "hansproof", *args, "--jobs", "2"]
    rng, counts = random.Random(0), [0]
    for turn in range(4):
        kill(command, tmp_path, rng.uniform(0, 0.1), workers=turn % 2 == 1)
        left = records(tmp_path / "store")
        finished = {name: left[name] for name in left if name.endswith(".jsonl")}
        assert finished.items() <= whole.items()
        assert len(finished) >= counts[-1]  # nothing is lost
        counts.append(len(finished))
    assert counts[2] < len(whole)  # it was killed while there was work to do
    done = predict(*args[1:], "--jobs", "2", cwd=tmp_path)
    assert done.stderr == ""
    assert records(tmp_path / "store") == whole


def test_an_audit_trains_models_on_the_way(tmp_path: Path) -> None:
    args = ("--model", "longest", "--model", "majority", "--seeds", "2", "-o", "out")
    done = run_here("audit", "toy:original", *args, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "out/audit.json").read_text())
    (blind,) = (r for r in found["results"] if r["probe"] == "partial_input")
    table = blind["tables"]["views"]
    seen = {
        tuple(row[table["columns"].index(c)] for c in ("model", "view")) for row in table["rows"]
    }
    assert {("longest", "choices"), ("longest", "full"), ("bow", "choices")} <= seen
    assert len(records(tmp_path / "out/runs")) == 8
    bad = run_here("audit", "toy:original", "--model", "longst", cwd=tmp_path)
    assert "did you mean longest" in expect_one_line_error(bad)
