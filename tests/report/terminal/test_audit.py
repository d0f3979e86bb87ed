"""One line per probe for the terminal, and details on request."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from rich.console import Console

from hansproof.report.terminal.audit import audit_view
from hansproof.types import Audit, Failure

from ...support.audited_benchmarks import audited
from ...support.report_sample import sample


def printed(audit: Audit, width: int = 160, verbose: bool = False) -> str:
    console = Console(width=width, no_color=True)
    with console.capture() as captured:
        console.print(audit_view(audit, verbose))
    return captured.get()


def test_one_line_per_probe_and_failure() -> None:
    text = printed(sample(failures=(Failure("mine", "no such file"),)))
    headline, probes, _ = text.split("\n\n")
    lines = probes.splitlines()
    assert headline.startswith("paddock is not Hans-proof")
    assert [line.split()[0] for line in lines].count("failed") == 1
    assert len(lines) == len(sample().results) + 1
    (cues,) = (line for line in lines if "cues" in line)
    assert "71.4% (67.3–75.2), chance 50%" in cues
    assert lines[-1].split() == ["failed", "mine", "no", "such", "file"]


@pytest.mark.parametrize("kind", ["exposed", "clear"])
def test_a_default_audit_fits_24_lines_of_80_columns(kind: Literal["exposed", "clear"]) -> None:
    lines = printed(audited(kind), width=80).splitlines()
    assert len(lines) < 24 - 2  # room for the command and the line that names the report
    assert all(len(line) <= 80 for line in lines)
    assert len([line for line in lines if "chance 50%" in line]) >= 3


def test_lines_are_whole_in_a_file() -> None:
    console = Console(width=40, no_color=True)
    with console.capture() as captured:
        console.print(audit_view(audited("exposed")), soft_wrap=True)
    assert "…" not in captured.get()
    assert "…" in printed(audited("exposed"), width=40)


def test_the_next_step_is_a_command() -> None:
    _, _, step = printed(audited("exposed")).rpartition("\nnext: Write partners for the items")
    assert step.splitlines()[-1] == "  hansproof worksheet mirror toy:original -o sheet.csv"
    assert "next: " not in printed(audited("clear"))


def test_details_have_the_question_the_summary_and_the_tables() -> None:
    text = printed(sample(), verbose=True)
    for expected in ("Do single words or phrases", "71.4% (67.3 to 75.2%), chance 50.0%", "cues"):
        assert expected in text
    assert len(text.splitlines()) > 40


def test_untrusted_text_is_neither_markup_nor_control() -> None:
    made = sample(("dev",), 60, 30, 2)
    evil = "[bold]x[/bold] \x1b[31m \u202e \ud800"
    results = (replace(made.results[0], summary=evil, key=None, estimates=()),)
    for verbose in (False, True):
        text = printed(replace(made, results=results), verbose=verbose)
        assert "[bold]x[/bold] ‹U+001B›[31m ‹U+202E› ‹U+D800›" in text


def test_the_worst_verdicts_come_first() -> None:
    text = printed(sample(("dev",), 60, 30, 2))
    places = [text.index(f"  {name}") for name in ("cues", "integrity", "class balance")]
    assert places == sorted(places)
