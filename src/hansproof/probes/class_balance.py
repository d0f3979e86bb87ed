"""Does the position of the right answer give it away?

Branco et al. 2021, appendix C.1: how often each position is right, against 1/m, with a chi-squared
test per split. Misleads on small splits: see the interval.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
from scipy.special import chdtrc

from .._infra.validation import check_range
from ..scoring import chance_credits
from ..stats import wilson_interval
from ..types import Benchmark, Cell, Estimate, Items, Result, Table, Verdict
from ._splits import grouped_items_note, labelled_splits
from ._text import as_clauses

SIMULATIONS = 9999
MOST_FREQUENT = "most_frequent_position"  # the metric of its estimates
POSITION_COLUMNS = ("split", "position", "count", "expected", "frequency", "low", "high", "n")
TEST_COLUMNS = ("split", "n", "chi2", "df", "p")

Record = dict[str, Cell]  # by column


@dataclass(frozen=True, slots=True)
class ClassBalance:
    """Counts of right positions, and a test of their evenness."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; without it every labelled split
    level: float = 0.05  # of the tests, corrected for their number
    margin: float = 0.05  # an uneven position is worth that much accuracy to be called exposed

    def __post_init__(self) -> None:
        check_range("level", self.level, 0, 1)
        check_range("margin", self.margin, 0, 1)

    def __call__(self, benchmark: Benchmark) -> Result:
        parts, notes = labelled_splits(benchmark, self.split)
        positions = {name: _count_positions(name, items) for name, items in parts.items()}
        tests = {name: _test_evenness(name, parts[name], positions[name]) for name in parts}
        estimates = {name: _most_frequent_position(positions[name]) for name in parts}
        p_values = {name: float(test["p"] or 0) * len(tests) for name, test in tests.items()}
        uneven = [estimates[name] for name in parts if p_values[name] <= self.level]
        worst = max(uneven, key=lambda e: e.value - (e.chance or 0), default=None)
        summary = _write_summary(worst, len(uneven), len(tests))
        return Result(
            probe="class_balance",
            params=asdict(self),
            verdict=self._decide_verdict(uneven),
            summary=summary,
            clauses=as_clauses([summary]),
            key=worst.name if worst else None,
            p=min(1.0, *p_values.values()),
            estimates=tuple(estimates.values()),
            tables={
                "positions": Table(
                    POSITION_COLUMNS,
                    tuple(tuple(r.values()) for records in positions.values() for r in records),
                ),
                "tests": Table(TEST_COLUMNS, tuple(tuple(r.values()) for r in tests.values())),
            },
            notes=(*notes, *grouped_items_note(parts)),
        )

    def _decide_verdict(self, uneven: list[Estimate]) -> Verdict:
        if any(e.value - (e.chance or 0) >= self.margin for e in uneven):
            return "exposed"
        return "caution" if uneven else "clear"


def _count_positions(split: str, items: Items) -> list[Record]:
    """Count how often each position is right, and how often it would be if all were equal."""
    sizes = np.array([len(item.choices) for item in items])
    guess = chance_credits(items)
    counts = np.bincount([item.answer or 0 for item in items], minlength=int(sizes.max()))
    low, high = wilson_interval(counts, len(items))
    rows = [
        (
            split, position, int(count), float(guess[sizes > position].sum()),
            int(count) / len(items), float(low[position]), float(high[position]), len(items),
        )
        for position, count in enumerate(counts)
    ]  # fmt: skip
    return [dict(zip(POSITION_COLUMNS, row, strict=True)) for row in rows]


def _test_evenness(split: str, items: Items, positions: list[Record]) -> Record:
    """Test the counts by chi-squared; its p is simulated where fewer than 5 are expected."""
    count = np.array([record["count"] for record in positions], float)
    expected = np.array([record["expected"] for record in positions], float)
    statistic = float((np.square(count - expected) / expected).sum())
    df = count.size - 1
    record: Record = {"split": split, "n": len(items), "chi2": statistic, "df": df}
    if expected.min() >= 5:
        return record | {"p": float(chdtrc(df, statistic))}
    sizes = np.array([len(item.choices) for item in items])
    rng, reached = np.random.default_rng(0), 0
    for _ in range(SIMULATIONS):
        simulated = np.bincount(rng.integers(0, sizes), minlength=count.size)
        reached += float((np.square(simulated - expected) / expected).sum()) >= statistic - 1e-9
    return record | {"p": (1 + reached) / (SIMULATIONS + 1)}


def _most_frequent_position(positions: list[Record]) -> Estimate:
    # by count - expected: where items differ in their number of choices, the first positions are
    # right most often even if all is even
    top = max(positions, key=lambda r: float(r["count"] or 0) - float(r["expected"] or 0))
    split, n = str(top["split"]), int(top["n"] or 0)
    frequency, low, high = (float(top[name] or 0) for name in ("frequency", "low", "high"))
    # chance of a guesser who always names this position: how often it would be right if even
    expected = float(top["expected"] or 0) / (n or 1)
    return Estimate(
        f"{split}: most frequent position", frequency, low, high, n, expected,
        split=split, metric=MOST_FREQUENT,
    )  # fmt: skip


def _write_summary(worst: Estimate | None, n_uneven: int, splits: int) -> str:
    if worst is None:
        tests_phrase = "one split" if splits == 1 else f"{splits} splits"
        return f"No position is right more often than chance allows ({tests_phrase} tested)."
    return (
        f"Positions are uneven ({n_uneven} of {splits} tested): always naming the same one is "
        f"right {worst.value:.1%} of the time in {worst.split} (even: {worst.chance:.1%})."
    )
