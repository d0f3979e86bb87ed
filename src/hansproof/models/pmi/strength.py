"""The strength of association between two texts, from a table of counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...text.function_words import FUNCTION_WORDS
from ...text.ngrams import extract_ngrams
from ...text.tokenizers import get_tokenizer
from ...types import Item
from ...views import ASKS_FOR
from .table import CountTable, Floats, Ints

Measure = Callable[[Ints, Ints], Floats]  # of pairs of units, by number


def mutual_information(table: CountTable) -> Measure:
    """Return pointwise mutual information, log P(u, v) / (P(u) P(v)); 0 for unseen pairs."""
    logs = np.log(table.counts / table.total)

    def measure_pairs(before: Ints, after: Ints) -> Floats:
        pair_counts = table.count_pairs(before, after)
        joint = np.log(np.maximum(pair_counts, 1) / max(table.total_pairs, 1))
        return np.where(pair_counts > 0, joint - logs[before] - logs[after], 0.0)

    return measure_pairs


def causal_strength(table: CountTable, alpha: float, necessity: float) -> Measure:
    """Return causal strength: how necessary a cause is for an effect, and how sufficient.

    P(i, j) / (P(i)^alpha P(j)) and P(i, j) / (P(i) P(j)^alpha), as a weighted geometric mean.
    """
    n_pairs = max(int(table.pairs.sum()), 1)
    causes, effects = (np.maximum(side, 1) / n_pairs for side in table.pair_margins())

    def measure_pairs(before: Ints, after: Ints) -> Floats:
        joint = table.count_pairs(before, after) / n_pairs
        cause, effect = causes[before], effects[after]
        necessary = joint / (cause**alpha * effect)
        sufficient = joint / (cause * effect**alpha)
        return np.where(joint > 0, necessary**necessity * sufficient ** (1 - necessity), 0.0)

    return measure_pairs


@dataclass(frozen=True, slots=True)
class PmiScorer:
    """Scores the choices of items; a text without content words has no association."""

    table: CountTable
    measure: Measure
    phrases: bool  # frequent word pairs are units too
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        """Number the units as the table does."""
        numbers = {word: index for index, word in enumerate(self.table.words)}
        object.__setattr__(self, "numbers", numbers)

    def score_choices(self, item: Item) -> tuple[float, ...]:
        """Return the association between the fields and each choice."""
        field_units = [unit for text in item.fields.values() for unit in self.find_units(text)]
        choice_units = [self.find_units(choice) for choice in item.choices]
        if item.meta.get(ASKS_FOR) == "cause":
            return tuple(self.association(units, field_units) for units in choice_units)
        return tuple(self.association(field_units, units) for units in choice_units)

    def find_units(self, text: str) -> list[str]:
        """Return the content words of a text, and its phrases that are in the table."""
        words = get_tokenizer(self.table.tokenizer).split(text)
        units = [word for word in words if word not in FUNCTION_WORDS]
        if self.phrases:
            units += [pair for pair in extract_ngrams(words, 2) if pair in self.numbers]
        return units

    def association(self, before: list[str], after: list[str]) -> float:
        """Return the sum over all pairs of units, divided by the number of units or pairs."""
        if not before or not after:
            return 0.0
        first, second = self._unit_numbers(before), self._unit_numbers(after)
        strengths = self.measure(np.repeat(first, len(second)), np.tile(second, len(first)))
        is_causal = self.table.connectives
        size = len(before) + len(after) if is_causal else len(before) * len(after)
        return float(strengths.sum()) / size

    def _unit_numbers(self, units: list[str]) -> Ints:
        return np.array([self.numbers[u] for u in units if u in self.numbers], np.int64)
