"""Adversarial filtering: drops, round by round, the items that linear models get right most often.

AFLite (Sakaguchi et al. 2020, WinoGrande; Le Bras et al. 2020). As published: texts are encoded
once; in a round 64 random partitions each train a linear model on part of the items and predict the
rest; an item's score is the share of right predictions among those; the top slice of those at .75
or above goes; a round that fills no slice is the last, and so is one that leaves no more items than
a model trains on. WinoGrande trains on 10,000 of 47,000 items and drops 500 a round: here these
are shares. Different: the encoder is as it comes, not tuned on a part of the data; models rank an
item's choices; items of a group, and near copies, lie on the same side of a partition, and a group
goes or stays as a whole, by its mean score. Equal scores are ordered by the seed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import ClassVar, Literal

import numpy as np

from ...checks import check
from ...errors import BadInput
from ...models._features import Encoder
from ...models.encoder_linear import features
from ...progress import track
from ...stats import group_numbers, mean_interval
from ...training.units import units
from ...types import FULL, Account, Benchmark, Cell, Edited, Estimate, Item, Items, Table
from ...views import fields_of, named, see
from .._parts import chosen, with_splits
from .rankers import Bools, Floats, Ints, Traps, solve

ROUNDS = ("round", "items", "removed", "mean_score", "threshold", "predictions")
EXAMPLES = 50  # ids that stand as evidence
SELECTED = (
    "The items that are left were chosen by what these models get wrong: that they get fewer of "
    "them right is by construction. Let a blind model that was not used here answer them."
)

FEW = 10  # predictions: a share of fewer says little
FEW_PREDICTIONS = (
    "In some rounds a score rests on fewer than {} predictions, since nearly all that was left was "
    "trained on, and what goes there goes by chance: take a smaller --train, or more --partitions."
)


@dataclass(frozen=True, slots=True)
class Aflite:
    """Fewer items, with the same ids: what is left is harder for linear models on this encoder.

    All chosen splits are filtered together.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    encoder: str = ""  # a transformers folder or hub id, with safetensors
    view: str = FULL  # what the models see; `choices` drops what can be answered blind
    split: str | None = None  # a split, a+b, or pooled; without it every labelled split
    partitions: int = 64  # models a round
    train: float = 0.2  # share of the items at first that each trains on; no more left: the end
    slice: float = 0.01  # share of the items at first that go in a round
    cutoff: float = 0.75  # least score of an item that goes
    penalty: float = 1.0  # on large weights
    seed: int = 0  # of partitions, and of the order of equal scores
    pooling: Literal["mean", "first"] = "mean"  # how a text's tokens become one vector
    cache: str = ""  # folder for vectors of texts; else hansproof/features in the user's cache
    device: str = "auto"  # cpu, cuda, or cuda where there is one

    def __post_init__(self) -> None:
        check("partitions", self.partitions, 2)
        check("train", self.train, 0.01, 0.99)
        check("slice", self.slice, 1e-6, 1)
        check("cutoff", self.cutoff, 0, 1)
        check("penalty", self.penalty, 1e-6)
        check("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> Edited:
        before = chosen(benchmark, self.split)
        entries = [(split, item) for split, some in before.items() for item in some]
        items = tuple(item for _, item in entries)
        task = self._task(items)
        done = list(self._rounds(task))
        gone = {at for one in done for at in one.removed.tolist()}
        kept = np.array([at for at in range(len(items)) if at not in gone], np.int64)
        after: dict[str, list[Item]] = {split: [] for split in before}
        for at in kept:
            after[entries[at][0]].append(items[at])
        sizes = tuple((split, len(some), len(after[split])) for split, some in before.items())
        last = self._scored(task, kept, len(done)) if kept.size > task.train else None
        account = _account(items, sizes, done, _estimates(items, done, kept, last))
        filtered = {split: tuple(some) for split, some in after.items()}
        return Edited(with_splits(benchmark, filtered), account)

    def _task(self, items: Items) -> Task:
        view = named(self.view, fields_of(items))
        if not view.contrast:
            raise BadInput("--view", f"{self.view}: the choices of an item are ranked together")
        for item in items:
            if len(item.choices) < 2:
                raise BadInput(f"item {item.id}", "has one choice: there is nothing to rank")
        shown = see(view, items, self.seed)
        encoder = Encoder(self.encoder, self.pooling, self.cache, self.device)
        rows = features(encoder, any(item.fields for item in shown), shown)
        sizes = np.array([len(item.choices) for item in items])
        answers = np.array([item.answer for item in items])
        return Task(
            traps=Traps.of(rows, sizes, answers),
            units=group_numbers(units(items, shown)),
            groups=group_numbers([item.group for item in items]),
            train=max(1, round(self.train * len(items))),
            slice=max(1, round(self.slice * len(items))),
        )

    def _rounds(self, task: Task) -> Iterator[Round]:
        kept = np.arange(task.units.size)
        start: Floats | None = None
        most = ceil(kept.size / task.slice)
        for number in track(range(most), most, "filtering"):
            if kept.size <= task.train:
                return
            scored = self._scored(task, kept, number, start)
            start = scored.weights
            yield (one := Round(scored, *self._top(task, kept, scored.scores, number)))
            kept = np.setdiff1d(kept, one.removed)
            if one.removed.size < task.slice:
                return

    def _scored(self, task: Task, kept: Ints, number: int, start: Floats | None = None) -> Scored:
        """The share of right predictions by kept item, of models that did not learn from it."""
        rng = np.random.default_rng([self.seed, number])
        learns = _partitions(task.units[kept], task.train, self.partitions, rng)
        traps = task.traps.only(kept)
        begin = None if start is None else np.repeat(start, self.partitions, axis=1)
        weights = solve(traps, learns, self.penalty, begin)
        held = (~learns).astype(np.float32)
        right, times = (traps.right(weights) * held).sum(axis=1), held.sum(axis=1)
        scores = np.divide(right, times, out=np.full_like(right, np.nan), where=times > 0)
        return Scored(scores, float(times.mean()), weights.mean(axis=1, keepdims=True))

    def _top(self, task: Task, kept: Ints, scores: Floats, number: int) -> tuple[Ints, float]:
        """The items of the groups with the highest mean scores, a slice of them; and the least."""
        group = np.unique(task.groups[kept], return_inverse=True)[1]
        sizes = np.bincount(group)
        means = np.bincount(group, np.nan_to_num(scores)) / sizes  # of the unknown: not the easiest
        rng = np.random.default_rng([self.seed, number, 1])
        order = rng.permutation(means.size)
        order = order[np.argsort(-means[order], kind="stable")]
        order = order[means[order] >= self.cutoff - 1e-6]
        taken = order[: np.searchsorted(np.cumsum(sizes[order]), task.slice) + 1]
        threshold = float(means[taken].min()) if taken.size else self.cutoff
        return kept[np.isin(group, taken)], threshold


@dataclass(frozen=True, slots=True)
class Task:
    """All that does not change from round to round."""

    traps: Traps
    units: Ints  # by item: what no partition may part
    groups: Ints  # by item: what goes or stays together
    train: int
    slice: int


@dataclass(frozen=True, slots=True)
class Scored:
    """What models say of items they did not learn from."""

    scores: Floats  # by item: the share of right predictions; nan where there was none
    predictions: float  # of an item, on average
    weights: Floats  # the models' mean, from which the next round starts


@dataclass(frozen=True, slots=True)
class Round:
    """What a round saw, and which items it dropped."""

    scored: Scored
    removed: Ints
    threshold: float


def _partitions(units: Ints, train: int, number: int, rng: np.random.Generator) -> Bools:
    """By item and partition, whether it is learnt from: whole units, until there are enough.

    One unit at least is held out.
    """
    unit = np.unique(units, return_inverse=True)[1]
    sizes = np.bincount(unit)
    learns = np.zeros((sizes.size, number), np.bool_)
    for partition in range(number):
        order = rng.permutation(sizes.size)
        enough = int(np.searchsorted(np.cumsum(sizes[order]), train)) + 1
        learns[order[: min(enough, sizes.size - 1)], partition] = True
    return learns[unit]


def _estimates(
    items: Items, done: list[Round], kept: Ints, last: Scored | None
) -> tuple[Estimate, ...]:
    """How many predictions on held-out items are right, at first and of what is left."""
    found = [_estimate("held-out accuracy before", items, done[0].scored.scores)] if done else []
    if last is not None and kept.size:
        some = tuple(items[at] for at in kept)
        found.append(_estimate("held-out accuracy after", some, last.scores))
    return tuple(found)


def _estimate(name: str, items: Items, scores: Floats) -> Estimate:
    known = ~np.isnan(scores)
    some, seen = scores[known], [item for item, so in zip(items, known, strict=True) if so]
    low, high = mean_interval(some, [item.group for item in seen])
    chance = float(np.mean([1 / len(item.choices) for item in seen]))
    return Estimate(name, float(some.mean()), low, high, len(seen), chance)


def _account(
    items: Items,
    sizes: tuple[tuple[Cell, ...], ...],
    done: list[Round],
    estimates: tuple[Estimate, ...],
) -> Account:
    removed = [items[at].id for one in done for at in one.removed]
    rows = tuple(
        (
            n,
            s.scores.size,
            one.removed.size,
            float(np.nanmean(s.scores)),
            one.threshold,
            s.predictions,
        )
        for n, one in enumerate(done, 1)
        for s in (one.scored,)
    )
    notes = (SELECTED,) if removed else ()
    if any(one.scored.predictions < FEW for one in done):
        notes = (*notes, FEW_PREDICTIONS.format(FEW))
    rounds = "one round" if len(done) == 1 else f"{len(done)} rounds"
    accuracies = " and ".join(f"{one.value:.1%} {one.name.split()[-1]}" for one in estimates)
    said = f" Right on held-out items: {accuracies}." if accuracies else ""
    return Account(
        f"{len(items) - len(removed):,} of {len(items):,} items are left after {rounds}.{said}",
        estimates=estimates,
        tables={"splits": Table(("split", "items", "kept"), sizes), "rounds": Table(ROUNDS, rows)},
        evidence={"removed first": tuple(removed[:EXAMPLES])} if removed else {},
        notes=notes,
    )
