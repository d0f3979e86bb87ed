"""Whole audits of benchmarks whose shortcut is known, or that have none. More: bench/planted.py."""

from __future__ import annotations

import pytest

from bench.planted import KINDS, RESPONSIBLE, audit_benchmark, audit_clean, plant_shortcut


@pytest.mark.parametrize("kind", KINDS)
def test_a_strong_shortcut_is_found_by_the_probe_for_it(kind: str) -> None:
    found = audit_benchmark(plant_shortcut(kind, 0.9, 77))
    assert found["verdicts"][RESPONSIBLE[kind]] == "exposed"
    assert not found["failures"]


@pytest.mark.slow
def test_clean_benchmarks_are_seldom_accused() -> None:
    false = [
        seed
        for seed in range(500, 512)
        if any(verdict != "clear" for verdict in audit_clean(seed)["verdicts"].values())
    ]
    assert len(false) <= 3  # at .05 more happens once in 500 times
