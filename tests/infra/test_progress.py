"""Progress bars: labels and counts, nested bars, and silence where there is no terminal."""

from __future__ import annotations

import sys

import pytest
from rich.console import Console

from hansproof._infra import progress


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


def test_a_bar_inside_a_bar_shares_its_display() -> None:
    with progress.step_bar(2) as start_step:
        start_step("first")
        (display,) = progress._open_displays
        for element in progress.track("ab", 2, "letters"):
            assert progress._open_displays == [display]
            assert [task.description for task in display.tasks] == ["first", "letters"], element
        with progress.bar(10, "MiB") as amount:
            amount.update(4, "MiB, 3 hits")
            assert (display.tasks[-1].description, display.tasks[-1].completed) == (
                "MiB, 3 hits",
                4,
            )
        start_step("second")
        assert [(task.description, task.completed) for task in display.tasks] == [("second", 1)]
    assert progress._open_displays == []


def test_without_rich_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    assert progress.track_optional("abc", "letters") == "abc"
    monkeypatch.undo()
    assert [*progress.track_optional("abc", "letters")] == ["a", "b", "c"]
