"""Sweeps: many runs into a store, by one process or several."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from hansproof.errors import BadInput, HansproofError
from hansproof.sweeps import (
    RunSpec,
    plan_runs,
    predict,
    run_sweep,
)
from hansproof.types import Benchmark

from ..support.sweep_factories import (
    ALONE,
    BENCH,
    SLOW,
    SPY,
    TEST,
    contents,
    only,
)


def sweeping(folder: Path, runs: tuple[RunSpec, ...], jobs: int = 1) -> dict[str, bytes]:
    run_sweep(BENCH, runs, str(folder), jobs)
    return contents(folder)


def test_a_sweep_says_what_its_runs_say(tmp_path: Path) -> None:
    runs = plan_runs(BENCH, [SPY, "chance"], ["full", "stem", "choices/alone"], range(2))
    done: list[float] = []
    said = run_sweep(BENCH, runs, str(tmp_path), progress=lambda runs, accuracy: done.append(runs))
    assert said == tuple(predict(BENCH, run) for run in runs)
    assert done == [*range(13)]
    before = contents(tmp_path)
    assert len(before) == 12
    done.clear()
    again = run_sweep(BENCH, runs, str(tmp_path), progress=lambda runs, accuracy: done.append(runs))
    assert again == said
    assert done == [12]
    assert contents(tmp_path) == before


def test_the_same_bytes_however_many_work_at_it(tmp_path: Path) -> None:
    runs = plan_runs(ALONE, [SLOW], ["full", "choices"], range(4), folds=2)
    one = sweeping(tmp_path / "one", runs)
    assert len(one) == 8
    assert sweeping(tmp_path / "two", runs, jobs=2) == one
    assert sweeping(tmp_path / "three", runs, jobs=3) == one


def test_parameters_code_and_order_are_other_runs(tmp_path: Path) -> None:
    def names(benchmark: Benchmark, *models: str) -> set[str]:
        run_sweep(benchmark, plan_runs(benchmark, models, ["full"], [0]), str(tmp_path))
        return set(contents(tmp_path))

    first = names(BENCH, "longest")
    assert names(BENCH, "longest") == first
    turned = replace(BENCH, splits={**BENCH.splits, "test": TEST[::-1]})
    assert len(names(turned, "longest")) == 2  # the fingerprint is the same, folds are not
    names(BENCH, SPY, f"{SPY}:choose=true", f"{SPY}:choose=false")
    assert sorted(name.split(".")[1] for name in contents(tmp_path)) == [
        "longest", "longest", "spy-py", "spy-py-choose-True"
    ]  # fmt: skip


def test_records_by_other_code_are_mentioned(tmp_path: Path) -> None:
    said: list[str] = []
    model, store = tmp_path / "spy.py", str(tmp_path / "store")
    model.write_text(Path(SPY).read_text())
    for change in ("", "# changed\n"):
        model.write_text(model.read_text() + change)
        run_sweep(BENCH, [only(BENCH, str(model))], store, notify=said.append)
    assert len(said) == 1
    assert (
        "also contains a record of the same runs made by another version, such as "
        "b.spy-py.test.full" in said[0]
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_leaves_finished_runs(tmp_path: Path, jobs: int) -> None:
    runs = plan_runs(BENCH, [f"{SPY}:does=refuse,at=3"], ["full", "choices"], range(4))
    with pytest.raises(BadInput, match=r"^spy:3: will not$"):
        run_sweep(BENCH, runs, str(tmp_path), jobs)
    assert all(name.endswith(".jsonl") for name in contents(tmp_path))
    assert len(contents(tmp_path)) >= 3 // jobs


def test_a_bug_in_a_worker_is_shown_with_its_traceback(tmp_path: Path) -> None:
    runs = plan_runs(BENCH, [f"{SPY}:does=break"], ["full"], range(2))
    with pytest.raises(RuntimeError, match=r"(?s)in a worker.*in fit.*ZeroDivisionError: spy br"):
        run_sweep(BENCH, runs, str(tmp_path), jobs=2)
    with pytest.raises(ZeroDivisionError):
        run_sweep(BENCH, runs, str(tmp_path))


def test_a_worker_that_is_killed_is_replaced_by_the_other(tmp_path: Path) -> None:
    once = tmp_path / "died"
    runs = plan_runs(BENCH, [f"{SPY}:does=die once,at=0,once={once}"], ["full"], range(4))
    said = run_sweep(BENCH, runs, str(tmp_path / "store"), jobs=2)
    assert once.exists()
    assert len(said) == len(contents(tmp_path / "store")) == 4


def test_all_workers_killed(tmp_path: Path) -> None:
    runs = plan_runs(BENCH, [f"{SPY}:does=die"], ["full"], range(3))
    what = r"all workers were killed \(exit codes -9, -9\); finished runs are saved: start again"
    with pytest.raises(HansproofError, match=what):
        run_sweep(BENCH, runs, str(tmp_path), jobs=2)


def test_threads_are_as_before(tmp_path: Path) -> None:
    before = dict(os.environ)
    run_sweep(BENCH, plan_runs(BENCH, ["chance"], ["full"], range(2)), str(tmp_path), jobs=2)
    assert dict(os.environ) == before
