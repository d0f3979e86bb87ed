"""Do people agree with each other, and with the answer key?

Kavumba et al. 2019, table 3: accuracy of the majority vote, Fleiss' kappa with its bootstrap
interval, Krippendorff's alpha. Misleads with few items, and where one answer is so common that
raters agree by chance: kappa is then low although raters agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._infra.plural import plural
from .._infra.validation import check_range
from ..errors import BadInput
from ..inputs.ratings import Ratings
from ..scoring import chance_level
from ..stats import (
    fleiss_interval,
    fleiss_kappa,
    krippendorff_alpha,
    majority_credit,
    mean_interval,
    wilson_interval,
)
from ..types import Benchmark, Cell, Estimate, Items, Result, Subject, Table, Verdict

OVERALL_COLUMNS = (
    "split", "items", "raters", "ratings", "kappa", "low", "high", "alpha", "vote_accuracy",
    "vote_low", "vote_high", "chance", "no_majority",
)  # fmt: skip
MIN_ITEMS = 10  # rated by two people or more, below which the interval of kappa is everything
AGAINST_KEY, NO_MAJORITY = "vote against the key", "no majority"
RATER_COLUMNS = ("split", "rater", "accuracy", "low", "high", "chance", "n")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Kappa, alpha and the majority vote of every split that was rated."""

    needs: ClassVar[tuple[str, ...]] = ("ratings",)
    subject: ClassVar[Subject] = "models"

    least: float = 0.667  # lowest acceptable kappa (Krippendorff's line)
    against: float = 0.05  # largest acceptable share of items whose vote goes against the key
    seed: int = 0  # random seed of the bootstrap

    def __post_init__(self) -> None:
        check_range("least", self.least, -1, 1)
        check_range("against", self.against, 0, 1)
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark, ratings: Sequence[Ratings] = ()) -> Result:
        rows = [row for table in ratings for row in table.rows]
        if not rows:
            raise BadInput("--ratings", "this probe needs people's answers: give a file of ratings")
        parts = [
            RatedSplit(
                split, rated, [row for row in rows if row[0] in {i.id for i in rated}], self.seed
            )
            for split, items in benchmark.labelled_splits().items()
            if (rated := _rated_items(items, rows))
        ]
        if not parts:
            raise BadInput(
                benchmark.name, "none of the rated items has an answer in this benchmark"
            )
        worst = min(parts, key=lambda part: float(part.vote.mean()))
        verdict = self._decide_verdict(parts)
        return Result(
            probe="agreement",
            params=asdict(self),
            verdict=verdict,
            summary=_write_summary(worst, verdict),
            key=worst.vote_estimate().name,
            subject=self.subject,
            estimates=tuple(estimate for part in parts for estimate in part.build_estimates()),
            tables={
                "overall": Table(OVERALL_COLUMNS, tuple(part.overall_row() for part in parts)),
                "raters": Table(
                    RATER_COLUMNS, tuple(row for part in parts for row in part.rater_rows())
                ),
            },
            evidence={
                f"{part.split}: {name}": ids
                for part in parts
                for name, ids in part.disputed_items().items()
                if ids
            },
        )

    def _decide_verdict(self, parts: list[RatedSplit]) -> Verdict:
        """Return caution if people disagree; skipped if no item was rated by two of them.

        With fewer than MIN_ITEMS such items in every split, agreement may be luck: undecided.
        """
        if any(self._needs_care(part) for part in parts):
            return "caution"
        n_shared = max(part.n_shared for part in parts)
        if n_shared < MIN_ITEMS:
            return "undecided" if n_shared else "skipped"
        return "clear"

    def _needs_care(self, part: RatedSplit) -> bool:
        # where everybody chose the same throughout, kappa is undefined, and agreement perfect
        return part.kappa < self.least or part.vote.mean() < 1 - self.against


class RatedSplit:
    """The ratings of one split."""

    def __init__(
        self, split: str, items: Items, rows: list[tuple[str, str, int]], seed: int
    ) -> None:
        self.split, self.items, self.rows = split, items, rows
        self.counts = _count_ratings(items, rows)
        self.answers = np.array([item.answer or 0 for item in items])
        self.chance = chance_level(items)
        self.vote = majority_credit(self.counts, self.answers)
        self.kappa = fleiss_kappa(self.counts)
        self.n_shared = int((self.counts.sum(axis=1) >= 2).sum())  # rated by two or more
        defined = not np.isnan(self.kappa)
        self.interval = fleiss_interval(self.counts, seed=seed) if defined else (None, None)

    def build_estimates(self) -> list[Estimate]:
        """Return kappa, where it is defined, and the accuracy of the majority vote."""
        vote = self.vote_estimate()
        if np.isnan(self.kappa):
            return [vote]
        low, high = self.interval
        kappa = Estimate(
            f"{self.split}: Fleiss' kappa", self.kappa, low, high, len(self.items), 0.0,
            kind="ratio", split=self.split,
        )  # fmt: skip
        return [kappa, vote]

    def vote_estimate(self) -> Estimate:
        """Return the accuracy of the majority vote."""
        low, high = mean_interval(self.vote, [item.group for item in self.items])
        return Estimate(
            f"{self.split}: majority vote", float(self.vote.mean()), low, high, len(self.items),
            self.chance, split=self.split,
        )  # fmt: skip

    def overall_row(self) -> tuple[Cell, ...]:
        """Return the row of the table (see OVERALL_COLUMNS)."""
        vote = self.vote_estimate()
        alpha = krippendorff_alpha(self.counts)
        return (
            self.split, len(self.items), len({rater for _, rater, _ in self.rows}), len(self.rows),
            _nan_to_none(self.kappa), *self.interval, _nan_to_none(alpha), vote.value, vote.low,
            vote.high, self.chance, len(self.disputed_items()[NO_MAJORITY]),
        )  # fmt: skip

    def rater_rows(self) -> list[tuple[Cell, ...]]:
        """Return a row for each rater: how often they are right (see RATER_COLUMNS)."""
        answers = {item.id: item.answer for item in self.items}
        table_rows: list[tuple[Cell, ...]] = []
        for rater in sorted({rater for _, rater, _ in self.rows}):
            right = [
                choice == answers[item]
                for item, row_rater, choice in self.rows
                if row_rater == rater
            ]
            low, high = wilson_interval(sum(right), len(right))
            share = sum(right) / len(right)
            table_rows.append(
                (self.split, rater, share, float(low), float(high), self.chance, len(right))
            )
        return table_rows

    def disputed_items(self) -> dict[str, tuple[str, ...]]:
        """Return the items whose vote is against the key, and those without a majority."""
        is_top = self.counts == self.counts.max(axis=1, keepdims=True)
        is_tie = is_top.sum(axis=1) > 1
        ids = np.array([item.id for item in self.items], object)
        return {
            AGAINST_KEY: tuple(ids[(self.vote == 0) & ~is_tie]),
            NO_MAJORITY: tuple(ids[is_tie]),
        }


def _rated_items(items: Items, rows: list[tuple[str, str, int]]) -> Items:
    rated_ids = {item for item, _, _ in rows}
    return tuple(item for item in items if item.id in rated_ids)


def _count_ratings(items: Items, rows: list[tuple[str, str, int]]) -> NDArray[np.int64]:
    index_of = {item.id: index for index, item in enumerate(items)}
    counts = np.zeros((len(items), max(len(item.choices) for item in items)), np.int64)
    for item, _, choice in rows:
        counts[index_of[item], choice] += 1
    return counts


def _nan_to_none(value: float) -> float | None:
    return None if np.isnan(value) else value


def _write_summary(worst: RatedSplit, verdict: Verdict) -> str:
    if verdict == "skipped":
        return (
            "Skipped: no item was rated by two people, so agreement cannot be measured; the "
            f"ratings match the key on {worst.vote.mean():.1%} of "
            f"{plural(len(worst.items), 'item')} of {worst.split}."
        )
    too_few = (
        "" if verdict != "undecided" else f" At least {MIN_ITEMS} items are needed for a verdict."
    )
    n_against = len(worst.disputed_items()[AGAINST_KEY])
    kappa = "undefined" if np.isnan(worst.kappa) else f"{worst.kappa:.3f}"
    return (
        f"The raters' majority vote is right {worst.vote.mean():.1%} of the time in "
        f"{worst.split} ({plural(len(worst.items), 'item')}, Fleiss' kappa {kappa}); "
        f"it goes against the key on {plural(n_against, 'item')}.{too_few}"
    )
