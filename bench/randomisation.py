"""Time randomisation tests: the exact p on a lattice, and random draws against three other methods.

500 items, 190 against 310, like Easy and Hard of COPA's test set. All methods count the random
splits whose difference is at least as extreme as the observed one, and their p must agree. Methods
take turns, so that a busy machine slows all of them down alike; ratios are medians over the
rounds. One thread.

    python bench/randomisation.py            writes bench/randomisation.json
"""

from __future__ import annotations

import json
import math
import os
import platform
import statistics
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import permutation_test

from hansproof.stats import two_sample_randomisation_test

N, EASY = 500, 190
ROUNDS = 20_000
TURNS = 7
BLOCK = 200

Scores = NDArray[np.float64]
RandomisationTest = Callable[[Scores, int], float]


def draw_ours(x: Scores, seed: int) -> float:
    return two_sample_randomisation_test(
        x[:EASY], x[EASY:], rounds=ROUNDS, seed=seed, exact=False
    ).p


def draw_permuted(x: Scores, seed: int) -> float:
    """Shuffle rows with numpy's own function, block by block."""
    rng, hits = np.random.default_rng(seed), 0
    for _ in range(ROUNDS // BLOCK):
        rows = rng.permuted(np.broadcast_to(x, (BLOCK, N)), axis=1)
        hits += _count_extreme(rows[:, :EASY].sum(axis=1), x)
    return (1 + hits) / (ROUNDS + 1)


def draw_argpartition(x: Scores, seed: int) -> float:
    """Take the EASY smallest of N random numbers, block by block."""
    rng, hits = np.random.default_rng(seed), 0
    for _ in range(ROUNDS // BLOCK):
        keys = rng.random((BLOCK, N), dtype=np.float32)
        chosen = np.argpartition(keys, EASY, axis=1)[:, :EASY]
        hits += _count_extreme(x[chosen].sum(axis=1), x)
    return (1 + hits) / (ROUNDS + 1)


def draw_scipy(x: Scores, seed: int) -> float:
    def difference(a: Scores, b: Scores, axis: int) -> Scores:
        return np.asarray(np.mean(a, axis=axis) - np.mean(b, axis=axis))

    result = permutation_test(
        (x[:EASY], x[EASY:]), difference, vectorized=True, n_resamples=ROUNDS, batch=BLOCK,
        rng=np.random.default_rng(seed),
    )  # fmt: skip
    return float(result.pvalue)


def _count_extreme(sums: Scores, x: Scores) -> int:
    expected = x.sum() * EASY / N
    return int((np.abs(sums - expected) >= abs(x[:EASY].sum() - expected) - 1e-9).sum())


METHODS: dict[str, RandomisationTest] = {
    "ours": draw_ours, "rng.permuted": draw_permuted, "argpartition": draw_argpartition,
    "scipy permutation_test": draw_scipy,
}  # fmt: skip


def measure_real_valued() -> dict[str, Any]:
    """Return the microseconds per draw, and how many times faster ours is."""
    x = np.random.default_rng(0).random(N)
    x[:EASY] += 0.02
    for method in METHODS.values():
        method(x, 0)  # compile and warm up
    times: dict[str, list[float]] = {name: [] for name in METHODS}
    p: dict[str, float] = {}
    for turn in range(TURNS):
        for name, method in METHODS.items():
            start = time.perf_counter()
            p[name] = method(x, turn)
            times[name].append(time.perf_counter() - start)
    error = 5 * math.sqrt(2 * p["ours"] / ROUNDS)
    assert all(abs(other - p["ours"]) < error for other in p.values()), p
    ratios = [
        min(times[name][turn] for name in METHODS if name != "ours") / times["ours"][turn]
        for turn in range(TURNS)
    ]
    micro = {name: statistics.median(t) / ROUNDS * 1e6 for name, t in times.items()}
    return {
        "items": N,
        "dealt": EASY,
        "rounds": ROUNDS,
        "microseconds a round": {name: round(value, 3) for name, value in micro.items()},
        "p": {name: round(value, 4) for name, value in p.items()},
        "times the fastest other": round(statistics.median(ratios), 1),
        "times the fastest other, by turn": [round(ratio, 1) for ratio in sorted(ratios)],
    }


def measure_exact() -> dict[str, Any]:
    """Return the milliseconds of the exact p for means over three seeds."""
    rng = np.random.default_rng(1)
    times = []
    for _ in range(21):
        x = rng.binomial(3, 0.8, N) / 3
        start = time.perf_counter()
        result = two_sample_randomisation_test(x[:EASY], x[EASY:])
        times.append(1000 * (time.perf_counter() - start))
        assert result.method == "exact"
    return {
        "items": N,
        "seeds": 3,
        "first call, ms": round(times[0], 2),
        "median, ms": round(statistics.median(times), 2),
        "slowest, ms": round(max(times), 2),
    }


def compare_with_enumeration() -> dict[str, Any]:
    """Compare the exact p of small cases with the p of all splits, counted one by one."""
    rng, worst, cases = np.random.default_rng(2), 0.0, 0
    for seeds in (1, 2, 3):
        for n1, n2 in ((3, 4), (5, 5), (6, 9), (2, 12)):
            x = rng.integers(0, seeds + 1, n1 + n2)
            centre, n = n1 * int(x.sum()), n1 + n2
            deals = [n * int(x[list(c)].sum()) - centre for c in combinations(range(n), n1)]
            observed = n * int(x[:n1].sum()) - centre
            expected = sum(abs(deal) >= abs(observed) for deal in deals) / len(deals)
            p = two_sample_randomisation_test(x[:n1] / seeds, x[n1:] / seeds).p
            worst, cases = max(worst, abs(p - expected)), cases + 1
    return {"cases": cases, "largest difference of p": worst}


def main() -> None:
    report: dict[str, Any] = {
        "command": "python bench/randomisation.py",
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "threads": 1,
        "exact, on a lattice": measure_exact(),
        "real-valued": measure_real_valued(),
        "against full enumeration": compare_with_enumeration(),
    }
    text = json.dumps(report, indent=1)
    print(text)
    Path(__file__).with_suffix(".json").write_text(text + "\n")


if __name__ == "__main__":
    main()
