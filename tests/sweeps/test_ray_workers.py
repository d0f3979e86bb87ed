"""The same sweep by Ray: the same bytes, whoever is killed, and nothing done twice."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hansproof.errors import MissingExtra, ModelError
from hansproof.models import load
from hansproof.sweeps import plan_runs, run_sweep
from hansproof.sweeps.ray_workers import gpu_share

from ..support.cli_runner import run_fresh as run
from ..support.sweep_factories import ALONE, BENCH, MULTI_FIT, SLOW, contents, write_benchmark

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two workers, who write down what they train, two runs at once."""
    path = tmp_path_factory.mktemp("ray") / "calls"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HANSPROOF_CALLS", str(path))
        patch.setenv("HANSPROOF_ROOM", "2")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
        ray.init(address="local", num_cpus=2, include_dashboard=False, **quiet)
        yield path
        ray.shutdown()


def trained(calls: Path) -> list[Any]:
    lines = calls.read_text().splitlines() if calls.exists() else []
    return [step for step in map(json.loads, lines) if step["what"] == "trains"]


def finished(store: Path) -> dict[str, int]:
    """Records, and which file each is: one that is written again is another."""
    return {path.name: path.stat().st_ino for path in store.glob("*.jsonl")}


def kill_one(calls: Path, store: Path, killed: dict[int, dict[str, int]]) -> None:
    """SIGKILL a worker that is training, once some runs are finished; which they were."""
    while len(finished(store)) < 3 or len(trained(calls)) < 5:
        time.sleep(0.02)
    pid, before = trained(calls)[-1]["pid"], finished(store)
    assert pid != os.getpid()
    os.kill(pid, signal.SIGKILL)
    killed[pid] = before


@pytest.mark.slow
def test_a_killed_worker_costs_what_it_had_not_finished(calls: Path, tmp_path: Path) -> None:
    # one that naps, and one whose sums would differ with other threads
    runs = plan_runs(
        ALONE, [f"{MULTI_FIT}:nap=0.3", f"{SLOW}:nap=0.05"], ["full"], range(6), folds=2
    )
    killed: dict[int, dict[str, int]] = {}
    heard: list[float] = []
    store = tmp_path / "store"
    store.mkdir()
    killer = threading.Thread(target=kill_one, args=(calls, store, killed), daemon=True)
    killer.start()
    said = run_sweep(
        ALONE, runs, str(store), 2, lambda done, accuracy: heard.append(done), engine="ray"
    )
    killer.join(timeout=1)
    assert len(killed) == 1
    (before,) = killed.values()
    assert len(before) >= 3
    assert before.items() <= finished(store).items()
    times = Counter(step["seed"] for step in trained(calls))
    assert min(times.values()) >= 2
    assert sum(times.values()) <= 14  # six runs of two folds; one that was begun is begun again
    assert (heard[0], heard[-1]) == (0, 12)
    assert any(done % 1 for done in heard)
    calls.unlink()
    assert run_sweep(ALONE, runs, str(tmp_path / "undisturbed")) == said
    assert contents(tmp_path / "undisturbed") == contents(store)
    assert len(contents(store)) == 12


def test_errors_of_ours_come_back_as_they_are(calls: Path, tmp_path: Path) -> None:
    runs = plan_runs(BENCH, [f"{MULTI_FIT}:does=refuse,at=3"], ["full"], range(4))
    with pytest.raises(ModelError, match=r"^multi_fit: will not learn seed 3$"):
        run_sweep(BENCH, runs, str(tmp_path), 2, engine="ray")
    broken = plan_runs(BENCH, [f"{MULTI_FIT}:does=break,at=0"], ["full"], [0])
    with pytest.raises(RuntimeError, match=r"(?s)in a worker.*ZeroDivisionError: multi_fit broke"):
        run_sweep(BENCH, broken, str(tmp_path), 2, engine="ray")


@pytest.mark.slow
def test_on_the_command_line_with_a_model_of_ones_own(tmp_path: Path) -> None:
    write_benchmark(tmp_path)
    shutil.copy(MULTI_FIT, tmp_path / "mine.py")
    text = (tmp_path / "mine.py").read_text().replace("class MultiFit", "class Mine")
    (tmp_path / "mine.py").write_text(text)
    args = ("predict", "bench", "--model", "./mine.py", "--seeds", "2", "--views", "full", "--json")
    more = ("--keep", "kept")
    done = run(*args, *more, "--engine", "ray", "--jobs", "2", "--store", "ray", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    local = run(*args, "--store", "local", cwd=tmp_path)
    assert local.stdout.replace("local/", "ray/") == done.stdout
    assert contents(tmp_path / "ray") == contents(tmp_path / "local")
    assert len([*(tmp_path / "kept").iterdir()]) == 2


def test_without_ray(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"--engine ray needs an extra: .*hansproof\[ray\]"):
        run_sweep(BENCH, plan_runs(BENCH, ["chance"], ["full"], [0]), str(tmp_path), engine="ray")


def test_how_much_of_a_gpu() -> None:
    assert gpu_share(load("bow"), 1) == 0
    assert gpu_share(load("encoder_linear"), 1) == 0.25
    assert gpu_share(load("encoder_linear:device=cpu"), 1) == 0
    assert gpu_share(load(MULTI_FIT), 8) == 1
