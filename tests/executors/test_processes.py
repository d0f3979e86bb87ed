"""Work in processes: events arrive, errors keep their type, and a killed process is survived."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Hashable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hansproof.errors import BadInput
from hansproof.executors.processes import (
    KeepGoing,
    SendEvent,
    _interrupts_blocked,
    run_in_processes,
)


def claim_and_run(folder: Path, action: str, send_event: SendEvent, keep_going: KeepGoing) -> None:
    """Send an event; the first process, and only that one, then does something bad."""
    send_event({"pid": os.getpid(), "parent is alive": keep_going()})
    try:
        (folder / "claimed").touch(exist_ok=False)
    except FileExistsError:
        return
    if action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif action == "refuse":
        raise BadInput("file.txt", "is bad", line=3)
    elif action == "break":
        raise ZeroDivisionError("broken")


def run(folder: Path, action: str) -> tuple[list[tuple[Hashable, Any]], list[int | None]]:
    received: list[tuple[Hashable, Any]] = []
    work = partial(claim_and_run, folder, action)
    codes = run_in_processes(work, 2, lambda process, event: received.append((process, event)))
    return received, codes


@pytest.mark.parametrize(("action", "expected"), [("", [0, 0]), ("kill", [-signal.SIGKILL, 0])])
def test_each_process_sends_its_events_and_then_none(
    action: str, expected: list[int], tmp_path: Path
) -> None:
    received, codes = run(tmp_path, action)
    assert sorted(code for code in codes if code is not None) == sorted(expected)
    assert len({process for process, _ in received}) == 2
    for process in {process for process, _ in received}:
        event, end = [event for sender, event in received if sender == process]
        assert event["pid"] != os.getpid()
        assert event["parent is alive"]
        assert end is None


def test_errors_of_ours_keep_type_and_message(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^file.txt:3: is bad$"):
        run(tmp_path, "refuse")


def test_other_errors_come_with_their_traceback(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"(?s)in a worker.*ZeroDivisionError: broken"):
        run(tmp_path, "break")


def test_ctrl_c_waits_until_all_workers_are_started() -> None:
    """Also where another thread receives it, whose mask is another."""
    steps: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        _start_interrupted(steps)
    assert steps == ["all workers are started"]


def _start_interrupted(steps: list[str]) -> None:
    with _interrupts_blocked():
        thread = threading.Thread(target=_interrupt_this_process)
        thread.start()
        thread.join()
        time.sleep(0.05)
        steps.append("all workers are started")


def _interrupt_this_process() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.05)
