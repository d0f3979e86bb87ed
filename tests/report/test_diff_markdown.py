"""The differences between two audits as Markdown."""

from __future__ import annotations

from dataclasses import replace

from hansproof.diff import compare_audits
from hansproof.report.diff_markdown import render_diff_markdown

from ..support.audited_benchmarks import audited


def test_old_and_new_are_side_by_side() -> None:
    old, new = audited("exposed"), audited("clear")
    text = render_diff_markdown(old, new, compare_audits(old, new))
    assert "**old**: toy:original is not Hans-proof" in text
    assert "| cues | exposed | clear | no longer found |" in text
    (row,) = (
        line for line in text.splitlines() if line.startswith("| cues: best word or phrase |")
    )
    assert row.endswith("| 61.7% (57.2–66.0) | 50.0% (50.0–50.0) | 50% |")


def test_names_are_escaped() -> None:
    old = replace(audited("exposed"), benchmark="a|b<script>")
    split = "x|y[z]"
    old = replace(old, sizes={split: 3}, sha256={split: "0"})
    text = render_diff_markdown(old, audited("clear"), compare_audits(old, audited("clear")))
    assert "<script>" not in text
    assert "a\\|b&lt;script&gt;" in text
    assert "| x\\|y\\[z\\] → balanced | 3 |" in text


def test_probes_are_spelled_in_words_and_so_are_flags() -> None:
    old, new = audited("exposed"), audited("clear")
    text = render_diff_markdown(old, new, compare_audits(old, new))
    assert "partial_input" not in text.replace("\\", "")
    assert "| partial input | exposed | clear | no longer found |" in text
    assert "| original → balanced | 120 | 240 |" in text
    assert "| partial input: bow answers from the choices (original) |" in text
    assert "| cues: “had” predicts answers (original) |" in text
