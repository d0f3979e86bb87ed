"""The differences between two audits in words."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import get_args

from rich.console import Console

from hansproof.diff import VerdictChange, compare_audits
from hansproof.report.diff_tables import describe_change
from hansproof.report.terminal.diff import diff_view
from hansproof.types import Audit, Verdict

from ...support.audited_benchmarks import audited
from ...support.report_texts import print_wide


def with_verdict(audit: Audit, probe: str, verdict: Verdict) -> Audit:
    """The audit with nothing found by a probe."""
    results = tuple(
        replace(r, verdict=verdict, headline="", gain=None, evidence={}) if r.probe == probe else r
        for r in audit.results
    )
    return replace(audit, results=results)


def print_diff(old: Audit, new: Audit) -> str:
    return print_wide(diff_view(old, new, compare_audits(old, new)))


def test_every_change_has_a_meaning_and_no_change_has_none() -> None:
    verdicts = get_args(Verdict)
    for old, new in itertools.product(verdicts, repeat=2):
        assert bool(describe_change(VerdictChange("cues", old, new))) == (old != new)
    assert describe_change(VerdictChange("cues", "exposed", None)) == "run in one audit only"


def test_what_is_not_seen_is_gone_only_if_it_would_have_been_seen() -> None:
    for old in ("exposed", "caution"):
        gone = describe_change(VerdictChange("cues", old, "clear"))
        unseen = describe_change(VerdictChange("cues", old, "undecided"))
        assert gone == "no longer found"
        assert unseen == "not found, but there are too few items to tell"


def test_exposed_to_undecided_is_not_an_improvement() -> None:
    old = audited("exposed")
    text = print_diff(old, with_verdict(old, "cues", "undecided"))
    assert "not found, but could not be decided now" in text
    assert "flags not found, but could not be decided" in text
    assert "flags gone" not in text
    assert "no longer" not in text


def test_exposed_to_clear_is_one() -> None:
    text = print_diff(audited("exposed"), audited("clear"))
    assert "old: toy:original is not Hans-proof: " in text
    assert "new: In toy:balanced, no shortcut by words, length or position was found" in text
    assert "no longer found" in text
    assert "flags gone" in text


def test_flags_of_a_probe_with_nothing_to_test_are_unknown() -> None:
    old = audited("exposed")
    text = print_diff(old, with_verdict(old, "cues", "skipped"))
    assert "nothing to test any more" in text
    assert "flags" not in text


def test_audits_of_different_benchmarks_are_named() -> None:
    other = replace(audited("clear"), benchmark="quiz")
    assert "note: these are audits of different benchmarks, toy and quiz" in print_diff(
        audited("exposed"), other
    )
    assert "different benchmarks" not in print_diff(audited("exposed"), audited("clear"))


def test_with_the_same_items_the_number_of_items_is_not_the_reason() -> None:
    """Another tokenizer may decide what could not be decided before."""
    lost, won = (
        VerdictChange("cues", "clear", "undecided"),
        VerdictChange("x", "undecided", "clear"),
    )
    assert describe_change(lost, same_items=True) == "could not be decided now"
    assert describe_change(won, same_items=True) == "could be decided now: nothing found"
    assert describe_change(lost) == "too few items to tell now"
    old = audited("exposed")
    text = print_diff(old, with_verdict(old, "cues", "undecided"))
    assert "too few" not in text.partition("verdicts")[2]


def test_a_narrow_terminal_folds_texts_and_keeps_each_table_whole() -> None:
    old = audited("exposed")
    new = with_verdict(replace(audited("clear")), "cues", "undecided")
    console = Console(width=80, no_color=True)
    with console.capture() as captured:
        console.print(diff_view(old, new, compare_audits(old, new)))
    text = captured.get()
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("┏") == 5  # items, verdicts, numbers, flags gone, flags not found
