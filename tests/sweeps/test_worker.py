"""Several runs handed to a model at once: which, in what order, and what is left of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hansproof.errors import ModelError
from hansproof.models import load
from hansproof.sweeps import code_version, fit_all, plan_runs, predict, prepare_run, run_sweep
from hansproof.sweeps.run_keys import build_run_keys
from hansproof.types import Benchmark

from ..support.sweep_factories import ALONE, BENCH, MULTI_FIT, SPY, contents, holding


@pytest.fixture(autouse=True)
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which calls are written down; three at once; a store."""
    monkeypatch.setenv("HANSPROOF_CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("HANSPROOF_ROOM", "3")
    monkeypatch.setenv("HANSPROOF_STORE", str(tmp_path / "store"))
    (tmp_path / "store").mkdir()
    return tmp_path / "calls"


def steps(calls: Path, what: str) -> list[Any]:
    lines = calls.read_text().splitlines() if calls.exists() else []
    return [step for step in map(json.loads, lines) if step["what"] == what]


def handed(calls: Path) -> list[list[int]]:
    """The seeds of each call, and forget them."""
    found = [step["seeds"] for step in steps(calls, "called")]
    calls.unlink(missing_ok=True)
    return found


def swept(folder: Path, model: str = MULTI_FIT, seeds: int = 5, jobs: int = 1, **more: Any) -> int:
    """A sweep over two views; how many records there are."""
    benchmark: Benchmark = more.pop("benchmark", BENCH)
    runs = plan_runs(benchmark, [model], ["full", "choices"], range(seeds), **more)
    run_sweep(benchmark, runs, str(folder), jobs)
    return len(contents(folder))


def test_runs_that_differ_by_seed_are_handed_over_together(calls: Path, tmp_path: Path) -> None:
    assert swept(tmp_path / "store") == 10
    assert handed(calls) == [[0, 1, 2], [3, 4], [0, 1, 2], [3, 4]]
    assert swept(tmp_path / "store") == 10
    assert handed(calls) == []


def test_finished_runs_are_left_out_of_a_group(calls: Path, tmp_path: Path) -> None:
    swept(tmp_path / "store")
    handed(calls)
    for name in contents(tmp_path / "store"):
        if name.split(".")[-3] in ("0", "2", "3", "4"):
            (tmp_path / "store" / name).unlink()
    assert swept(tmp_path / "store") == 10
    assert handed(calls) == [[0, 2, 3], [4], [0, 2, 3], [4]]


def test_folds_are_tasks_of_one_call(calls: Path, tmp_path: Path) -> None:
    assert swept(tmp_path / "store", seeds=4, benchmark=ALONE, folds=2) == 8
    assert handed(calls) == [[0, 0, 1, 1, 2, 2], [3, 3]] * 2


def test_the_same_bytes_however_many_are_trained_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for room in ("1", "3", "99"):
        monkeypatch.setenv("HANSPROOF_ROOM", room)
        for benchmark in (BENCH, ALONE):
            swept(tmp_path / f"room {room}", benchmark=benchmark, folds=3)
        found.append(contents(tmp_path / f"room {room}"))
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 20


def test_a_run_is_written_before_the_next_is_asked_for(calls: Path, tmp_path: Path) -> None:
    swept(tmp_path / "store")
    trained = steps(calls, "trains")
    assert [step["records"] for step in trained] == [*range(10)]


def test_a_fitted_model_is_used_before_the_next_is_trained(calls: Path) -> None:
    (run,) = plan_runs(ALONE, [MULTI_FIT], ["full"], [7], folds=3)
    said = predict(ALONE, run)  # it refuses to score once it is forgotten
    order = [json.loads(line)["what"] for line in calls.read_text().splitlines()]
    assert order == ["called", *["trains", "scores", "scores"] * 3]
    assert said.train_accuracy == 1


def test_a_run_by_its_two_halves() -> None:
    model = load(SPY)
    (run,) = plan_runs(BENCH, [SPY], ["choices"], [1])
    one = prepare_run(BENCH, run, model)
    (task,) = one.tasks
    assert (task.seed, len(task.items), task.select) == (1, 40, ())
    assert {tuple(item.fields) for item in task.items} == {()}
    assert one.finish(fit_all(model, one.tasks), code_version()) == predict(BENCH, run)
    (given,) = plan_runs(BENCH, ["chance"], ["full"], [0])
    none = prepare_run(BENCH, given, load("chance"))
    assert none.tasks == ()
    assert none.finish(iter(()), code_version()) == predict(BENCH, given)


def test_no_more_is_asked_for_than_there_are_tasks() -> None:
    (run,) = plan_runs(ALONE, [MULTI_FIT], ["full"], [0], folds=3)
    one = prepare_run(ALONE, run, load(MULTI_FIT))
    tasks = [*one.tasks, *one.tasks]
    fitted = fit_all(load(MULTI_FIT), tasks)
    assert one.finish(fitted, "") == one.finish(fitted, "")
    assert next(fitted, None) is None


@pytest.mark.parametrize(
    ("does", "error", "what"),
    [
        ("break", ZeroDivisionError, "multi_fit broke"),
        ("refuse", ModelError, "will not learn seed 4"),
        ("few", ModelError, "trained fewer models than it was given tasks .view full, seed 4"),
    ],
)
def test_what_dies_in_the_middle_of_a_group_leaves_what_is_finished(
    calls: Path, tmp_path: Path, does: str, error: type[Exception], what: str
) -> None:
    with pytest.raises(error, match=what):
        swept(tmp_path / "store", f"{MULTI_FIT}:does={does},at=4", seeds=6)
    assert len(contents(tmp_path / "store")) == 4
    assert handed(calls) == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(error):  # goes on where it was: 4 and 5 are free, 3 is done
        swept(tmp_path / "store", f"{MULTI_FIT}:does={does},at=4", seeds=6)
    assert handed(calls) == [[4, 5]]


def test_what_another_process_is_at_is_no_part_of_a_group(calls: Path, tmp_path: Path) -> None:
    runs = plan_runs(BENCH, [MULTI_FIT], ["full"], range(5))
    with holding(tmp_path / "store", build_run_keys(BENCH, runs)[1].digest) as other:

        def let_go() -> None:
            while len(contents(tmp_path / "store")) < 4:
                time.sleep(0.01)
            other.kill()

        helper = threading.Thread(target=let_go)
        helper.start()
        said = run_sweep(BENCH, runs, str(tmp_path / "store"))
        helper.join()
    assert len(said) == 5
    assert handed(calls) == [[0, 2, 3], [4], [1]]


def test_a_worker_that_is_killed_in_a_group_loses_what_was_not_written(
    calls: Path, tmp_path: Path
) -> None:
    model = f"{MULTI_FIT}:{tmp_path / 'died'},does=kill once,at=1,nap=0.05"
    assert swept(tmp_path / "store", model, seeds=6, jobs=2) == 12
    assert (tmp_path / "died").exists()
    trained = Counter((step["pid"], step["seed"]) for step in steps(calls, "trains"))
    times = Counter(seed for _, seed in trained.elements())
    # two views each; the seed it died with was begun once more
    assert times == {0: 2, 1: 3, 2: 2, 3: 2, 4: 2, 5: 2}


def test_two_sweeps_share_a_store_and_train_each_run_once(calls: Path, tmp_path: Path) -> None:
    command = [
        sys.executable, "-m", "hansproof", "predict", "toy:original", "--model",
        f"{MULTI_FIT}:nap=0.02", "--seeds", "10", "--folds", "2", "--json",
    ]  # fmt: skip
    both = [
        subprocess.Popen([*command, "--jobs", jobs], cwd=tmp_path, stdout=subprocess.PIPE)
        for jobs in "12"
    ]
    one, other = (process.communicate(timeout=120)[0] for process in both)
    assert one == other
    assert [row["seeds"] for row in json.loads(one)["rows"]] == [10, 10]
    assert len(contents(tmp_path / "store")) == 20
    trained = Counter(step["seed"] for step in steps(calls, "trains"))
    assert trained == dict.fromkeys(range(10), 4)  # two views, two folds
    assert max(len(seeds) for seeds in handed(calls)) == 6


def test_progress_moves_within_a_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANSPROOF_ROOM", "2")
    heard: list[tuple[float, float | None]] = []
    runs = plan_runs(ALONE, [MULTI_FIT], ["full"], range(2), folds=2)
    run_sweep(ALONE, runs, str(tmp_path / "store"), progress=lambda *now: heard.append(now))
    assert [runs for runs, _ in heard] == [0, 0.25, 0.75, 1, 1.25, 1.75, 2]
    assert [accuracy for _, accuracy in heard[:3]] == [None, 0.25, 0.25]
    assert heard[3][1] not in (None, 0.25)  # what the first run earns
    assert heard[4][1] == 0.25


def test_a_worker_tells_how_far_it_is(tmp_path: Path) -> None:
    heard: list[float] = []
    runs = plan_runs(BENCH, [f"{MULTI_FIT}:nap=0.3"], ["full"], range(6))
    run_sweep(BENCH, runs, str(tmp_path / "store"), 2, lambda done, _: heard.append(done))
    assert (heard[0], heard[-1]) == (0, 6)
    assert any(done % 1 for done in heard)
    assert max(heard) == 6


def test_the_environment_is_as_before(tmp_path: Path) -> None:
    before = dict(os.environ)
    swept(tmp_path / "store")
    assert dict(os.environ) == before
