"""The sensitivity of two groups of models to each cue, and the difference."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ...cues.counts import build_layout, count_cues
from ...text.tokenizers import Tokenizer
from ...types import Cell, Items
from .attribution import ModelAttributions
from .cue_attributions import AttributionTotals
from .regression import t_interval

COLUMNS = (
    "cue", "applicability", "productivity", "items", "sensitivity", "against", "difference",
    "difference_low", "difference_high", "sensitivity_all", "against_all", "difference_all",
)  # fmt: skip
ModelShares = tuple[float | None, ...]  # one for each model; None: it has no item with the cue


@dataclass(frozen=True, slots=True)
class CueSensitivity:
    """A cue: its productivity in training, and its share in the scores of every model."""

    name: str
    applicability: int
    productivity: float
    items: int
    trained: ModelShares
    against: ModelShares
    trained_all: ModelShares
    against_all: ModelShares

    @property
    def sensitivity(self) -> float:
        return mean_known(self.trained) or 0.0

    @property
    def difference(self) -> float | None:
        return subtract_optional(mean_known(self.against), mean_known(self.trained))

    @property
    def difference_all(self) -> float | None:
        return subtract_optional(mean_known(self.against_all), mean_known(self.trained_all))

    @property
    def paired_differences(self) -> ModelShares:
        """The difference of every pair of models; empty if the groups differ in size."""
        if len(self.trained) != len(self.against):
            return ()
        return tuple(map(subtract_optional, self.against, self.trained))

    def table_row(self) -> tuple[Cell, ...]:
        known_pairs = [
            difference for difference in self.paired_differences if difference is not None
        ]
        low, high = (
            t_interval(known_pairs)
            if len(known_pairs) == len(self.paired_differences)
            else (None, None)
        )
        return (
            self.name, self.applicability, self.productivity, self.items, self.sensitivity,
            mean_known(self.against), self.difference, low, high, mean_known(self.trained_all),
            mean_known(self.against_all), self.difference_all,
        )  # fmt: skip


def count_word_cues(items: Items, tokens: Tokenizer, least: int) -> dict[str, tuple[int, int]]:
    """Count applicability and hits of words that apply to at least `least` items."""
    (counts,) = count_cues(items, tokens, 1, build_layout(items))
    pairs = zip(counts.applicability.tolist(), counts.hits.tolist(), strict=True)
    return {
        counts.cue_text(index): (applies, hits) for index, (applies, hits) in enumerate(pairs)
        if applies >= least
    }  # fmt: skip


def compare_cues(
    cues: dict[str, tuple[int, int]],
    first: Sequence[ModelAttributions],
    second: Sequence[ModelAttributions],
) -> list[CueSensitivity]:
    """Return the cues that occur in the evaluated items, for both groups of models."""
    return cues_from_tallies(
        cues,
        [attributions.tally for attributions in first],
        [attributions.tally for attributions in second],
    )


def cues_from_tallies(
    cues: dict[str, tuple[int, int]],
    first: Sequence[AttributionTotals],
    second: Sequence[AttributionTotals],
) -> list[CueSensitivity]:
    """Return the cues from the models' totals, as `compare_cues` does."""
    cue_rows = []
    for name, (applies, hits) in cues.items():
        values = [
            tuple(tally.mean_if_present(name) for tally in tallies) for tallies in (first, second)
        ]
        if not all(mean_known(group_values) is not None for group_values in values if group_values):
            continue
        everywhere = [
            tuple(tally.mean_over_all(name) for tally in tallies) for tallies in (first, second)
        ]
        items = round(statistics.fmean(tally.counts.get(name, 0) for tally in first))
        cue_rows.append(CueSensitivity(name, applies, hits / applies, items, *values, *everywhere))
    return cue_rows


def sort_cues(cues: Sequence[CueSensitivity]) -> list[CueSensitivity]:
    """Sort by the largest fall; without a second group, by the largest share."""
    return sorted(
        cues,
        key=lambda cue: (-cue.sensitivity if cue.difference is None else cue.difference, cue.name),
    )


def mean_known(values: ModelShares) -> float | None:
    """Return the mean over the models that have a value; None if none has."""
    known_values = [value for value in values if value is not None]
    return statistics.fmean(known_values) if known_values else None


def subtract_optional(minuend: float | None, subtrahend: float | None) -> float | None:
    return None if minuend is None or subtrahend is None else minuend - subtrahend
