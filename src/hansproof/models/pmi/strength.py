"""How strongly two texts are tied, from a table of counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...text import ngrams, tokenizer
from ...types import Item
from ...views import ASKS_FOR
from .function_words import FUNCTION_WORDS
from .table import Floats, Ints, Table

Measure = Callable[[Ints, Ints], Floats]  # of units by number, pair by pair


def mutual(table: Table) -> Measure:
    """Pointwise mutual information, log P(u, v) / (P(u) P(v)); nil for pairs never seen."""
    logs = np.log(table.counts / table.total)

    def measure(before: Ints, after: Ints) -> Floats:
        found = table.look_up(before, after)
        joint = np.log(np.maximum(found, 1) / max(table.total_pairs, 1))
        return np.where(found > 0, joint - logs[before] - logs[after], 0.0)

    return measure


def causal(table: Table, alpha: float, necessity: float) -> Measure:
    """Causal strength: how necessary a cause is for an effect, and how sufficient.

    P(i, j) / (P(i)^alpha P(j)) and P(i, j) / (P(i) P(j)^alpha), as a weighted geometric mean.
    """
    pairs = max(int(table.pairs.sum()), 1)
    causes, effects = (np.maximum(side, 1) / pairs for side in table.margins())

    def measure(before: Ints, after: Ints) -> Floats:
        joint = table.look_up(before, after) / pairs
        cause, effect = causes[before], effects[after]
        necessary = joint / (cause**alpha * effect)
        sufficient = joint / (cause * effect**alpha)
        return np.where(joint > 0, necessary**necessity * sufficient ** (1 - necessity), 0.0)

    return measure


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores the choices of items; a text without content words is tied to nothing."""

    table: Table
    measure: Measure
    phrases: bool  # frequent word pairs are units too
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Number the units as the table does."""
        numbers = {word: at for at, word in enumerate(self.table.words)}
        object.__setattr__(self, "numbers", numbers)

    def choices(self, item: Item) -> tuple[float, ...]:
        """The strength of the tie between the fields and each choice."""
        given = [unit for text in item.fields.values() for unit in self.units(text)]
        asked = [self.units(choice) for choice in item.choices]
        if item.meta.get(ASKS_FOR) == "cause":
            return tuple(self.tie(units, given) for units in asked)
        return tuple(self.tie(given, units) for units in asked)

    def units(self, text: str) -> list[str]:
        """The content words of a text, and the phrases that the table has."""
        words = tokenizer(self.table.tokenizer).split(text)
        units = [word for word in words if word not in FUNCTION_WORDS]
        if self.phrases:
            units += [pair for pair in ngrams(words, 2) if pair in self.numbers]
        return units

    def tie(self, before: list[str], after: list[str]) -> float:
        """The sum over all pairs of units, by how many there are."""
        if not before or not after:
            return 0.0
        first, second = self._known(before), self._known(after)
        strengths = self.measure(np.repeat(first, len(second)), np.tile(second, len(first)))
        causal = self.table.connectives
        size = len(before) + len(after) if causal else len(before) * len(after)
        return float(strengths.sum()) / size

    def _known(self, units: list[str]) -> Ints:
        return np.array([self.numbers[u] for u in units if u in self.numbers], np.int64)
