"""Which items are answered blind, how surely, and by which words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...bags import Bags
from ...stats import Floats, wilson
from ...types import Cell
from .blind import Blind
from .outcome import Outcome

ITEMS = ("part", "view", "model", "item", "answered", "low", "high", "words")
EVERY = ("split", "view", "protocol", "trained_on", "item", "answered", "low", "high")
SHOWN = 20  # items of a view that are explained
WORDS = 3  # features that an explanation names

Why = Mapping[str, str]  # item -> the words that did it


class Telling:
    """What the rankers of one view and part made of each item."""

    def __init__(
        self,
        blind: Blind,
        shown: Bags,
        answered: NDArray[np.bool_],
        scores: NDArray[np.float32],
        answers: NDArray[np.int16],
    ) -> None:
        self.blind, self.shown, self.answers = blind, shown, answers
        self.where = np.flatnonzero(answered)
        self.margins = self._margins(scores)

    def surest(self, outcome: Outcome) -> tuple[str, ...]:
        """Items that are right in every cut, the one farthest ahead first."""
        always = np.flatnonzero(outcome.credits.min(axis=0) == 1)
        order = always[np.argsort(-self.margins[self.where][always], kind="stable")]
        return tuple(outcome.items[at].id for at in order)

    def why(self, outcome: Outcome) -> Why:
        """The features that speak most for the answer, of the surest items."""
        place = {item.id: at for item, at in zip(outcome.items, self.where, strict=True)}
        return {id: self._words(int(place[id])) for id in outcome.surest[:SHOWN]}

    def _margins(self, scores: NDArray[np.float32]) -> Floats:
        """How far the answer is ahead of the best other choice, mean over cuts."""
        first = self.blind.first
        right = first[:-1] + self.answers
        others = scores.astype(np.float64)
        own = others[right].copy()
        others[right] = -np.inf
        return np.asarray((own - np.maximum.reduceat(others, first[:-1])).mean(axis=1))

    def _words(self, item: int) -> str:
        begin, end = self.blind.first[item], self.blind.first[item + 1]
        start = self.shown.start
        speaks: dict[tuple[bool, int], float] = {}
        for choice in range(begin, end):
            has = choice - begin == self.answers[item]
            features = self.shown.feature[start[choice] : start[choice + 1]]
            weights = self.blind.weights_for(item, features)
            for f, weight in zip(features.tolist(), weights, strict=True):
                # what stands in wrong choices speaks for the answer by speaking against them
                value = weight if has else -weight / (end - begin - 1)
                speaks[has, f] = speaks.get((has, f), 0.0) + float(value)
        best = sorted(speaks.items(), key=lambda one: -one[1])[:WORDS]
        named = [
            f"{'has' if has else 'another has'} “{self.shown.name(f)}”"
            for (has, f), value in best
            if value > 0
        ]
        return ", ".join(named)


def answered(
    outcomes: Sequence[Outcome], told: Mapping[tuple[str, str], Why], level: float
) -> tuple[tuple[Cell, ...], ...]:
    """Rows for the items most easily answered blind, where that is beyond chance."""
    rows = []
    for outcome in outcomes:
        if not outcome.found(level):
            continue
        place = {item.id: at for at, item in enumerate(outcome.items)}
        low, high = _ends(outcome)
        for id, words in told[outcome.part, outcome.view_name].items():
            at = place[id]
            rows.append((outcome.part, outcome.view_name, outcome.model, id,
                         float(outcome.scores[at]), float(low[at]), float(high[at]),
                         words))  # fmt: skip
    return tuple(rows)


def evidence(outcomes: Sequence[Outcome], level: float) -> dict[str, tuple[str, ...]]:
    """For every view that answers more than it should, the items it always gets right."""
    return {
        f"{o.part}: {o.model} sees {o.view_name}": o.surest
        for o in outcomes
        if o.found(level) and o.surest
    }


def every_item(outcomes: Sequence[Outcome]) -> dict[str, list[Cell]]:
    """Every item of every part and view, as columns."""
    rows: list[tuple[Cell, ...]] = []
    for o in outcomes:
        values = zip(o.items, o.scores.tolist(), *(e.tolist() for e in _ends(o)), strict=True)
        about = (o.split, o.view_name, o.protocol, o.trained_on)
        rows += [(*about, item.id, *numbers) for item, *numbers in values]
    return {column: [row[at] for row in rows] for at, column in enumerate(EVERY)}


def _ends(outcome: Outcome) -> tuple[Floats, Floats]:
    """For each item, between what its chance of being answered lies, over cuts or seeds."""
    runs = len(outcome.credits)
    return wilson(outcome.credits.sum(axis=0), np.full(len(outcome.items), runs))
