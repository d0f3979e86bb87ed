"""The table for the terminal."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console

from hansproof.report.terminal.audit import audit_view
from hansproof.types import Audit, Failure

from ...support.report_sample import sample


def printed(audit: Audit) -> str:
    console = Console(width=160, no_color=True)
    with console.capture() as captured:
        console.print(audit_view(audit))
    return captured.get()


def test_one_row_per_probe_and_failure() -> None:
    text = printed(sample(failures=(Failure("mine", "no such file"),)))
    for expected in (
        "paddock is not Hans-proof", "cues", "Do single words or phrases", "exposed",
        "71.4% (67.3 to 75.2%), chance 50.0%", "class balance", "clear", "integrity", "caution",
        "mine", "failed", "no such file",
    ):  # fmt: skip
        assert expected in text


def test_untrusted_text_is_neither_markup_nor_control() -> None:
    made = sample(("dev",), 60, 30, 2)
    evil = replace(made.results[0], summary="[bold]x[/bold] \x1b[31m \u202e \ud800")
    text = printed(replace(made, results=(evil,)))
    assert "[bold]x[/bold] ‹U+001B›[31m ‹U+202E› ‹U+D800›" in text


def test_q_stands_under_the_verdict() -> None:
    made = sample(("dev",), 60, 30, 2)
    assert "q = " not in printed(made)
    tested = replace(made, results=(replace(made.results[1], q=0.0234), *made.results[2:]))
    lines = printed(tested).splitlines()
    (at,) = [at for at, line in enumerate(lines) if "q = 0.023" in line]
    assert "exposed" in lines[at - 1]


def test_the_worst_verdicts_come_first() -> None:
    text = printed(sample(("dev",), 60, 30, 2))
    places = [text.index(f"│ {name}") for name in ("cues", "integrity", "class balance")]
    assert places == sorted(places)
