"""Runs that learnt nothing: what they earn where they were trained is not above chance.

How many items a run learnt from is taken as a round share of those it was given: all folds but one,
less the tenth to choose by. Folds keep units together, so it may be a few more or less, which moves
the line by next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..models import load
from ..training.held_out import PARTS
from ..types import Benchmark, Items, Predictions
from ..views import CHOICES, fields_of, named
from ._measures import chance
from ._plan import Run, part_of, selects


def degenerate(benchmark: Benchmark, run: Run, said: Sequence[Predictions]) -> list[bool]:
    """Whether each of these, which differ from the run by seed only, learnt nothing."""
    from ..stats import degenerate

    trained_on = said[0].trained_on
    if trained_on is None or not _shows_choices(benchmark, run):
        return [False] * len(said)
    items = part_of(benchmark, trained_on)
    guessing = chance(items)
    return [
        one.train_accuracy is not None
        and degenerate(one.train_accuracy, _learnt(items, run, one), guessing)
        for one in said
    ]


def _shows_choices(benchmark: Benchmark, run: Run) -> bool:
    """Without them there is nothing to learn, which is not the fault of the run."""
    return CHOICES in named(run.view, fields_of(part_of(benchmark, run.split))).keep


def _learnt(items: Items, run: Run, said: Predictions) -> int:
    n = len(items)
    folds = said.params.get("folds")
    if run.protocol == "cv" and isinstance(folds, int):
        n -= round(n / folds)
    if run.select is None and selects(load(run.model)):
        n -= round(n / PARTS)
    return n
