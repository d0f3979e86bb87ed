"""How far a sweep is, in numbers and as a bar."""

from __future__ import annotations

import pytest
from rich.console import Console

from hansproof import progress
from hansproof.predict._tally import SPARING, Done, Step, Tally, Under, sparing


def test_what_is_done_and_under_way_adds_up() -> None:
    heard: list[tuple[float, float | None]] = []
    tally = Tally(lambda *now: heard.append(now), {0})
    tally.hear("a", Under(1.5, 0.4))
    tally.hear("b", Under(0.5))
    tally.hear("a", Done(1, 0.6))  # one of the one and a half
    tally.hear("a", Done(1, 0.6))  # heard twice
    tally.ended("b")  # killed
    tally.hear("b", Under(0.7))  # late
    assert heard == [(1, None), (2.5, 0.4), (3, 0.4), (3, 0.6), (2.5, 0.6)]
    assert tally.done == {0, 1}


def test_of_many_words_on_what_is_under_way_few_are_passed_on() -> None:
    heard: list[Step] = []
    tell = sparing(heard.append)
    for at in range(100):
        tell(Under(at / 100))
        tell(Done(at))
    assert [step for step in heard if isinstance(step, Done)] == [Done(at) for at in range(100)]
    assert sum(isinstance(step, Under) for step in heard) <= 2
    assert SPARING < 1


def drawn(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> str:
    """What is on stderr after a count of six."""
    made = Console(stderr=True, force_terminal=terminal, width=100, record=True)
    monkeypatch.setattr("rich.console.Console", lambda **_: made)
    with progress.counting(6, "runs") as show:
        show(0)
        show(3.5, 0.612)
        progress._open[-1].refresh()
        text = made.export_text(clear=False)
    assert progress._open == []
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
