"""Adversarial filtering: drops, round by round, the items that linear models get right most often.

AFLite (Sakaguchi et al. 2020, WinoGrande; Le Bras et al. 2020). As published: texts are encoded
once; in each round, 64 linear models are trained on random parts of the items and predict the
others; an item's score is the share of right predictions; the items with the highest scores, at .75
or above, are dropped, one slice per round. Filtering ends when a round does not fill its slice, or
leaves no more items than a model trains on. WinoGrande trains on 10,000 of 47,000 items and drops
500 per round; here both are shares. Differences: the encoder is not fine-tuned on part of the data;
models rank an item's choices; items of a group, and near copies, are on the same side of a
partition, and a group is dropped or kept as a whole, by its mean score. The seed decides the order
of equal scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import ClassVar, Literal

import numpy as np

from ..._infra.progress import track
from ..._infra.validation import check_range
from ...errors import BadInput
from ...models.encoder_linear import choice_features
from ...pretrained.text_encoder import TextEncoder
from ...scoring import chance_level
from ...stats import group_numbers, mean_interval
from ...training.leakage_groups import find_leakage_groups
from ...types import FULL, Benchmark, Cell, EditReport, EditResult, Estimate, Item, Items, Table
from ...views import apply_view, fields_of, parse_view
from .._parts import replace_splits, select_labelled
from .rankers import Bools, ChoiceDifferences, Floats, Ints, solve_rankers

ROUNDS = ("round", "items", "removed", "mean_score", "threshold", "predictions")
MAX_EXAMPLES = 50  # ids listed as evidence
SELECTION_NOTE = (
    "The remaining items were selected because these models get them wrong, so their lower "
    "accuracy is no evidence of quality. Test the items with a model without the question that "
    "was not used here."
)

MIN_PREDICTIONS = 10  # predictions per item; fewer get a note
FEW_PREDICTIONS = (
    "In some rounds scores are based on fewer than {} predictions per item, since most remaining "
    "items were needed for training, so items were dropped almost at random: choose a smaller "
    "--train or more --partitions."
)


@dataclass(frozen=True, slots=True)
class Aflite:
    """Keeps the items that are hard for linear models on this encoder; ids do not change.

    All chosen splits are filtered together.
    """

    needs: ClassVar[tuple[str, ...]] = ()

    encoder: str = ""  # a transformers folder or hub id, with safetensors
    view: str = FULL  # what models see; `choices` drops items solvable without the question
    split: str | None = None  # a split, a+b, or pooled; default: every labelled split
    partitions: int = 64  # number of models per round
    train: float = 0.2  # share of the original items that each model is trained on
    slice: float = 0.01  # share of the original items dropped per round
    cutoff: float = 0.75  # lowest score at which an item is dropped
    penalty: float = 1.0  # L2 penalty on the weights
    seed: int = 0  # random seed of partitions and of the order of equal scores
    pooling: Literal["mean", "first"] = "mean"  # how token vectors are combined into one
    cache: str = ""  # folder for text vectors; default: hansproof/features in your cache
    device: str = "auto"  # cpu, cuda, or auto: cuda if available

    def __post_init__(self) -> None:
        check_range("partitions", self.partitions, 2)
        check_range("train", self.train, 0.01, 0.99)
        check_range("slice", self.slice, 1e-6, 1)
        check_range("cutoff", self.cutoff, 0, 1)
        check_range("penalty", self.penalty, 1e-6)
        check_range("seed", self.seed, 0)

    def __call__(self, benchmark: Benchmark) -> EditResult:
        before = select_labelled(benchmark, self.split)
        entries = [(split, item) for split, split_items in before.items() for item in split_items]
        items = tuple(item for _, item in entries)
        setup = self._prepare_setup(items)
        filter_rounds = list(self._run_rounds(setup))
        removed = {
            index for filter_round in filter_rounds for index in filter_round.removed.tolist()
        }
        remaining = np.array(
            [index for index in range(len(items)) if index not in removed], np.int64
        )
        after: dict[str, list[Item]] = {split: [] for split in before}
        for index in remaining:
            after[entries[index][0]].append(items[index])
        sizes = tuple(
            (split, len(split_items), len(after[split])) for split, split_items in before.items()
        )
        last_scores = (
            self._score_items(setup, remaining, len(filter_rounds))
            if remaining.size > setup.n_train
            else None
        )
        report = _build_report(
            items,
            sizes,
            filter_rounds,
            _before_after_estimates(items, filter_rounds, remaining, last_scores),
        )
        filtered = {split: tuple(split_items) for split, split_items in after.items()}
        return EditResult(replace_splits(benchmark, filtered), report)

    def _prepare_setup(self, items: Items) -> FilterSetup:
        view = parse_view(self.view, fields_of(items))
        if not view.side_by_side:
            raise BadInput(
                "--view",
                f"{self.view} shows choices one at a time, but aflite ranks them together: choose "
                "another view",
            )
        for item in items:
            if len(item.choices) < 2:
                raise BadInput(
                    f"item {item.id}", "has only one choice, so there is nothing to rank"
                )
        visible = apply_view(view, items, self.seed)
        encoder = TextEncoder(self.encoder, self.pooling, self.cache, self.device)
        rows = choice_features(encoder, any(item.fields for item in visible), visible)
        sizes = np.array([len(item.choices) for item in items])
        answers = np.array([item.answer for item in items])
        return FilterSetup(
            differences=ChoiceDifferences.from_features(rows, sizes, answers),
            leakage_groups=group_numbers(find_leakage_groups(items, visible)),
            groups=group_numbers([item.group for item in items]),
            n_train=max(1, round(self.train * len(items))),
            n_slice=max(1, round(self.slice * len(items))),
        )

    def _run_rounds(self, setup: FilterSetup) -> Iterator[FilterRound]:
        remaining = np.arange(setup.leakage_groups.size)
        start_weights: Floats | None = None
        max_rounds = ceil(remaining.size / setup.n_slice)
        for number in track(range(max_rounds), max_rounds, "filtering"):
            if remaining.size <= setup.n_train:
                return
            round_scores = self._score_items(setup, remaining, number, start_weights)
            start_weights = round_scores.weights
            yield (
                filter_round := FilterRound(
                    round_scores, *self._top_items(setup, remaining, round_scores.accuracy, number)
                )
            )
            remaining = np.setdiff1d(remaining, filter_round.removed)
            if filter_round.removed.size < setup.n_slice:
                return

    def _score_items(
        self,
        setup: FilterSetup,
        remaining: Ints,
        round_number: int,
        start_weights: Floats | None = None,
    ) -> RoundScores:
        """Score each remaining item: the share of right predictions by models not trained on it."""
        rng = np.random.default_rng([self.seed, round_number])
        train_mask = _draw_partitions(
            setup.leakage_groups[remaining], setup.n_train, self.partitions, rng
        )
        differences = setup.differences.select_items(remaining)
        initial_weights = (
            None if start_weights is None else np.repeat(start_weights, self.partitions, axis=1)
        )
        weights = solve_rankers(differences, train_mask, self.penalty, initial_weights)
        held_out = (~train_mask).astype(np.float32)
        n_right, n_predictions = (
            (differences.item_credit(weights) * held_out).sum(axis=1),
            held_out.sum(axis=1),
        )
        scores = np.divide(
            n_right, n_predictions, out=np.full_like(n_right, np.nan), where=n_predictions > 0
        )
        return RoundScores(scores, float(n_predictions.mean()), weights.mean(axis=1, keepdims=True))

    def _top_items(
        self, setup: FilterSetup, remaining: Ints, scores: Floats, round_number: int
    ) -> tuple[Ints, float]:
        """Return the items of the groups with the highest mean scores, and the lowest of these."""
        group_index = np.unique(setup.groups[remaining], return_inverse=True)[1]
        sizes = np.bincount(group_index)
        mean_scores = (
            np.bincount(group_index, np.nan_to_num(scores)) / sizes
        )  # of the unknown: not the easiest
        rng = np.random.default_rng([self.seed, round_number, 1])
        order = rng.permutation(mean_scores.size)
        order = order[np.argsort(-mean_scores[order], kind="stable")]
        order = order[mean_scores[order] >= self.cutoff - 1e-6]
        dropped_groups = order[: np.searchsorted(np.cumsum(sizes[order]), setup.n_slice) + 1]
        threshold = float(mean_scores[dropped_groups].min()) if dropped_groups.size else self.cutoff
        return remaining[np.isin(group_index, dropped_groups)], threshold


@dataclass(frozen=True, slots=True)
class FilterSetup:
    """Data that is the same in all rounds."""

    differences: ChoiceDifferences
    leakage_groups: Ints  # by item: groups that a partition must not split
    groups: Ints  # by item: groups that are removed or kept as a whole
    n_train: int
    n_slice: int


@dataclass(frozen=True, slots=True)
class RoundScores:
    """Scores of held-out items in one round."""

    accuracy: Floats  # by item: the share of right predictions; NaN without predictions
    mean_predictions: float  # mean number of predictions per item
    weights: Floats  # mean over models; the next round starts from it


@dataclass(frozen=True, slots=True)
class FilterRound:
    """The scores of one round and the items it removed."""

    scores: RoundScores
    removed: Ints
    threshold: float


def _draw_partitions(
    leakage_groups: Ints, n_train: int, n_partitions: int, rng: np.random.Generator
) -> Bools:
    """Draw the training items of each partition, by item and partition.

    Whole leakage groups are drawn until there are enough items; at least one is held out.
    """
    group_index = np.unique(leakage_groups, return_inverse=True)[1]
    sizes = np.bincount(group_index)
    train_mask = np.zeros((sizes.size, n_partitions), np.bool_)
    for partition in range(n_partitions):
        order = rng.permutation(sizes.size)
        n_groups = int(np.searchsorted(np.cumsum(sizes[order]), n_train)) + 1
        train_mask[order[: min(n_groups, sizes.size - 1)], partition] = True
    return train_mask[group_index]


def _before_after_estimates(
    items: Items, filter_rounds: list[FilterRound], remaining: Ints, last_scores: RoundScores | None
) -> tuple[Estimate, ...]:
    """Estimate the accuracy on held-out items before and after filtering."""
    estimates = (
        [_estimate_accuracy("held-out accuracy before", items, filter_rounds[0].scores.accuracy)]
        if filter_rounds
        else []
    )
    if last_scores is not None and remaining.size:
        remaining_items = tuple(items[index] for index in remaining)
        estimates.append(
            _estimate_accuracy("held-out accuracy after", remaining_items, last_scores.accuracy)
        )
    return tuple(estimates)


def _estimate_accuracy(name: str, items: Items, scores: Floats) -> Estimate:
    is_scored = ~np.isnan(scores)
    known_scores, scored_items = (
        scores[is_scored],
        [item for item, flag in zip(items, is_scored, strict=True) if flag],
    )
    low, high = mean_interval(known_scores, [item.group for item in scored_items])
    chance = chance_level(scored_items)
    return Estimate(name, float(known_scores.mean()), low, high, len(scored_items), chance)


def _build_report(
    items: Items,
    sizes: tuple[tuple[Cell, ...], ...],
    filter_rounds: list[FilterRound],
    estimates: tuple[Estimate, ...],
) -> EditReport:
    removed = [items[index].id for filter_round in filter_rounds for index in filter_round.removed]
    rows = tuple(
        (
            n,
            round_scores.accuracy.size,
            filter_round.removed.size,
            float(np.nanmean(round_scores.accuracy)),
            filter_round.threshold,
            round_scores.mean_predictions,
        )
        for n, filter_round in enumerate(filter_rounds, 1)
        for round_scores in (filter_round.scores,)
    )
    notes = (SELECTION_NOTE,) if removed else ()
    if any(
        filter_round.scores.mean_predictions < MIN_PREDICTIONS for filter_round in filter_rounds
    ):
        notes = (*notes, FEW_PREDICTIONS.format(MIN_PREDICTIONS))
    rounds = "one round" if len(filter_rounds) == 1 else f"{len(filter_rounds)} rounds"
    accuracies = " and ".join(
        f"{estimate.value:.1%} {estimate.name.split()[-1]}" for estimate in estimates
    )
    accuracy_sentence = f" Accuracy on held-out items: {accuracies}." if accuracies else ""
    return EditReport(
        f"{len(items) - len(removed):,} of {len(items):,} items are left after {rounds}."
        f"{accuracy_sentence}",
        estimates=estimates,
        tables={"splits": Table(("split", "items", "kept"), sizes), "rounds": Table(ROUNDS, rows)},
        evidence={"removed first": tuple(removed[:MAX_EXAMPLES])} if removed else {},
        notes=notes,
    )
