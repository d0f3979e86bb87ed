from __future__ import annotations

from dataclasses import replace

from hansproof import load
from hansproof.auditing import run_audit
from hansproof.diff import VerdictChange, compare_audits


def test_what_balancing_changed() -> None:
    found = compare_audits(run_audit(load("toy:original")), run_audit(load("toy:balanced")))
    assert found.sizes == {"original → balanced": (120, 240)}
    assert not found.same_items
    assert VerdictChange("cues", "exposed", "clear") in found.verdicts
    assert "cues/original: had" in found.removed  # as the old audit names it
    assert found.added == ()
    (ceiling,) = (c for c in found.estimates if c.name == "balanced: rules over words")
    assert ceiling.old.value > 0.65
    assert ceiling.new.value == 0.5


def test_no_change_is_no_difference() -> None:
    same = run_audit(load("toy:original"))
    found = compare_audits(same, same)
    assert found.same_items
    assert (found.estimates, found.removed, found.added) == ((), (), ())


def test_splits_are_matched_by_name_where_there_are_several() -> None:
    found = compare_audits(run_audit(load("toy")), run_audit(load("toy:original")))
    assert found.sizes == {"original": (120, 120), "mirrored": (120, None)}
    assert "cues/mirrored: had" in found.removed
    assert "cues/original: had" not in found.removed


def test_a_probe_that_could_not_be_run_takes_no_flag_away() -> None:
    old = run_audit(load("toy:original"))
    new = replace(old, results=tuple(r for r in old.results if r.probe != "cues"))
    found = compare_audits(old, new)
    assert VerdictChange("cues", "exposed", None) in found.verdicts
    assert found.removed == ()
