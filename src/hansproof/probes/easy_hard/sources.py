"""Sources of Easy: a published list, blind models, rules over cues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...cues.decision_list import REPEATS, blind_credit
from ...edits.easy_hard import solved_by_all
from ...inputs.systems import System
from ...scoring import chance_level
from ...stats import Floats, mean_interval, wilson_interval
from ...types import Cell, Items

PUBLISHED_IDS, SAME_MODEL, OTHER_MODEL, CROSS_VALIDATED_RULES = (
    "published ids",
    "same model",
    "other model",
    "cross-validated rules",
)
AT_CHANCE = "at chance"  # blind models that know nothing choose an Easy that means nothing
CUE_RULES = "cue rules"
SURE = 0.99  # confidence that a source knows something: errors of a lucky one would look like cues
MIN_ITEMS = 10  # items a part must have for a gap to mean anything
COLUMNS = (
    "split", "easy_from", "runs", "accuracy", "low", "high", "chance", "n_easy", "n_hard", "flag",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EasySource:
    """A source that says which items of a split are Easy, and its own accuracy."""

    name: str
    model: str | None
    easy: tuple[str, ...]
    ids: frozenset[str]  # the items that are Easy or Hard; of others it says nothing
    kind: str = ""  # published ids, cue rules; "" where it depends on the system tested
    runs: int | None = None
    accuracy: float | None = None
    low: float | None = None
    high: float | None = None
    sure_low: float | None = None  # the lower end of a wider interval
    chance: float = 0.5

    @property
    def n(self) -> int:
        """The number of items that are Easy or Hard."""
        return len(self.ids)

    @property
    def is_rules(self) -> bool:
        """Whether Easy is what rules over cues get right."""
        return self.kind == CROSS_VALIDATED_RULES

    @property
    def smaller_part(self) -> int:
        """The number of items in the smaller of Easy and Hard."""
        return min(len(self.easy), self.n - len(self.easy))

    @property
    def has_both_parts(self) -> bool:
        """Whether Easy and Hard both have enough items."""
        return self.smaller_part >= MIN_ITEMS

    @property
    def is_at_chance(self) -> bool:
        """Whether the source may answer no more items than guessing would."""
        return self.sure_low is not None and self.sure_low <= self.chance

    def relation_to(self, model: str) -> str:
        """Return how this source is related to a tested model."""
        if self.is_at_chance:
            return AT_CHANCE
        return self.kind or (SAME_MODEL if self.model == model else OTHER_MODEL)

    def table_row(self, split: str) -> tuple[Cell, ...]:
        """Return the row of the table (see COLUMNS)."""
        flag = AT_CHANCE if self.is_at_chance else ""
        return (
            split, self.name, self.runs, self.accuracy, self.low, self.high, self.chance,
            len(self.easy), self.n - len(self.easy), flag,
        )  # fmt: skip


def published_source(items: Items, easy: frozenset[str]) -> EasySource:
    """Return a source from a published list of ids."""
    return EasySource(
        PUBLISHED_IDS,
        None,
        _ids_in_order(items, easy),
        frozenset(item.id for item in items),
        PUBLISHED_IDS,
        chance=chance_level(items),
    )


def blind_sources(systems: Sequence[System], view: str) -> Iterator[EasySource]:
    """Yield a source for every system that saw no more than `view`."""
    for system in systems:
        run = system.runs[0]
        if run.view == view:
            easy = solved_by_all(system.items, system.runs)
            runs = len(system.runs)
            yield _build_source(system.name, run.model, system.items, easy, system.scores, "", runs)


def rule_source(items: Items, ngram: int, folds: int, seed: int) -> EasySource:
    """Return a source from cross-validated rules over cues, which needs no model."""
    item_credits = blind_credit(items, ngram, folds, seed)
    easy = frozenset(
        i.id for i, item_credit in zip(items, item_credits, strict=True) if item_credit == 1
    )
    return _build_source(
        CUE_RULES, CUE_RULES, items, easy, item_credits, CROSS_VALIDATED_RULES, REPEATS
    )


def _build_source(
    name: str,
    model: str,
    items: Items,
    easy: frozenset[str],
    item_credits: Floats,
    kind: str,
    runs: int,
) -> EasySource:
    mean, n = float(item_credits.mean()), len(items)
    groups = [item.group for item in items]

    def widest_interval(confidence: float) -> tuple[float, float]:
        # Rules that are silent on most items, or hang together through their folds, look too sure:
        # no narrower than n right or wrong answers
        low, high = mean_interval(item_credits, groups, confidence)
        wilson_low, wilson_high = wilson_interval(mean * n, n, confidence)
        return min(low, float(wilson_low)), max(high, float(wilson_high))

    ids = frozenset(item.id for item in items)
    return EasySource(
        name, model, _ids_in_order(items, easy), ids, kind, runs, mean, *widest_interval(0.95),
        widest_interval(SURE)[0], chance_level(items),
    )  # fmt: skip


def _ids_in_order(items: Items, easy: frozenset[str]) -> tuple[str, ...]:
    return tuple(item.id for item in items if item.id in easy)


def shares_both_parts(system: System, source: EasySource) -> bool:
    """Whether a system was asked enough items of both Easy and Hard."""
    shared_ids = {item.id for item in system.items} & source.ids
    n_easy = len(shared_ids.intersection(source.easy))
    return min(n_easy, len(shared_ids) - n_easy) >= MIN_ITEMS


def easy_mask(items: Items, source: EasySource) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which items are Easy."""
    easy = frozenset(source.easy)
    return np.array([item.id in easy for item in items])
