"""Whole audits of benchmarks whose shortcut is known, or that have none. More: bench/planted.py."""

from __future__ import annotations

import pytest

from bench.planted import (
    KINDS,
    RESPONSIBLE,
    audit_benchmark,
    audit_clean,
    count_claims,
    has_alarm,
    plant_shortcut,
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_strong_shortcut_is_found_by_the_probe_for_it(kind: str) -> None:
    found = audit_benchmark(plant_shortcut(kind, 0.9, 77))
    assert found["verdicts"][RESPONSIBLE[kind]] == "exposed"
    assert not found["failures"]


@pytest.mark.slow
def test_clean_benchmarks_are_seldom_accused_and_never_cleared_without_power() -> None:
    audits = [audit_clean(seed) for seed in range(500, 512)]
    assert sum(map(has_alarm, audits)) <= 3  # at .05 more happens once in 500 times
    assert count_claims(audits)["unfounded_claims"] == 0
    assert count_claims(audits)["gate_disagrees"] == 0
