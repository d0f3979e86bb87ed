"""Progress: bars with the time left on a terminal, plain lines in a log, silence on request."""

from __future__ import annotations

import io
import sys

import pytest
from rich.console import Console

from hansproof._infra import progress, progress_bars, progress_lines


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Console:
    """A terminal of 100 columns that records what is drawn on it."""
    recording = Console(file=io.StringIO(), force_terminal=True, width=100, record=True)
    monkeypatch.setattr(progress_bars, "Console", lambda **_: recording)
    monkeypatch.setattr(progress, "_is_terminal", lambda: True)
    return recording


def test_a_bar_shows_the_count_and_the_accuracy(console: Console) -> None:
    with progress.count_bar(6, "runs") as show:
        show(0)
        show(3, 0.612)
        (bars,) = progress._open_displays
        assert isinstance(bars, progress_bars.ProgressBars)
        bars._progress.refresh()
        text = console.export_text(clear=False)
    assert "runs (61.2% right)" in text
    assert "3 of 6" in text
    assert progress._open_displays == []


def test_a_bar_inside_a_bar_shares_its_display(console: Console) -> None:
    with progress.step_bar({"first": 1, "second": 1}) as start_step:
        start_step("first")
        (bars,) = progress._open_displays
        assert isinstance(bars, progress_bars.ProgressBars)
        for _ in progress.track("ab", 2, "letters"):
            assert progress._open_displays == [bars]
            assert [task.description for task in bars._progress.tasks] == ["first", "letters"]
        start_step("second")
        (task,) = bars._progress.tasks
        assert (task.description, task.completed, task.fields["count"]) == ("second", 1, "2 of 2")
    assert progress._open_displays == []


def test_a_step_counts_by_its_cost(console: Console) -> None:
    with progress.step_bar({"quick": 1, "slow": 9, "last": 10}) as start_step:
        start_step("last")
        (bars,) = progress._open_displays
        assert isinstance(bars, progress_bars.ProgressBars)
        (task,) = bars._progress.tasks
        assert (task.completed, task.total, task.fields["count"]) == (10, 20, "3 of 3")


def test_a_log_gets_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0, 0, 5, 11, 12, 22])
    lines = progress_lines.ProgressLines(clock=lambda: next(times))
    task = lines.add_task("runs", 100)
    lines.update(task, 10, "runs")  # after 5 s: too early for a line
    lines.update(task, 50, "runs")  # after 11 s
    lines.update(task, 51, "runs")  # 1 s after the last line
    lines.update(task, 75, "runs")  # after 22 s
    assert capsys.readouterr().err.splitlines() == [
        "hansproof: runs 50 of 100, 0:11 so far, about 0:11 left",
        "hansproof: runs 75 of 100, 0:22 so far, about 0:07 left",
    ]


def test_a_long_step_does_not_make_the_estimate_grow(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    lines = progress_lines.ProgressLines(clock=lambda: now)
    outer = lines.add_task("", 2)
    lines.update(outer, 0, "first", "1 of 2", 1)
    now = 10.0
    lines.update(outer, 1, "second", "2 of 2", 1)
    inner = lines.add_task("letters", 100)
    for completed in (5, 10, 15):
        now += 10.0
        lines.update(inner, completed, "letters")
    lines.remove_task(inner)
    now += 10.0
    lines.update(outer, 1, "second", "2 of 2")
    assert capsys.readouterr().err.splitlines() == [
        "hansproof: second 2 of 2, 0:10 so far, about 0:10 left",
        "hansproof: second 2 of 2 > letters 5 of 100, 0:20 so far",
        "hansproof: second 2 of 2 > letters 10 of 100, 0:30 so far, about 3:00 left",
        "hansproof: second 2 of 2 > letters 15 of 100, 0:40 so far, about 2:50 left",
        "hansproof: second 2 of 2, 0:50 so far",
    ]


def test_the_bar_of_a_step_shows_on_the_bar_above(console: Console) -> None:
    with progress.step_bar({"first": 1}) as start_step:
        start_step("first")
        (bars,) = progress._open_displays
        assert isinstance(bars, progress_bars.ProgressBars)
        (task,) = bars._progress.tasks
        assert task.fields["estimate"]() is None
        for _ in progress.track("ab", 2, "letters"):
            pass
        letters = progress.track("ab", 2, "letters")
        assert next(letters) + next(letters) == "ab"
        assert task.fields["estimate"]() is not None
        letters.close()  # type: ignore[attr-defined]


def test_short_work_prints_nothing_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.step_bar({"first": 1, "second": 1}) as start_step:
        start_step("first")
        assert [*progress.track("ab", 2, "letters")] == ["a", "b"]
        start_step("second")
    assert capsys.readouterr().err == ""


def test_no_progress_is_shown_on_request(console: Console) -> None:
    with progress.no_progress(), progress.bar(3, "runs") as progress_bar:
        progress_bar.update(1, "runs")
        progress_bar.advance()
    assert console.export_text() == ""
    with progress.bar(3, "runs"):
        assert isinstance(progress._open_displays[-1], progress_bars.ProgressBars)


def test_without_rich_there_is_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    assert progress.track_optional("abc", "letters") == "abc"
    monkeypatch.undo()
    assert [*progress.track_optional("abc", "letters")] == ["a", "b", "c"]
