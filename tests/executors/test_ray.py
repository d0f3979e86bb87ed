"""What works without a session of Ray; sweeps and scans test the rest with one."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

from hansproof.errors import MissingExtra
from hansproof.executors.ray import EventBoard, WorkerContext, ray_failure, ray_session


def test_tasks_work_in_the_folder_of_the_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inner").mkdir()
    context = WorkerContext({"a": 1}, str(tmp_path / "inner"))
    assert pickle.loads(pickle.dumps(context)).open_payload() == {"a": 1}
    assert Path.cwd() == tmp_path / "inner"
    assert WorkerContext("b", str(tmp_path / "elsewhere")).open_payload() == "b"
    assert Path.cwd() == tmp_path / "inner"


def test_events_are_taken_once() -> None:
    board = EventBoard()
    board.post_event(1, "a")
    board.post_event(2, "b")
    assert board.take_events() == [(1, "a"), (2, "b")]
    assert board.take_events() == []


def test_jobs_that_ray_gives_up_on() -> None:
    error = ray_failure("store", "some runs", "finished runs are", ConnectionError())
    reason = "Ray gave up on some runs (ConnectionError)"
    assert str(error) == f"store: {reason}; finished runs are saved: start again to resume"


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"hansproof\[ray\]"), ray_session(1):
        pass
