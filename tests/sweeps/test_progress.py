"""How far a sweep is, in numbers."""

from __future__ import annotations

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
