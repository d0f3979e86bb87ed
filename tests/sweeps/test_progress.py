"""How far a sweep is, in numbers and as a bar."""

from __future__ import annotations

import pytest
from rich.console import Console

from hansproof._infra import progress
from hansproof.sweeps.progress import (
    MIN_EVENT_SECONDS,
    ProgressEvent,
    RunDone,
    RunsInProgress,
    SweepProgress,
    throttle_events,
)


def test_what_is_done_and_under_way_adds_up() -> None:
    heard: list[tuple[float, float | None]] = []
    tally = SweepProgress(lambda *now: heard.append(now), {0})
    tally.update("a", RunsInProgress(1.5, 0.4))
    tally.update("b", RunsInProgress(0.5))
    tally.update("a", RunDone(1, 0.6))  # one of the one and a half
    tally.update("a", RunDone(1, 0.6))  # heard twice
    tally.close_worker("b")  # killed
    tally.update("b", RunsInProgress(0.7))  # late
    assert heard == [(1, None), (2.5, 0.4), (3, 0.4), (3, 0.6), (2.5, 0.6)]
    assert tally.finished == {0, 1}


def test_of_many_words_on_what_is_under_way_few_are_passed_on() -> None:
    heard: list[ProgressEvent] = []
    tell = throttle_events(heard.append)
    for at in range(100):
        tell(RunsInProgress(at / 100))
        tell(RunDone(at))
    assert [step for step in heard if isinstance(step, RunDone)] == [
        RunDone(at) for at in range(100)
    ]
    assert sum(isinstance(step, RunsInProgress) for step in heard) <= 2
    assert MIN_EVENT_SECONDS < 1


def drawn(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> str:
    """What is on stderr after a count of six."""
    made = Console(stderr=True, force_terminal=terminal, width=100, record=True)
    monkeypatch.setattr("rich.console.Console", lambda **_: made)
    with progress.count_bar(6, "runs") as show:
        show(0)
        show(3.5, 0.612)
        progress._open_displays[-1].refresh()
        text = made.export_text(clear=False)
    assert progress._open_displays == []
    return text


def test_the_bar_has_runs_the_accuracy_and_the_time_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = drawn(monkeypatch, terminal=True)
    assert "runs (61.2% right)" in text
    assert "3/6" in text
    assert "left" in text


def test_nobody_looks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert drawn(monkeypatch, terminal=False).strip() == ""
    assert capsys.readouterr().err.strip() == ""
