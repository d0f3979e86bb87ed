"""What the probe of shortcuts says of `toy` and of quizzes, with a blind model that was made up."""

from __future__ import annotations

from functools import cache

from hansproof import load
from hansproof.probes.shortcuts import Shortcuts
from hansproof.types import Audit, Benchmark, Predictions

from .audited_benchmarks import long_answers
from .report_sample import audit
from .sample_answers import run


def ask(benchmark: Benchmark, *predictions: Predictions) -> Audit:
    """Few permutations are enough for a picture."""
    return audit((Shortcuts(randomisations=39)(benchmark, predictions),), benchmark.splits)


@cache
def words_tell() -> Audit:
    """Two words give answers of `toy` away: one stands in right choices, one in wrong ones."""
    return ask(load("toy:original"))


@cache
def beside_a_model(name: str = "Hans") -> Audit:
    """The same, beside a blind model that knows more than all rungs."""
    return ask(load("toy:original"), run(name, 0.9, 1, "choices"))


@cache
def length_tells() -> Audit:
    """In most of these items the longest choice is right."""
    return ask(long_answers())


@cache
def clear_by_design() -> Audit:
    """Mirrored pairs, in which nobody can do better than chance without the question."""
    return ask(load("toy:balanced"))
