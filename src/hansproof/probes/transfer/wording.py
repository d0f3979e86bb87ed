"""What was found, in a sentence, a verdict, estimates and notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...predict._degenerate import degenerate
from ...types import Estimate, Verdict
from .._words import many
from .applied import Said
from .pairs import Pair
from .shared import shared
from .sides import Side, sources

FEW = 5  # runs, below which their spread is a guess
FOLDERS = re.compile(r"[^,=:]*/(?=[^,=/]+)")
REGULARITIES = (
    "What carries over need not be understanding: right choices that are longer, or worded alike, "
    "in both benchmarks carry over too. Compare with a view that hides the question (choices)."
)
BY_NAME = (
    "What a bag of words knows of a field it knows by the field's name: where the other benchmark "
    "calls its fields otherwise, only what it learnt of the choices can carry over."
)


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """All that can be told."""

    model: str
    over: str
    level: float
    every: Sequence[Side]
    pairs: Sequence[Pair]
    said: Sequence[Said]

    @property
    def called(self) -> str:
        """The model without the folders that its files are in."""
        return FOLDERS.sub("", self.model.rstrip("/"))

    def of(self, source: Side) -> tuple[Pair, list[Pair]]:
        """How its models do at home, and elsewhere."""
        here = [pair for pair in self.pairs if pair.source is source]
        own = next(pair for pair in here if pair.own)
        return own, [pair for pair in here if not pair.own]


def verdict(heard: Heard) -> Verdict:
    """caution: something is learnt on a benchmark, and it is of use nowhere else."""
    for source in sources(heard.every):
        own, others = heard.of(source)
        if own.found.p <= heard.level and not any(pair.flag for pair in others):
            return "caution"
    return "clear"


def estimates(heard: Heard) -> tuple[Estimate, ...]:
    """Every cell; those off the diagonal first."""
    ordered = sorted(heard.pairs, key=lambda pair: pair.own)
    return tuple(_estimate(pair) for pair in ordered)


def _estimate(pair: Pair) -> Estimate:
    one = pair.found
    return Estimate(pair.name, one.accuracy, one.low, one.high, one.n, one.chance)


def sentence(heard: Heard) -> str:
    """What carries over and where to, what does not; then the strongest of all."""
    every = [heard.of(source) for source in sources(heard.every)]
    some = [_carrying(heard, own, others) for own, others in every if any(p.flag for p in others)]
    none = [_there(heard, own) for own, others in every if not any(p.flag for p in others)]
    if none:
        other = "no other" if len(heard.every) > 2 else "the other"
        how = "carries over to" if len(heard.every) > 2 else "does not carry over to"
        some.append(f"{_listed(none, 'or')} {how} {other}")
    first = f"Beyond chance, what {heard.called} learns on {some[0]}"
    said = "; ".join([first, *(f"what it learns on {clause}" for clause in some[1:])])
    carried = [pair for pair in heard.pairs if pair.flag]
    if len(carried) < 2:
        return f"{said}."
    best = max(carried, key=lambda pair: pair.gain)
    return f"{said}. Most of all from {best.source.name} to {best.target.name}."


def _carrying(heard: Heard, own: Pair, others: Sequence[Pair]) -> str:
    carried = _listed([_with_chance(pair) for pair in others if pair.flag])
    rest = [pair.target.name for pair in others if not pair.flag]
    no_further = f", not to {_listed(rest, 'or')}" if rest else ""
    return f"{_there(heard, own)} carries over to {carried}{no_further}"


def _there(heard: Heard, own: Pair) -> str:
    """A source, and how its models do at home."""
    more = ", no more than guessing" if own.found.p > heard.level else ""
    return f"{own.source.name} ({own.found.accuracy:.1%} there{more})"


def _with_chance(pair: Pair) -> str:
    return f"{pair.target.name} ({pair.found.accuracy:.1%}, chance {pair.found.chance:.1%})"


def _listed(names: Sequence[str], last: str = "and") -> str:
    return f" {last} ".join([*([", ".join(names[:-1])] if names[1:] else []), names[-1]])


def notes(heard: Heard) -> tuple[str, ...]:
    """What was left out, and what misleads."""
    return tuple(_notes(heard))


def _notes(heard: Heard) -> Iterator[str]:
    for side in heard.every:
        if side.train is None:
            what = "no split to train on beside the one that is tested"
            yield f"{side.name}: {what}, so nothing is learnt from it."
    yield from _overlaps(heard)
    yield from _unlearnt(heard)
    if heard.over == "best":
        yield (
            "Of each benchmark's runs the one counts that is best on that benchmark itself: what "
            "stands on the diagonal was chosen for its score."
        )
    yield from _runs(heard)
    if heard.model.partition(":")[0] == "bow":
        yield BY_NAME
    yield REGULARITIES


def _overlaps(heard: Heard) -> Iterator[str]:
    for pair in heard.pairs:
        if pair.shared:
            yield (
                f"{pair.name}: {len(pair.shared)} of {many(pair.found.n, 'tested item')} also "
                f"stand in what was trained on ({pair.source.train})."
            )
    for one, other in combinations(heard.every, 2):
        same = shared((*one.learnt, *one.items), (*other.learnt, *other.items))
        if same:
            yield (
                f"{one.name} and {other.name} have {many(len(same), 'item')} in common: between "
                "them it is in part the same benchmark that carries over."
            )


def _unlearnt(heard: Heard) -> Iterator[str]:
    for source in sources(heard.every):
        own = [one for one in heard.said if one.source == source.name]
        failed = sum(degenerate(source.benchmark, own[0].run, [one.own for one in own]))
        if failed:
            yield (
                f"{source.name}: {failed} of {many(len(own), 'run')} learnt nothing: not above "
                "chance on the items trained on."
            )


def _runs(heard: Heard) -> Iterator[str]:
    """How much can be told of the spread over seeds."""
    each = [[one for one in heard.said if one.source == s.name] for s in sources(heard.every)]
    count = len(each[0])
    if count > 1 and all(_alike(some[0], one) for some in each for one in some[1:]):
        yield f"All {count} runs are alike: the seed makes no difference to this model."
    elif count < FEW:
        yield f"{many(count, 'run')} of each: how much training itself varies is hardly known."


def _alike(one: Said, other: Said) -> bool:
    """Whether two models are right on the same items, everywhere."""
    return all(np.array_equal(earned, other.credits[name]) for name, earned in one.credits.items())
