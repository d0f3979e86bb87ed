"""Runs that learnt nothing are counted, named, and left out of a second mean."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hansproof.models import load
from hansproof.sweeps import (
    RunSummary,
    plan_runs,
    predict,
    prepare_run,
    run_sweep,
    summarize_runs,
    summary_notes,
)
from hansproof.sweeps.degenerate_runs import _training_size
from hansproof.types import Benchmark

from ..support.cli_runner import run_here as command
from ..support.sweep_factories import ALONE, BENCH, MULTI_FIT, SPY, items, write_benchmark

NOTHING = f"{MULTI_FIT}:does=nothing,at=1|3"


def row_of(benchmark: Benchmark, model: str, folder: Path, **more: Any) -> RunSummary:
    runs = plan_runs(benchmark, [model], [more.pop("view", "full")], range(5), **more)
    (row,) = summarize_runs(benchmark, runs, run_sweep(benchmark, runs, str(folder)), str(folder))
    return row


@pytest.mark.parametrize("benchmark", [BENCH, ALONE], ids=["train-test", "cv"])
def test_they_are_counted_named_and_left_out(benchmark: Benchmark, tmp_path: Path) -> None:
    row = row_of(benchmark, NOTHING, tmp_path, folds=4)
    assert (row.degenerate, row.degenerate_seeds, row.seeds) == (2, (1, 3), 5)
    assert row.accuracy is not None
    assert row.accuracy_without is not None
    # all ties, so each of the two earns a half
    assert row.accuracy * 5 == pytest.approx(row.accuracy_without * 3 + 2 * 0.5)
    (note,) = summary_notes(benchmark, [row])
    assert note == (
        f"{NOTHING}, full of test: 2 of 5 runs are degenerate: training accuracy is not above "
        "chance (seeds 1, 3)"
    )
    lone = replace(row, degenerate=1, degenerate_seeds=(3,))
    assert "1 of 5 runs is degenerate" in summary_notes(benchmark, [lone])[0]
    assert summary_notes(benchmark, [lone])[0].endswith("(seed 3)")


def test_where_none_is_the_mean_without_is_the_mean(tmp_path: Path) -> None:
    row = row_of(BENCH, MULTI_FIT, tmp_path)
    assert (row.degenerate, row.degenerate_seeds) == (0, ())
    assert row.accuracy_without == row.accuracy
    assert summary_notes(BENCH, [row]) == ()


def test_where_all_are_there_is_no_mean_without(tmp_path: Path) -> None:
    row = row_of(BENCH, f"{MULTI_FIT}:does=nothing,at=0|1|2|3|4", tmp_path)
    assert (row.degenerate, row.accuracy, row.accuracy_without) == (5, 0.5, None)


def test_what_shows_no_choices_or_is_not_trained_is_not_judged(tmp_path: Path) -> None:
    assert row_of(BENCH, NOTHING, tmp_path, view="stem").degenerate == 0
    assert row_of(BENCH, "chance", tmp_path).degenerate == 0


@pytest.mark.parametrize(
    ("benchmark", "model", "more"),
    [
        (BENCH, SPY, {}),
        (BENCH, f"{SPY}:choose=true", {}),
        (replace(BENCH, roles={"train": "train", "test": "test"}), f"{SPY}:choose=true", {}),
        (Benchmark("b", {"test": items("q", 53)}), SPY, {"folds": 4}),
        (Benchmark("b", {"test": items("q", 53)}), f"{SPY}:choose=true", {"folds": 4}),
    ],
)
def test_the_number_of_items_learnt_from_is_nearly_right(
    benchmark: Benchmark, model: str, more: dict[str, Any]
) -> None:
    (run,) = plan_runs(benchmark, [model], ["full"], [0], **more)
    said = predict(benchmark, run)
    one = prepare_run(benchmark, run, load(model))
    trained = benchmark.splits[said.trained_on or ""]
    for task in one.tasks:
        assert abs(len(task.items) - _training_size(trained, run, said)) <= 1


@pytest.mark.parametrize("does", ["nothing", pytest.param("diverge", marks=pytest.mark.slow)])
def test_the_table_shows_them_and_an_audit_says_so(tmp_path: Path, does: str) -> None:
    model = f"{MULTI_FIT}:does={does},at=1"
    args = (
        "predict",
        write_benchmark(tmp_path),
        "--model",
        model,
        "--seeds",
        "4",
        "--views",
        "full",
    )
    done = command(*args, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "degenerate" in done.stdout.partition("note:")[0]
    assert "(seed 1)" in done.stdout
    (row,) = json.loads(command(*args, "--json", cwd=tmp_path).stdout)["rows"]
    assert (row["degenerate"], row["degenerate_seeds"]) == (1, [1])
    audited = command("audit", "bench", "--predictions", "store/*.jsonl", cwd=tmp_path)
    assert audited.returncode == 0, audited.stderr
    found = json.loads((tmp_path / "audit" / "audit.json").read_text())
    (seeds,) = (result for result in found["results"] if result["probe"] == "seeds")
    assert "1 run learnt nothing" in seeds["summary"]
    table = seeds["tables"]["runs"]
    flagged = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
    assert [run["seed"] for run in flagged if run["flag"]] == [1]


def test_without_any_the_table_has_no_such_column(tmp_path: Path) -> None:
    args = ("predict", write_benchmark(tmp_path), "--model", MULTI_FIT, "--seeds", "2")
    done = command(*args, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "degenerate" not in done.stdout
