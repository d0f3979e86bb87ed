"""What an attack did to one model on one split, in numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from ...attack import Outcome
from ...credit import credit
from ...stats import mean_interval
from ...types import Cell, Estimate, Items
from .._baselines import chance
from .._words import many

COLUMNS = (
    "split", "model", "before", "after", "difference", "difference_low", "difference_high", "drop",
    "n", "attacked", "flipped", "queries", "words", "similarity",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Attacked:
    """Outcomes by item id."""

    split: str
    name: str
    items: Items
    outcomes: Mapping[str, Outcome]

    def before(self) -> list[float]:
        """What each item earns before; one that could not be scored earns nothing."""
        return [_earned(self.outcomes[i.id].before, i.answer or 0) for i in self.items]

    def after(self) -> list[float]:
        """What each item earns after."""
        return [_earned(self.outcomes[i.id].after, i.answer or 0) for i in self.items]

    def drop_interval(self) -> tuple[float, float]:
        """Of the difference, with its sign turned."""
        lost = [a - b for a, b in zip(self.before(), self.after(), strict=True)]
        return mean_interval(lost, self._groups())

    def untested(self) -> bool:
        """Whether nothing was tried: no answer to be lost, or no word to be swapped."""
        return all(one.reason for one in self._of("flipped", "held"))

    def flipped_ids(self) -> tuple[str, ...]:
        """Items whose answer left the right one."""
        return tuple(one.id for one in self._of("flipped"))

    def reasons(self) -> Counter[str]:
        """Why items were skipped, and how many."""
        return Counter(one.reason for one in self._of("skipped"))

    def row(self) -> tuple[Cell, ...]:
        """Of the table of attacks."""
        before, after = fmean(self.before()), fmean(self.after())
        low, high = self.drop_interval()
        tried, flipped = self._of("flipped", "held"), self._of("flipped")
        alike = [one.similarity for one in flipped if one.similarity is not None]
        return (
            self.split, self.name, before, after, after - before, -high, -low,
            (before - after) / before if before else None, len(self.items), len(tried),
            len(flipped), fmean(one.queries for one in tried) if tried else None,
            fmean(len(one.swaps) for one in flipped) if flipped else None,
            fmean(alike) if alike else None,
        )  # fmt: skip

    def estimates(self, several: bool) -> list[Estimate]:
        """Accuracies and what is lost; with the names of model and split where there are more."""
        of = f", {self.name} on {self.split}" if several else ""
        low, high = self.drop_interval()
        n, guessed = len(self.items), chance(self.items)
        lost = fmean(self.before()) - fmean(self.after())
        found = [Estimate(f"accuracy before minus after{of}", lost, low, high, n, 0.0)]
        for name, earned in (("before", self.before()), ("after", self.after())):
            ends = mean_interval(earned, self._groups())
            found.append(Estimate(f"accuracy {name}{of}", fmean(earned), *ends, n, guessed))
        return found

    def sentence(self) -> str:
        """In words."""
        tried, flipped = self._of("flipped", "held"), self._of("flipped")
        if not tried:
            return f"{self.name} has no item of {self.split} right that could be attacked."
        if self.untested():
            return f"No substitute is near enough in what {self.name} has right on {self.split}."
        words = fmean(len(one.swaps) for one in flipped) if flipped else 0
        swapped = f" with {words:.1f} words swapped on average" if flipped else ""
        return (
            f"{self.name} loses {len(flipped)} of the {many(len(tried), 'answer')} attacked on "
            f"{self.split}{swapped}: {fmean(self.before()):.1%} become {fmean(self.after()):.1%}."
        )

    def notes(self) -> list[str]:
        """What was not attacked."""
        where = f"{self.name} on {self.split}"
        said = [f"{where}: {many(n, 'item')} skipped: {why}." for why, n in self.reasons().items()]
        bare = sum(one.reason != "" for one in self._of("held"))
        if bare:
            said.append(f"{where}: {many(bare, 'item')} held because no substitute is near enough.")
        wrong = len(self._of("wrong"))
        if wrong:
            said.append(f"{where}: {many(wrong, 'item')} wrong before and so after; not attacked.")
        return said

    def _of(self, *states: str) -> list[Outcome]:
        return [self.outcomes[i.id] for i in self.items if self.outcomes[i.id].state in states]

    def _groups(self) -> list[str | None]:
        return [item.group for item in self.items]


def _earned(scores: tuple[float, ...], answer: int) -> float:
    return credit(scores, answer) if scores and all(map(math.isfinite, scores)) else 0.0
