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
from ..stats import wilson_interval
from ..types import Benchmark, Cell, Estimate, Items, Result, Table, Verdict
from ._splits import grouped_items_note, labelled_splits

SIMULATIONS = 9999
POSITION_COLUMNS = ("split", "position", "count", "expected", "frequency", "low", "high", "n")


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
        positions = {name: _position_rows(name, items) for name, items in parts.items()}
        tests = tuple(_test_evenness(name, items, positions[name]) for name, items in parts.items())
        estimates = {name: _most_frequent_position(name, rows) for name, rows in positions.items()}
        uneven = {
            name: estimates[name]
            for name, *_, p in tests
            if isinstance(name, str) and float(p or 0) * len(tests) <= self.level
        }
        return Result(
            probe="class_balance",
            params=asdict(self),
            verdict=self._decide_verdict(list(uneven.values())),
            summary=_write_summary(uneven, len(tests)),
            p=min(1.0, min(float(p or 0) for *_, p in tests) * len(tests)),
            estimates=tuple(estimates.values()),
            tables={
                "positions": Table(
                    POSITION_COLUMNS, tuple(r for rows in positions.values() for r in rows)
                ),
                "tests": Table(("split", "n", "chi2", "df", "p"), tests),
            },
            notes=(*notes, *grouped_items_note(parts)),
        )

    def _decide_verdict(self, uneven: list[Estimate]) -> Verdict:
        if any(e.value - (e.chance or 0) >= self.margin for e in uneven):
            return "exposed"
        return "caution" if uneven else "clear"


def _position_rows(name: str, items: Items) -> list[tuple[Cell, ...]]:
    sizes = np.array([len(item.choices) for item in items])
    counts = np.bincount([item.answer or 0 for item in items], minlength=int(sizes.max()))
    low, high = wilson_interval(counts, len(items))
    return [
        (
            name, position, int(count), float((1 / sizes[sizes > position]).sum()),
            int(count) / len(items), float(low[position]), float(high[position]), len(items),
        )
        for position, count in enumerate(counts)
    ]  # fmt: skip


def _test_evenness(name: str, items: Items, rows: list[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    """Chi-squared of the counts; where few are expected somewhere, its p by simulation."""
    count = np.array([row[2] for row in rows], float)
    expected = np.array([row[3] for row in rows], float)
    statistic = float((np.square(count - expected) / expected).sum())
    df = count.size - 1
    if expected.min() >= 5:
        return name, len(items), statistic, df, float(chdtrc(df, statistic))
    sizes = np.array([len(item.choices) for item in items])
    rng, reached = np.random.default_rng(0), 0
    for _ in range(SIMULATIONS):
        simulated = np.bincount(rng.integers(0, sizes), minlength=count.size)
        reached += float((np.square(simulated - expected) / expected).sum()) >= statistic - 1e-9
    return name, len(items), statistic, df, (1 + reached) / (SIMULATIONS + 1)


def _most_frequent_position(name: str, rows: list[tuple[Cell, ...]]) -> Estimate:
    # by count - expected: where items differ in their number of choices, the first positions are
    # right most often even if all is even
    top_row = max(rows, key=lambda row: float(row[2] or 0) - float(row[3] or 0))
    _, _, _, expected_count, frequency, low, high, n = top_row
    # chance of a guesser who always names this position: how often it would be right if even
    expected = float(expected_count or 0) / int(n or 1)
    return Estimate(
        f"{name}: most frequent position",
        float(frequency or 0), float(low or 0), float(high or 0), int(n or 0), expected,
    )  # fmt: skip


def _write_summary(uneven: dict[str, Estimate], splits: int) -> str:
    if not uneven:
        tests_phrase = "one split" if splits == 1 else f"{splits} splits"
        return f"No position is right more often than chance allows ({tests_phrase} tested)."
    split, worst = max(uneven.items(), key=lambda entry: entry[1].value - (entry[1].chance or 0))
    return (
        f"Positions are uneven ({len(uneven)} of {splits} tested): always naming the same one is "
        f"right {worst.value:.1%} of the time in {split} (even: {worst.chance:.1%})."
    )
