from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from hansproof.stats import grouped_randomisation_test, two_sample_randomisation_test


def test_without_groups_it_is_the_exact_test() -> None:
    x = np.random.default_rng(0).integers(0, 4, 60) / 3
    mark = np.arange(60) < 20
    assert grouped_randomisation_test(x, mark, [None] * 60) == two_sample_randomisation_test(
        x[mark], x[~mark]
    )


def test_by_full_enumeration_of_the_patterns() -> None:
    """Four pairs, three triples and two lone items, patterns of labels dealt among equals."""
    rng = np.random.default_rng(1)
    sizes = [2] * 4 + [3] * 3 + [1] * 2
    groups = [str(g) for g, size in enumerate(sizes) for _ in range(size)]
    x, mark = rng.random(len(groups)), rng.random(len(groups)) < 0.4
    blocks = [np.flatnonzero([g == str(k) for g in groups]) for k in range(len(sizes))]
    sums = []
    for pairs in permutations(range(4)):
        for triples in permutations(range(4, 7)):
            for lone in permutations(range(7, 9)):
                deal = (*pairs, *triples, *lone)
                swapped = zip(blocks, deal, strict=True)
                sums.append(sum(float(x[b] @ mark[blocks[d]]) for b, d in swapped))
    away = np.abs(np.array(sums) - np.mean(sums))
    exact = float((away >= abs(float(x @ mark) - np.mean(sums)) - 1e-12).mean())
    drawn = grouped_randomisation_test(x, mark, groups, rounds=50_000)
    assert drawn.method == "Monte Carlo by groups, 50000 rounds"
    assert abs(drawn.p - exact) <= 5 * math.sqrt(exact / 50_000)


@pytest.mark.parametrize("size", [2, 4, 8])
def test_items_that_share_their_fate_are_no_evidence_of_their_own(size: int) -> None:
    """Marks and scores of whole groups, independent of each other: p holds its level."""
    rng = np.random.default_rng(size)
    groups = [str(i // size) for i in range(240)]
    p = []
    for _ in range(300):
        x = np.repeat(rng.random(240 // size) < 0.6, size).astype(float)
        mark = np.repeat(rng.random(240 // size) < 0.4, size)
        p.append(grouped_randomisation_test(x, mark, groups, rounds=499).p)
    assert np.mean(np.array(p) <= 0.05) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 300)
