"""What an attack did to one model on one split, in numbers."""

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
    """Outcomes by item id."""

    split: str
    name: str
    items: Items
    outcomes: Mapping[str, AttackOutcome]

    def credits_before(self) -> list[float]:
        """What each item earns before; one that could not be scored earns nothing."""
        return [_credit_or_zero(self.outcomes[i.id].before, i.answer or 0) for i in self.items]

    def credits_after(self) -> list[float]:
        """What each item earns after."""
        return [_credit_or_zero(self.outcomes[i.id].after, i.answer or 0) for i in self.items]

    def drop_interval(self) -> tuple[float, float]:
        """Of the difference, with its sign turned."""
        lost = [a - b for a, b in zip(self.credits_before(), self.credits_after(), strict=True)]
        return mean_interval(lost, self._item_groups())

    def is_untested(self) -> bool:
        """Whether nothing was tried: no answer to be lost, or no word to be swapped."""
        return all(outcome.reason for outcome in self.tried)

    def flipped_ids(self) -> tuple[str, ...]:
        """Items whose answer left the right one."""
        return tuple(outcome.id for outcome in self.flipped)

    def skip_reasons(self) -> Counter[str]:
        """Why items were skipped, and how many."""
        return Counter(outcome.reason for outcome in self.outcomes_in("skipped"))

    def table_row(self) -> tuple[Cell, ...]:
        """Of the table of attacks."""
        before, after = fmean(self.credits_before()), fmean(self.credits_after())
        low, high = self.drop_interval()
        tried, flipped = self.tried, self.flipped
        similarities = [outcome.similarity for outcome in flipped if outcome.similarity is not None]
        return (
            self.split, self.name, before, after, after - before, -high, -low,
            (before - after) / before if before else None, len(self.items), len(tried),
            len(flipped), fmean(outcome.queries for outcome in tried) if tried else None,
            fmean(len(outcome.swaps) for outcome in flipped) if flipped else None,
            fmean(similarities) if similarities else None,
        )  # fmt: skip

    def build_estimates(self, named: bool) -> list[Estimate]:
        """Return the loss and both accuracies; `named` adds the names of model and split."""
        lost = fmean(self.credits_before()) - fmean(self.credits_after())
        name = f"accuracy before minus after{self._suffix(named)}"
        drop = Estimate(
            name, lost, *self.drop_interval(), len(self.items), 0.0,
            kind="difference", split=self.split,
        )  # fmt: skip
        return [drop, self.build_estimate(BEFORE, named), self.build_estimate(AFTER, named)]

    def build_estimate(self, metric: str, named: bool) -> Estimate:
        """Return the accuracy BEFORE or AFTER the attack."""
        earned = self.credits_before() if metric == BEFORE else self.credits_after()
        return Estimate(
            f"accuracy {metric}{self._suffix(named)}", fmean(earned),
            *mean_interval(earned, self._item_groups()), len(self.items),
            chance_level(self.items), split=self.split, metric=metric,
        )  # fmt: skip

    def _suffix(self, named: bool) -> str:
        return f", {self.name} on {self.split}" if named else ""

    @property
    def tried(self) -> list[AttackOutcome]:
        """The outcomes of the items that were attacked."""
        return self.outcomes_in("flipped", "held")

    @property
    def flipped(self) -> list[AttackOutcome]:
        """The outcomes of the items whose answer is no longer right."""
        return self.outcomes_in("flipped")

    def outcomes_in(self, *states: str) -> list[AttackOutcome]:
        """Return the outcomes with one of these states, in the order of the items."""
        return [self.outcomes[i.id] for i in self.items if self.outcomes[i.id].state in states]

    def _item_groups(self) -> list[str | None]:
        return [item.group for item in self.items]


def _credit_or_zero(scores: tuple[float, ...], answer: int) -> float:
    return expected_credit(scores, answer) if scores and all(map(math.isfinite, scores)) else 0.0
