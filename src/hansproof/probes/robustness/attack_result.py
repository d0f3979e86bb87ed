"""What an attack did to one model on one split, in numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from ...attack import AttackOutcome
from ...baselines import chance_level
from ...scoring import expected_credit
from ...stats import mean_interval
from ...types import Cell, Estimate, Items
from .._text import plural

COLUMNS = (
    "split", "model", "before", "after", "difference", "difference_low", "difference_high", "drop",
    "n", "attacked", "flipped", "queries", "words", "similarity",
)  # fmt: skip


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
        return all(outcome.reason for outcome in self._outcomes_in("flipped", "held"))

    def flipped_ids(self) -> tuple[str, ...]:
        """Items whose answer left the right one."""
        return tuple(outcome.id for outcome in self._outcomes_in("flipped"))

    def skip_reasons(self) -> Counter[str]:
        """Why items were skipped, and how many."""
        return Counter(outcome.reason for outcome in self._outcomes_in("skipped"))

    def table_row(self) -> tuple[Cell, ...]:
        """Of the table of attacks."""
        before, after = fmean(self.credits_before()), fmean(self.credits_after())
        low, high = self.drop_interval()
        tried, flipped = self._outcomes_in("flipped", "held"), self._outcomes_in("flipped")
        similarities = [outcome.similarity for outcome in flipped if outcome.similarity is not None]
        return (
            self.split, self.name, before, after, after - before, -high, -low,
            (before - after) / before if before else None, len(self.items), len(tried),
            len(flipped), fmean(outcome.queries for outcome in tried) if tried else None,
            fmean(len(outcome.swaps) for outcome in flipped) if flipped else None,
            fmean(similarities) if similarities else None,
        )  # fmt: skip

    def build_estimates(self, several: bool) -> list[Estimate]:
        """Accuracies and what is lost; with the names of model and split where there are more."""
        suffix = f", {self.name} on {self.split}" if several else ""
        low, high = self.drop_interval()
        n, chance = len(self.items), chance_level(self.items)
        lost = fmean(self.credits_before()) - fmean(self.credits_after())
        estimates = [Estimate(f"accuracy before minus after{suffix}", lost, low, high, n, 0.0)]
        for name, earned in (("before", self.credits_before()), ("after", self.credits_after())):
            interval = mean_interval(earned, self._item_groups())
            estimates.append(
                Estimate(f"accuracy {name}{suffix}", fmean(earned), *interval, n, chance)
            )
        return estimates

    def write_summary(self) -> str:
        """In words."""
        tried, flipped = self._outcomes_in("flipped", "held"), self._outcomes_in("flipped")
        if not tried:
            return f"{self.name} has no item of {self.split} right that could be attacked."
        if self.is_untested():
            return f"No substitute is near enough in what {self.name} has right on {self.split}."
        words = fmean(len(outcome.swaps) for outcome in flipped) if flipped else 0
        swap_phrase = f" with {words:.1f} words swapped on average" if flipped else ""
        return (
            f"{self.name} loses {len(flipped)} of the {plural(len(tried), 'answer')} attacked on "
            f"{self.split}{swap_phrase}: {fmean(self.credits_before()):.1%} become {fmean(self.credits_after()):.1%}."
        )

    def write_notes(self) -> list[str]:
        """What was not attacked."""
        location = f"{self.name} on {self.split}"
        notes = [
            f"{location}: {plural(n, 'item')} skipped: {reason}."
            for reason, n in self.skip_reasons().items()
        ]
        n_without_substitute = sum(outcome.reason != "" for outcome in self._outcomes_in("held"))
        if n_without_substitute:
            notes.append(
                f"{location}: {plural(n_without_substitute, 'item')} held because no substitute is near enough."
            )
        n_wrong = len(self._outcomes_in("wrong"))
        if n_wrong:
            notes.append(
                f"{location}: {plural(n_wrong, 'item')} wrong before and so after; not attacked."
            )
        return notes

    def _outcomes_in(self, *states: str) -> list[AttackOutcome]:
        return [self.outcomes[i.id] for i in self.items if self.outcomes[i.id].state in states]

    def _item_groups(self) -> list[str | None]:
        return [item.group for item in self.items]


def _credit_or_zero(scores: tuple[float, ...], answer: int) -> float:
    return expected_credit(scores, answer) if scores and all(map(math.isfinite, scores)) else 0.0
