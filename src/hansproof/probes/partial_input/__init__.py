"""What can be answered without the question?

A model is trained and tested with parts of the input left out (Niven and Kao 2019; Kavumba et al.
2019; Branco et al. 2021): here a bag of words, cross-validated, and any other by its predictions.
That items can be answered blind does not show that a given model answers them so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import ClassVar

from ...bags import LONG
from ...checks import check
from ...models.bow import Bow
from ...types import Benchmark, Cell, Predictions, Result, Table
from ...views import fields_of
from . import trained
from .given import of_predictions
from .hans import UNDEFINED, hans, partner
from .outcome import BLIND, COLUMNS, Outcome
from .parts import parts
from .solved import ITEMS, answered, every_item, evidence
from .wording import between_splits, notes, sentence, verdict

DIFFERENCES = ("view", "model", "split", "other", "difference", "low", "high")


@dataclass(frozen=True, slots=True)
class PartialInput:
    """Every view of every part, answered by a bag of words and by whatever else has answered."""

    needs: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[tuple[str, ...]] = ("predictions",)

    split: str | None = None  # a split, a+b, or pooled; without it every labelled split and pooled
    views: str | None = None  # e.g. choices,full/shuffled; without it all that leave a part out
    ngram: int = 2  # 1: single words, 2: also pairs of neighbours
    penalty: float = 3.0  # on the square of the weights
    tokenizer: str = "word"  # word, nltk or whitespace
    folds: int = 5  # of the cross-validation
    cuts: int = 9  # times the folds are cut anew
    level: float = 0.05  # of the tests, corrected for all views and splits
    margin: float = 0.05  # accuracy that a blind model must gain to be called exposed
    randomisations: int = 199  # trainings on permuted answers behind each p
    seed: int = 0  # of folds and randomisations

    def __post_init__(self) -> None:
        check("ngram", self.ngram, 1, 2)
        check("penalty", self.penalty, 1e-6)
        check("folds", self.folds, 2)
        check("cuts", self.cuts, 1)
        check("level", self.level, 1e-4, 1)
        check("margin", self.margin, 0, 1)
        check("randomisations", self.randomisations, math.ceil(1 / self.level) - 1)
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark, predictions: Sequence[Predictions] = ()) -> Result:
        items, where, skipped = parts(benchmark, self.split)
        bag = trained.Trained(self._bow(), items, self.folds, self.cuts, self.seed, self.level)
        seen = trained.views_of(self.views, fields_of(items))
        own, names = bag.outcomes(where, seen, self.randomisations, BLIND)
        others = of_predictions(benchmark, predictions)
        outcomes = corrected_together(own, others)
        rows = tuple(o.row(self.level, self._hans(o, outcomes)) for o in outcomes)
        told = answered(outcomes[: len(own)], names, self.level)
        return Result(
            probe="partial_input",
            params={**asdict(self), "tokenizer": bag.tokenizer},
            verdict=verdict(outcomes, self.level, self.margin),
            sentence=sentence(outcomes, rows, self.level),
            p=min((o.q for o in outcomes if o.q is not None), default=None),
            estimates=tuple(o.estimate() for o in outcomes),
            tables={
                "views": Table(COLUMNS, rows),
                "differences": Table(DIFFERENCES, between_splits(outcomes, self.seed)),
                "items": Table(ITEMS, told),
            },
            evidence=evidence(outcomes, self.level),
            notes=(*skipped, *notes(outcomes, where), *_long(bag.paired)),
        )

    def every(self, benchmark: Benchmark) -> dict[str, list[Cell]]:
        """Every item with how often it is answered blind, as columns: for a file."""
        items, where, _ = parts(benchmark, self.split)
        bag = trained.Trained(self._bow(), items, self.folds, self.cuts, self.seed, self.level)
        own, _ = bag.outcomes(where, trained.views_of(self.views, fields_of(items)), 0, BLIND)
        return every_item(own)

    def _bow(self) -> Bow:
        return Bow(ngram=self.ngram, penalty=self.penalty, tokenizer=self.tokenizer)

    def _hans(self, outcome: Outcome, outcomes: list[Outcome]) -> tuple[Cell, Cell, Cell]:
        if not outcome.is_blind:
            return UNDEFINED
        return hans(outcome, partner(outcome, outcomes, self.level), self.seed)


def corrected_together(own: list[Outcome], others: list[Outcome]) -> list[Outcome]:
    """Both families; each was corrected by itself, so where both could find something, for two."""
    live = [any(o.q is not None and (o.p or 0) < 1 for o in some) for some in (own, others)]
    return [
        o if o.q is None or not all(live) else replace(o, q=min(1.0, 2 * o.q))
        for o in (*own, *others)
    ]


def _long(paired: int) -> tuple[str, ...]:
    if paired >= LONG:
        return ()
    return (
        f"There is much text: of each field only the first {paired} words are paired with words of "
        "the choices, so the full input may be worth more than is seen here.",
    )
