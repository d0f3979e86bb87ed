"""Ways to say which items are Easy: a published list, blind models, rules over cues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...cues.blind import REPEATS, blind_credit
from ...edits.easy_hard import right_in_all
from ...stats import Floats, mean_interval, wilson
from ...types import Cell, Items
from .._baselines import chance
from .._systems import System

PUBLISHED, SAME, OTHER, CROSS = "published ids", "same model", "other model", "cross-validated"
AT_CHANCE = "at chance"  # blind models that know nothing choose an Easy that means nothing
RULES = "cue rules"
COLUMNS = (
    "split", "easy_from", "runs", "accuracy", "low", "high", "chance", "n_easy", "n_hard", "flag",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A way to say which items of a split are Easy, and how good whoever says so is."""

    name: str
    model: str | None
    easy: tuple[str, ...]
    n: int
    kind: str = ""  # published ids, cross-validated; "" where it depends on the system tested
    runs: int | None = None
    accuracy: float | None = None
    low: float | None = None
    high: float | None = None
    chance: float = 0.5

    def relation(self, model: str) -> str:
        """What whoever chose Easy is to a model that is tested."""
        if self.low is not None and self.low <= self.chance:
            return AT_CHANCE
        return self.kind or (SAME if self.model == model else OTHER)

    def row(self, split: str) -> tuple[Cell, ...]:
        """The row of the table."""
        weak = AT_CHANCE if self.relation("") == AT_CHANCE else ""
        return (
            split, self.name, self.runs, self.accuracy, self.low, self.high, self.chance,
            len(self.easy), self.n - len(self.easy), weak,
        )  # fmt: skip


def listed(items: Items, easy: frozenset[str]) -> Source:
    """A list of ids, from whomever."""
    return Source(
        PUBLISHED, None, _in_order(items, easy), len(items), PUBLISHED, chance=chance(items)
    )


def blind(some: Sequence[System], view: str) -> Iterator[Source]:
    """Every system that saw no more than that view."""
    for system in some:
        run = system.runs[0]
        if run.view == view:
            kind = CROSS if run.protocol == "cv" else ""
            easy = right_in_all(system.items, system.runs)
            runs = len(system.runs)
            yield _scored(system.name, run.model, system.items, easy, system.scores, kind, runs)


def rules(items: Items, ngram: int, folds: int, seed: int) -> Source:
    """Rules over cues, learnt on the other folds: a blind model that is always at hand."""
    earned = blind_credit(items, ngram, folds, seed)
    easy = frozenset(i.id for i, much in zip(items, earned, strict=True) if much == 1)
    return _scored(RULES, RULES, items, easy, earned, CROSS, REPEATS)


def _scored(
    name: str, model: str, items: Items, easy: frozenset[str], earned: Floats, kind: str, runs: int
) -> Source:
    mean, n = float(earned.mean()), len(items)
    low, high = mean_interval(earned, [item.group for item in items])
    # Rules that are silent on most items, or hang together through their folds, look too sure:
    # no narrower than n right or wrong answers
    least, most = (float(end) for end in wilson(mean * n, n))
    return Source(
        name, model, _in_order(items, easy), n, kind, runs, mean, min(low, least), max(high, most),
        chance(items),
    )  # fmt: skip


def _in_order(items: Items, easy: frozenset[str]) -> tuple[str, ...]:
    return tuple(item.id for item in items if item.id in easy)


def marked(items: Items, source: Source) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which items are Easy."""
    easy = frozenset(source.easy)
    return np.array([item.id in easy for item in items])
