"""What the probe of partial input says of `toy`, with models that were made up."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hansproof.probes.partial_input import PartialInput
from hansproof.types import Audit, Predictions, Result

from .sample_answers import BENCHMARK, run, told

LEARNT = replace(BENCHMARK, roles={"train": "original", "test": "mirrored"})


def asked(*predictions: Predictions) -> Result:
    """A few randomisations are enough for a picture."""
    return PartialInput(randomisations=59, cuts=3)(LEARNT, predictions)


def horses(names: tuple[str, ...] = ("Hans", "Muhamed")) -> tuple[Predictions, ...]:
    """Two that see everything, of which the first was also blindfolded, and a namesake of ours."""
    seeing = [run(name, 0.9 - at / 5, seed) for at, name in enumerate(names) for seed in (1, 2)]
    blind = [run(names[0], 0.8, seed, "choices") for seed in (1, 2)]
    return (*seeing, *blind, run("bow", 0.75, 1, "choices"))


@cache
def alone() -> Audit:
    """The bag of words by itself."""
    return told((asked(),))


@cache
def in_company() -> Audit:
    """The same beside other models."""
    return told((asked(*horses()),))
