"""The outcomes of an attack on one model and one split, with their statistics."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from ...attack import AttackOutcome
from ...scoring import chance_level, expected_credit
from ...stats import mean_interval
from ...types import Cell, Estimate, Items

COLUMNS = (
    "split", "model", "before", "after", "difference", "difference_low", "difference_high", "drop",
    "n", "attacked", "flipped", "queries", "words", "similarity",
)  # fmt: skip
BEFORE, AFTER = "before", "after"  # metrics of the accuracies


@dataclass(frozen=True, slots=True)
class AttackResult:
    """The outcomes of an attack on one model and one split, by item id."""

    split: str
    name: str
    items: Items
    outcomes: Mapping[str, AttackOutcome]

    def credits_before(self) -> list[float]:
        """Return the credit of each item before the attack; 0 if it could not be scored."""
        return [_credit_or_zero(self.outcomes[i.id].before, i.answer or 0) for i in self.items]

    def credits_after(self) -> list[float]:
        """Return the credit of each item after the attack."""
        return [_credit_or_zero(self.outcomes[i.id].after, i.answer or 0) for i in self.items]

    def drop_interval(self) -> tuple[float, float]:
        """Return the interval of the accuracy lost, before minus after."""
        lost = [a - b for a, b in zip(self.credits_before(), self.credits_after(), strict=True)]
        return mean_interval(lost, self._item_groups())

    def is_untested(self) -> bool:
        """Whether no swap was tried: no right answer to lose, or no substitute for any word."""
        return all(outcome.reason for outcome in self.attacked_outcomes)

    def flipped_ids(self) -> tuple[str, ...]:
        """Return the items whose answer is no longer right."""
        return tuple(outcome.id for outcome in self.flipped_outcomes)

    def skip_reasons(self) -> Counter[str]:
        """Count the skipped items by reason."""
        return Counter(outcome.reason for outcome in self.outcomes_in("skipped"))

    def table_row(self) -> tuple[Cell, ...]:
        """Return the row of the table of attacks (see COLUMNS)."""
        before, after = fmean(self.credits_before()), fmean(self.credits_after())
        low, high = self.drop_interval()
        tried, flipped = self.attacked_outcomes, self.flipped_outcomes
        similarities = [outcome.similarity for outcome in flipped if outcome.similarity is not None]
        return (
            self.split, self.name, before, after, after - before, -high, -low,
            (before - after) / before if before else None, len(self.items), len(tried),
            len(flipped), fmean(outcome.queries for outcome in tried) if tried else None,
            fmean(len(outcome.swaps) for outcome in flipped) if flipped else None,
            fmean(similarities) if similarities else None,
        )  # fmt: skip

    def build_estimates(self, with_names: bool) -> list[Estimate]:
        """Return the loss and both accuracies; `with_names` adds the names of model and split."""
        lost = fmean(self.credits_before()) - fmean(self.credits_after())
        name = f"accuracy before minus after{self._suffix(with_names)}"
        drop = Estimate(
            name, lost, *self.drop_interval(), len(self.items), 0.0,
            kind="difference", split=self.split,
        )  # fmt: skip
        return [
            drop,
            self.build_estimate(BEFORE, with_names),
            self.build_estimate(AFTER, with_names),
        ]

    def build_estimate(self, metric: str, with_names: bool) -> Estimate:
        """Return the accuracy BEFORE or AFTER the attack."""
        earned = self.credits_before() if metric == BEFORE else self.credits_after()
        return Estimate(
            f"accuracy {metric}{self._suffix(with_names)}", fmean(earned),
            *mean_interval(earned, self._item_groups()), len(self.items),
            chance_level(self.items), split=self.split, metric=metric,
        )  # fmt: skip

    def _suffix(self, with_names: bool) -> str:
        return f", {self.name} on {self.split}" if with_names else ""

    @property
    def attacked_outcomes(self) -> list[AttackOutcome]:
        """The outcomes of the items that were attacked."""
        return self.outcomes_in("flipped", "held")

    @property
    def flipped_outcomes(self) -> list[AttackOutcome]:
        """The outcomes of the items whose answer is no longer right."""
        return self.outcomes_in("flipped")

    def outcomes_in(self, *states: str) -> list[AttackOutcome]:
        """Return the outcomes with one of these states, in the order of the items."""
        return [self.outcomes[i.id] for i in self.items if self.outcomes[i.id].state in states]

    def _item_groups(self) -> list[str | None]:
        return [item.group for item in self.items]


def _credit_or_zero(scores: tuple[float, ...], answer: int) -> float:
    return expected_credit(scores, answer) if scores and all(map(math.isfinite, scores)) else 0.0
