"""What was trained can be kept beside the store."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.errors import BadInput, ModelError
from hansproof.sweeps import plan_runs, run_sweep

from ..support.sweep_factories import ALONE, BENCH, MULTI_FIT, SPY, contents


def kept(folder: Path) -> dict[str, str]:
    return {path.name: (path / "weights").read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_folder_for_each_record(tmp_path: Path, jobs: int) -> None:
    runs = plan_runs(BENCH, [MULTI_FIT], ["full"], range(3))
    said: list[str] = []
    store, keep = tmp_path / "store", tmp_path / "kept"
    run_sweep(BENCH, runs, str(store), jobs, notify=said.append, models_folder=str(keep))
    assert sorted(f"{name}.jsonl" for name in kept(keep)) == sorted(contents(store))
    assert sorted(kept(keep).values()) == ["seed 0", "seed 1", "seed 2"]
    assert all(f".full.{text[-1]}." in name for name, text in kept(keep).items())
    assert said == []


def test_runs_that_were_finished_before_are_mentioned(tmp_path: Path) -> None:
    said: list[str] = []
    store, keep = str(tmp_path / "store"), tmp_path / "kept"
    run_sweep(BENCH, plan_runs(BENCH, [MULTI_FIT], ["full"], range(2)), store)
    run_sweep(
        BENCH,
        plan_runs(BENCH, [MULTI_FIT], ["full"], range(3)),
        store,
        notify=said.append,
        models_folder=str(keep),
    )
    assert [*kept(keep).values()] == ["seed 2"]
    (line,) = said
    assert line.startswith(f"{keep}: 2 runs were already in the store and not trained again")
    assert "b.multi_fit-py.test.full.0." in line


def test_what_fell_apart_is_not_kept_nor_mentioned(tmp_path: Path) -> None:
    said: list[str] = []
    runs = plan_runs(BENCH, [f"{MULTI_FIT}:does=diverge,at=1"], ["full"], range(3))
    for _ in range(2):
        run_sweep(
            BENCH,
            runs,
            str(tmp_path / "s"),
            notify=said.append,
            models_folder=str(tmp_path / "kept"),
        )
        assert sorted(kept(tmp_path / "kept").values()) == ["seed 0", "seed 2"]
    assert said == []


def test_only_what_is_trained_once_can_be_kept(tmp_path: Path) -> None:
    for benchmark, model, why in ((ALONE, MULTI_FIT, "trained in folds"), (BENCH, "chance", "not")):
        with pytest.raises(BadInput, match=f"--keep: .* is {why}"):
            run_sweep(benchmark, plan_runs(benchmark, [model], ["full"], [0]), str(tmp_path / "s"),
                  models_folder=str(tmp_path / "kept"))  # fmt: skip


def test_models_that_cannot_be_saved_and_places_that_cannot_be_written(tmp_path: Path) -> None:
    store, file = str(tmp_path / "store"), tmp_path / "file"
    with pytest.raises(ModelError, match="models of this kind cannot be saved: leave out --keep"):
        run_sweep(
            BENCH,
            plan_runs(BENCH, [SPY], ["full"], [0]),
            store,
            models_folder=str(tmp_path / "kept"),
        )
    assert contents(tmp_path / "store") == {}
    file.write_text("")
    runs = plan_runs(BENCH, [MULTI_FIT], ["full"], [0])
    with pytest.raises(BadInput, match="file: cannot be written: File exists"):
        run_sweep(BENCH, runs, store, models_folder=str(file))
