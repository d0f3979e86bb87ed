"""Flags of `hansproof predict` that say how models are trained and what is kept of them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hansproof.cli._run_options import RunOptions

from ..support.cli_runner import expect_one_line_error, run_here
from ..support.sweep_factories import MULTI_FIT, write_benchmark


def predict(cwd: Path, *args: str) -> Any:
    done = run_here("predict", "bench", "--seeds", "2", "--views", "full", *args, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["rows"]


def headers(folder: Path) -> list[Any]:
    return [json.loads(path.read_text().splitlines()[0]) for path in sorted(folder.glob("*.jsonl"))]


def test_recipe_and_deterministic_are_set_where_there_are_such(tmp_path: Path) -> None:
    write_benchmark(tmp_path)
    models = ("--model", MULTI_FIT, "--model", f"{MULTI_FIT}:a/b,recipe=own", "--model", "bow")
    found = predict(tmp_path, *models, "--recipe", "niven", "--deterministic")
    assert [row["model"] for row in found] == [
        f"{MULTI_FIT}:recipe=niven,deterministic=true",
        f"{MULTI_FIT}:a/b,recipe=own,deterministic=true",
        "bow",
    ]
    params = [header["params"] for header in headers(tmp_path / "store")]
    assert {p.get("recipe") for p in params} == {"niven", "own", None}
    assert {p.get("deterministic") for p in params} == {True, None}


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (("--model", "bow", "--recipe", "x"), "--recipe: has no effect on bow"),
        (("--model", "bow", "--deterministic"), "--deterministic: has no effect on bow"),
        (("--model", "bow", "--seeds", "1,x"), "--seeds: is '1,x': give a number of seeds"),
        (("--model", "bow", "--jobs", "many"), "--jobs: is 'many': give a number, or auto"),
        (("--model", "bow", "--jobs", "-1"), "--jobs: is -1, must be at least 1"),
        (("--model", "bow", "--keep", "kept"), "bow: models of this kind cannot be saved"),
        (("--model", MULTI_FIT, "--keep", "kept", "--protocol", "cv"), "--keep: "),
        (("--model", f"{MULTI_FIT}:does=refuse,at=0"), "multi_fit: will not learn seed 0"),
    ],
)
def test_bad_flags_are_met_with_one_line(tmp_path: Path, args: tuple[str, ...], what: str) -> None:
    done = run_here("predict", write_benchmark(tmp_path), "--seeds", "1", *args, cwd=tmp_path)
    assert what in expect_one_line_error(done)


@pytest.mark.parametrize(
    ("recipe", "asked", "seeds"),
    [
        (None, None, range(20)),
        (None, "3", range(3)),
        (None, "42,1128, 7,42", (42, 1128, 7)),
        ("branco", None, (42, 1128, 1143, 1385, 1415)),
        ("branco", "2", range(2)),
        ("of my own", None, range(20)),
    ],
)
def test_how_many_seeds_or_which(
    recipe: str | None, asked: str | None, seeds: Sequence[int]
) -> None:
    assert RunOptions(recipe, False, "auto", "local").parse_seeds(asked) == seeds


def test_kept_weights_and_a_line_for_those_that_are_not(tmp_path: Path) -> None:
    write_benchmark(tmp_path)
    predict(tmp_path, "--model", MULTI_FIT)
    args = ("--model", MULTI_FIT, "--views", "full", "--seeds", "3", "--keep", "kept")
    done = run_here("predict", "bench", *args, cwd=tmp_path)
    assert done.returncode == 0
    assert "hansproof: kept: 2 runs were already in the store" in done.stderr
    assert done.stderr.count("\n") == 1
    (folder,) = (tmp_path / "kept").iterdir()
    assert (folder / "weights").read_text() == "seed 2"


def test_how_many_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    cores = len(os.sched_getaffinity(0))

    def number(*models: str, jobs: str = "auto", engine: Any = "local") -> int:
        return RunOptions(None, False, jobs, engine).n_jobs(models)

    assert number("bow") == number("bow", "chance") == 1
    assert number(MULTI_FIT) == number("bow", MULTI_FIT) == number("bow", engine="ray") == cores
    assert number(MULTI_FIT, jobs="7") == 7
    monkeypatch.setenv("HANSPROOF_ROOM", "3")  # as on a GPU
    assert number(MULTI_FIT) == number("bow", MULTI_FIT) == 1
    assert number("bow", jobs="7") == 7


def test_an_audit_takes_them_too(tmp_path: Path) -> None:
    args = ("audit", write_benchmark(tmp_path), "--recipe", "branco", "--seeds", "2")
    done = run_here(*args, "--model", MULTI_FIT, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert {h["params"]["recipe"] for h in headers(tmp_path / "audit" / "runs")} == {"branco"}
    what = "--recipe: is about training: name a model with --model"
    assert what in expect_one_line_error(run_here(*args, cwd=tmp_path))
