"""Does the position of the right answer give it away?

Branco et al. 2021, appendix C.1: how often each position is right, compared with 1/m, with an exact
test per split where possible, else chi-squared. Items of a group count as one unit, and so do near
copies if there are many. Misleads on small splits: look at the interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from .._infra.validation import check_range
from ..records.nested import is_order_drawn
from ..results import name_items
from ..scoring import chance_credits
from ..stats import Floats, binomial_power, chi2_power, items_needed, mean_interval
from ..stats.evenness import EvennessTest, check_evenness
from ..training.leakage_groups import groups_for_tests
from ..types import Benchmark, Cell, Estimate, Items, Result, Table, Verdict
from ._power import SplitPower, decide_absence, describe_power, widen_interval
from ._splits import scored_part, tested_parts
from ._text import name_ordinal

BEST_FIXED = "best_fixed_position"  # the metric of its estimates
POSITION_COLUMNS = ("split", "position", "count", "expected", "frequency", "low", "high", "n")
TEST_COLUMNS = ("split", "n", "chi2", "df", "p")

DRAWN_ORDER = (
    "Skipped: the file lists the right choice separately from the wrong ones, so hansproof "
    "shuffled the choices when reading it."
)

Record = dict[str, Cell]  # by column
GroupIds = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class ClassBalance:
    """Counts of right positions, and a test of their evenness."""

    needs: ClassVar[tuple[str, ...]] = ()

    split: str | None = None  # a split, a+b, or pooled; default: every labelled split
    level: float = 0.05  # significance level, corrected for the number of tests
    margin: float = 0.05  # accuracy that a position must gain over chance to be exposed

    def __post_init__(self) -> None:
        check_range("level", self.level, 0, 1)
        check_range("margin", self.margin, 1e-3, 1)

    def __call__(self, benchmark: Benchmark) -> Result:
        parts, notes = tested_parts(benchmark, self.split)
        if all(is_order_drawn(items) for items in parts.values()):
            return Result("class_balance", asdict(self), "skipped", DRAWN_ORDER, notes=notes)
        groups = {name: groups_for_tests(items) for name, items in parts.items()}
        positions = {name: _count_positions(name, parts[name], groups[name]) for name in parts}
        tests = {name: _test_positions(parts[name], groups[name]) for name in parts}
        estimates = {name: _best_fixed_position(positions[name]) for name in parts}
        p_values = {name: min(1.0, test.p * len(tests)) for name, test in tests.items()}
        part = scored_part(benchmark, parts)
        power = self._compute_power(part, parts[part], tests)
        uneven = [estimates[name] for name in parts if p_values[name] <= self.level]
        worst = max(uneven, key=_gain, default=None)
        position = int(_top_position(positions[worst.split])["position"] or 0) if worst else 0
        summary = self._write_summary(worst, position, power)
        return Result(
            probe="class_balance",
            params=asdict(self),
            verdict=_decide_verdict(worst, power, self.margin),
            summary=summary,
            headline=summary if worst else "",
            gain=_gain(worst) if worst else None,
            key=worst.name if worst else None,
            p=min(p_values.values()),
            power=power.power,
            n_needed=power.n_needed,
            estimates=tuple(
                widen_interval(estimates[name], p_values[name] <= self.level) for name in parts
            ),
            tables=_build_tables(positions, tests, parts),
            notes=notes,
        )

    def _compute_power(
        self, split: str, items: Items, tests: dict[str, EvennessTest]
    ) -> SplitPower:
        """Compute how likely one position that is right `margin` more often would be seen."""
        test, level = tests[split], self.level / len(tests)
        if not test.df:  # balanced by construction
            return SplitPower(split, len(items), 1.0)
        per_item = test.noncentrality(self.margin) / len(items)

        def power_at(n: Floats) -> Floats:
            if test.is_binomial:
                return binomial_power(n, 0.5, self.margin, level)
            return chi2_power(n * per_item, test.df, level)

        power = float(power_at(np.array([len(items)], np.float64))[0])
        return SplitPower(split, len(items), power, items_needed(power_at))

    def _write_summary(self, worst: Estimate | None, position: int, power: SplitPower) -> str:
        if worst is not None:
            return (
                f"Always taking the {name_ordinal(position)} choice answers {worst.value:.1%} of "
                f"{name_items(worst.split)} (chance {worst.chance:.1%})."
            )
        if power.is_by_construction:
            return "Every position is right equally often by design."
        opening = "No position is right significantly more often than the others"
        return f"{opening}. {describe_power(power, self.margin)}"


def _build_tables(
    positions: dict[str, list[Record]], tests: dict[str, EvennessTest], parts: dict[str, Items]
) -> dict[str, Table]:
    records = [record for records in positions.values() for record in records]
    test_rows = [(s, len(parts[s]), t.statistic, t.df, t.p) for s, t in tests.items()]
    return {
        "positions": Table(POSITION_COLUMNS, tuple(tuple(r.values()) for r in records)),
        "tests": Table(TEST_COLUMNS, tuple(test_rows)),
    }


def _gain(estimate: Estimate) -> float:
    return estimate.value - (estimate.chance or 0.0)


def _decide_verdict(worst: Estimate | None, power: SplitPower, margin: float) -> Verdict:
    if worst is None:
        return decide_absence(power)
    return "exposed" if _gain(worst) >= margin else "caution"


def _test_positions(items: Items, groups: GroupIds) -> EvennessTest:
    answers = [item.answer or 0 for item in items]
    return check_evenness(answers, [len(item.choices) for item in items], groups)


def _count_positions(split: str, items: Items, groups: GroupIds) -> list[Record]:
    """Count how often each position is right, and how often it would be if all were equal."""
    answers = np.array([item.answer or 0 for item in items])
    sizes = np.array([len(item.choices) for item in items])
    guess = chance_credits(items)
    counts = np.bincount(answers, minlength=int(sizes.max()))
    rows = [
        (
            split, position + 1, int(count), float(guess[sizes > position].sum()),
            int(count) / len(items), *mean_interval((answers == position) * 1.0, groups),
            len(items),
        )
        for position, count in enumerate(counts)
    ]  # fmt: skip
    return [dict(zip(POSITION_COLUMNS, row, strict=True)) for row in rows]


def _top_position(positions: list[Record]) -> Record:
    # by count - expected: where items differ in their number of choices, the first positions are
    # right most often even if all is even
    return max(positions, key=lambda r: float(r["count"] or 0) - float(r["expected"] or 0))


def _best_fixed_position(positions: list[Record]) -> Estimate:
    top = _top_position(positions)
    split, n = str(top["split"]), int(top["n"] or 0)
    frequency, low, high = (float(top[name] or 0) for name in ("frequency", "low", "high"))
    # chance of a guesser who always names this position: how often it would be right if even
    expected = float(top["expected"] or 0) / (n or 1)
    return Estimate(
        f"{split}: best fixed position", frequency, low, high, n, expected,
        split=split, metric=BEST_FIXED,
    )  # fmt: skip
