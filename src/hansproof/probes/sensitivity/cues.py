"""How sensitive two groups of models are to each cue, and by how much they differ."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ...cues.counts import count, layout
from ...models._shares import Tally
from ...text import Tokenizer
from ...types import Cell, Items
from .lines import interval
from .looked import Looked

COLUMNS = (
    "cue", "applicability", "productivity", "items", "sensitivity", "against", "difference",
    "difference_low", "difference_high", "sensitivity_all", "against_all", "difference_all",
)  # fmt: skip
Values = tuple[float | None, ...]  # one for each model; None: it has no item with the cue


@dataclass(frozen=True, slots=True)
class Cue:
    """One word: how productive it is in training, and its share in every model's scores."""

    name: str
    applicability: int
    productivity: float
    items: int
    trained: Values
    against: Values
    trained_all: Values
    against_all: Values

    @property
    def sensitivity(self) -> float:
        return mean(self.trained) or 0.0

    @property
    def difference(self) -> float | None:
        return less(mean(self.against), mean(self.trained))

    @property
    def difference_all(self) -> float | None:
        return less(mean(self.against_all), mean(self.trained_all))

    @property
    def pairs(self) -> Values:
        """The difference of every pair of models, where there are as many of both."""
        if len(self.trained) != len(self.against):
            return ()
        return tuple(map(less, self.against, self.trained))

    def row(self) -> tuple[Cell, ...]:
        known = [one for one in self.pairs if one is not None]
        low, high = interval(known) if len(known) == len(self.pairs) else (None, None)
        return (
            self.name, self.applicability, self.productivity, self.items, self.sensitivity,
            mean(self.against), self.difference, low, high, mean(self.trained_all),
            mean(self.against_all), self.difference_all,
        )  # fmt: skip


def counted(items: Items, tokens: Tokenizer, least: int) -> dict[str, tuple[int, int]]:
    """The words that single out a choice of so many items: of how many, and how often rightly."""
    (found,) = count(items, tokens, 1, layout(items))
    each = zip(found.applicability.tolist(), found.hits.tolist(), strict=True)
    return {
        found.name(at): (applies, hits) for at, (applies, hits) in enumerate(each)
        if applies >= least
    }  # fmt: skip


def compared(
    cues: dict[str, tuple[int, int]], first: Sequence[Looked], second: Sequence[Looked]
) -> list[Cue]:
    """The cues that occur in what is looked at."""
    return by_tallies(cues, [one.tally for one in first], [one.tally for one in second])


def by_tallies(
    cues: dict[str, tuple[int, int]], first: Sequence[Tally], second: Sequence[Tally]
) -> list[Cue]:
    """The same from what the models' shares come to."""
    found = []
    for name, (applies, hits) in cues.items():
        values = [tuple(one.readable(name) for one in some) for some in (first, second)]
        if not all(mean(own) is not None for own in values if own):
            continue
        everywhere = [tuple(one.published(name) for one in some) for some in (first, second)]
        items = round(statistics.fmean(one.counts.get(name, 0) for one in first))
        found.append(Cue(name, applies, hits / applies, items, *values, *everywhere))
    return found


def ordered(cues: Sequence[Cue]) -> list[Cue]:
    """The largest fall first; where nothing is compared, the largest share."""
    return sorted(
        cues,
        key=lambda cue: (-cue.sensitivity if cue.difference is None else cue.difference, cue.name),
    )


def mean(values: Values) -> float | None:
    """Over the models that have it."""
    known = [one for one in values if one is not None]
    return statistics.fmean(known) if known else None


def less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other
