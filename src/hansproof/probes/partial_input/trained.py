"""A bag of words, trained on every part of every view, and on permuted answers for comparison.

The p of an accuracy: the whole cross-validation is done again with answers turned by units, each
time with one cut into folds; the accuracy itself is a mean over cuts, which varies less, so the p
errs on the safe side. The q is corrected for all views and parts at once (Westfall and Young 1993):
how often the most extreme of them, each measured by its own null, is as extreme as this one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...bags import LONG, Bags
from ...models.bow import Bow
from ...null import turned_answers
from ...ranking import earned
from ...stats import Floats
from ...text import tokenizer
from ...training.units import units
from ...types import Items, View
from ...views import fields_of, is_blind, name_of, named, see, usual
from .blind import Answers, Blind
from .fixed import bound
from .outcome import Outcome
from .parts import Part
from .solved import Telling, Why


def views_of(names: str | None, fields: Sequence[str]) -> list[View]:
    """The views of these names; without names the usual ones, and two that must tell nothing."""
    if names is not None:
        return [named(name, fields) for name in names.split(",")]
    found = usual(fields)
    return [*found, replace(found[-1], donor=True), View(tuple(fields))] if fields else found


class Trained:
    """The items of a benchmark, and the bag of words that is to answer them."""

    def __init__(
        self, bow: Bow, items: Items, folds: int, cuts: int, seed: int, level: float
    ) -> None:
        self.bow, self.items, self.folds, self.cuts, self.seed = bow, items, folds, cuts, seed
        self.for_full = math.ceil(1 / level) - 1  # permutations that can say so much, for `full`
        self.units = units(items)
        self.answers: Answers = np.array([[item.answer] for item in items], np.int16)
        self.tokenizer = tokenizer(bow.tokenizer).name
        self.paired = LONG  # words of a field that are paired with words of the choices

    def outcomes(
        self, where: list[Part], views: list[View], randomisations: int, model: str
    ) -> tuple[list[Outcome], dict[tuple[str, str], Why]]:
        """Every view of every part; and what told the answers of those, by part and view."""
        turned = self._turned(randomisations)
        found: list[Outcome] = []
        nulls, told = [], {}
        fullest = max(views, key=lambda view: len(view.keep))  # what it has room for, all pair
        most = self.bow.bags(see(fullest, self.items, self.seed))
        self.paired = most.paired
        for view in views:
            shown = most
            if view != fullest:
                shown = self.bow.bags(see(view, self.items, self.seed), self.paired)
            tied = units(self.items, see(replace(view, contrast=True, donor=False), self.items))
            for part in where:
                outcome, null, why = self._one(view, part, shown, tied, turned, model)
                if view.donor:  # trained on as many features as the full input: varies as much
                    spread = [o.spread for o in found if o.part == outcome.part and not o.is_blind]
                    outcome = replace(outcome, spread=max(spread, default=0.0))
                found.append(outcome)
                nulls.append(null)
                told[outcome.part, outcome.view_name] = why
        return _corrected(found, nulls), told

    def _turned(self, randomisations: int) -> Answers:
        if not randomisations:
            return np.zeros((len(self.items), 0), np.int16)
        drawn = turned_answers(self.items, self.units, randomisations, self.seed)
        return np.stack([*drawn], axis=1).astype(np.int16)

    def _one(
        self, view: View, part: Part, shown: Bags, tied: list[str], turned: Answers, model: str
    ) -> tuple[Outcome, Floats, Why]:
        items = tuple(self.items[at] for at in part.where)
        first = np.cumsum([0, *(len(item.choices) for item in items)])
        taken = shown.take(part.where if view.contrast else _choices(self.items, part.where))
        if part.protocol == "train-test" and view.contrast:  # features of what is learnt from
            taken = taken.common(~part.answered, self.bow.least)
        cuts = part.jobs(tied, self.folds, self.cuts, self.seed)
        blind = Blind(taken, first, cuts, self.bow.penalty)
        answers = self.answers[part.where]
        scores = np.stack(blind.scores(answers), axis=1)
        credits = earned(first, scores, np.repeat(answers, scores.shape[1], axis=1))
        kept = tuple(item for item, yes in zip(items, part.answered, strict=True) if yes)
        own = [tied[at] for at, yes in zip(part.where, part.answered, strict=True) if yes]
        limit = bound(view, kept, own if part.protocol == "cv" else None)
        fields = fields_of(self.items)
        name = name_of(view, fields)
        blinded = is_blind(view, fields)
        outcome = Outcome(
            part.split, view, name, model, part.protocol, part.trained_on, kept, own,
            credits[part.answered].T, _tie_rate(first, scores, part.answered), limit, blinded,
        )  # fmt: skip
        judged = blinded and not view.donor
        columns = turned[part.where, : turned.shape[1] if judged else self.for_full]
        null = np.zeros(0)
        if columns.size and not limit.even and not view.donor:
            drawn = blind.accuracies(columns, f"{outcome.part}, {name}")
            null = np.concatenate(([outcome.accuracy], drawn))
            p = float((null >= null[0] - 1e-9).mean())
            outcome = replace(outcome, p=p, spread=float(drawn.std()))
        told = Telling(blind, taken, part.answered, scores, self.answers[part.where, 0])
        outcome = replace(outcome, surest=told.surest(outcome))
        return outcome, null if judged else np.zeros(0), told.why(outcome)


def _choices(items: Items, where: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places of these items' choices among all choices."""
    ends = np.cumsum([len(item.choices) for item in items])
    spans = (np.arange(ends[at] - len(items[at].choices), ends[at]) for at in where)
    return np.concatenate([*spans])


def _tie_rate(
    first: NDArray[np.int64], scores: NDArray[np.float32], answered: NDArray[np.bool_]
) -> float:
    """How often more than one choice is ahead."""
    best = np.maximum.reduceat(scores, first[:-1])
    ahead = np.add.reduceat(scores == np.repeat(best, np.diff(first), axis=0), first[:-1])
    return float((ahead[answered] > 1).mean())


def _corrected(outcomes: list[Outcome], nulls: list[Floats]) -> list[Outcome]:
    """The same with q: the real accuracies stand in column 0 of the nulls."""
    judged = [at for at, null in enumerate(nulls) if null.size and null.std() > 0]
    if not judged:
        return outcomes
    table = np.stack([nulls[at] for at in judged])
    table = (table - table.mean(axis=1, keepdims=True)) / table.std(axis=1, keepdims=True)
    most = table.max(axis=0)
    q = {at: float((most >= row[0] - 1e-9).mean()) for at, row in zip(judged, table, strict=True)}
    return [replace(outcome, q=q.get(at)) for at, outcome in enumerate(outcomes)]
