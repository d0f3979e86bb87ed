"""Climbs the ladder: all rungs, their blind models, the rules, and their p-values."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from .._infra.threads import single_threaded
from ..cues.counts import ChoiceLayout, answer_array, build_layout
from ..cues.permutation import AnswerRotations, build_rotations
from ..records.nested import is_order_drawn
from ..stats import Floats, assign_folds, group_count, holm, merge_p_values
from ..text.encoding import encode_texts
from ..text.tokenizers import Tokenizer
from ..training.leakage_groups import find_leakage_groups
from ..types import Items
from . import frequency, place, relations, typography, word_classes, word_features
from .columns import FeatureColumns
from .confirm import HalvedSearch, TestedRule, prepare_search
from .encoder import ChoiceCoordinates, encoder_features
from .features import FeatureBlock, Ints, choice_texts
from .frequency import ChoiceLogs
from .ladder import FoldPlan, RungScores, add_rungs, item_credits, score_rung
from .null_runs import NullRuns, rank_p, rule_statistic, run_null
from .pick_tests import PickTester, make_tester, top_picks
from .search import FoundRule

CERTAIN = 1e-3  # an exact p below this needs no permutations
HOPELESS = 1.645  # no test alone would be significant if the largest statistic is smaller
HOPELESS_P = 0.2  # permutations do not make a p significant if the exact one is larger
PERMUTATIONS = 99
MANY_ITEMS = 8000  # with so many, the exact tests alone see a gain of 3 points
FOLDS = 5


@dataclass(frozen=True, slots=True)
class ClimbedRung:
    """A rung: how well its features do alone, and together with those of the rungs below."""

    rung: str
    n_features: int
    alone: Floats  # credit of each item
    combined: Floats  # with those of the rungs below, as many as the training folds chose
    p: float  # of the rung alone: of its ranker, and of its rules of several features
    q: float  # corrected for all rungs and the rules


@dataclass(frozen=True, slots=True)
class Climb:
    """The result of climbing the ladder with some items."""

    items: Items
    groups: list[str]
    rungs: tuple[ClimbedRung, ...]
    rules: tuple[TestedRule, ...]  # also those that are not significant
    columns: FeatureColumns
    blind: Floats  # credit of each item by the model that the training folds chose
    p: float
    p_floor: float | None  # None: the exact tests were enough
    n_permutations: int  # 0: the exact tests were enough
    answers: Ints

    @property
    def chance(self) -> float:
        """The mean credit of guessing."""
        return float(self.columns.layout.chance.mean())

    def significant_rules(self, level: float) -> list[TestedRule]:
        """Return the rules that hold in items other than those in which they were found."""
        return [rule for rule in self.rules if rule.p <= level] if self.p <= level else []


def build_blocks(
    items: Items,
    tokenizer: Tokenizer,
    logs: Sequence[ChoiceLogs] = (),
    coordinates: Sequence[ChoiceCoordinates] = (),
) -> tuple[ChoiceLayout, tuple[FeatureBlock, ...]]:
    """Return the features of all rungs that can be tried, in their order."""
    layout, texts = build_layout(items), choice_texts(items)
    encoded = encode_texts(texts, tokenizer)
    builders: list[Callable[[], FeatureBlock | None]] = [
        lambda: typography.typography_features(texts, layout),
        lambda: None if is_order_drawn(items) else place.place_features(layout),
        lambda: word_features.word_features(encoded, layout),
        lambda: word_features.pair_features(encoded, layout),
        lambda: word_features.pattern_features(encoded, layout),
        lambda: word_classes.class_features(encoded, layout),
        lambda: relations.relation_features(texts, encoded, layout),
        lambda: frequency.frequency_features(encoded, layout),
        lambda: frequency.likelihood_features(tuple(logs), layout) if logs else None,
        lambda: encoder_features(tuple(coordinates), layout) if coordinates else None,
    ]
    with ThreadPoolExecutor(2) as pool:  # more would need more memory
        blocks = [*pool.map(operator.call, builders)]
    return layout, tuple(block for block in blocks if block is not None)


def least_permutations(level: float) -> int:
    """Return the least number of permutations with which p can be significant at this level."""
    return math.ceil(round(1 / (level - CERTAIN), 9)) - 1 if level > CERTAIN else 0


def default_permutations(level: float) -> int:
    """Return the default number of permutations; more if p could not be significant with it."""
    return max(PERMUTATIONS, least_permutations(level)) if level > CERTAIN else 0


def climb_ladder(
    items: Items,
    tokenizer: Tokenizer,
    logs: Sequence[ChoiceLogs] = (),
    coordinates: Sequence[ChoiceCoordinates] = (),
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> Climb:
    """Train the blind models of all rungs, search for rules, and test both.

    Sums have one order, so numbers do not depend on the threads of the machine; permutations run in
    parallel.
    """
    with single_threaded():
        return _climb(items, tokenizer, logs, coordinates, permutations, seed)


def _climb(
    items: Items,
    tokenizer: Tokenizer,
    logs: Sequence[ChoiceLogs],
    coordinates: Sequence[ChoiceCoordinates],
    permutations: int,
    seed: int,
) -> Climb:
    layout, blocks = build_blocks(items, tokenizer, logs, coordinates)
    groups, answers = find_leakage_groups(items), answer_array(items)
    rotations = build_rotations(items, groups)
    tester = make_tester(layout, rotations)
    n_folds = min(FOLDS, group_count(groups))
    plan = FoldPlan(layout, answers, assign_folds(groups, n_folds, seed), n_folds)
    columns = FeatureColumns(blocks, layout)
    search = prepare_search(columns, tester, assign_folds(groups, 2, seed + 1))
    with ThreadPoolExecutor(1) as pool:  # the search for rules needs no scores
        searching = pool.submit(search.find_rules, answers)
        scores, sums = _score_rungs(blocks, plan)
        by_half = searching.result()
    rules = search.test_rules(by_half, answers)
    exact = [_exact_p(rung, plan, tester) for rung in scores]
    joined = _JoinedScores(search, by_half, columns)
    alone = [item_credits(rung.outer + joined.of_rung(rung.rung), plan) for rung in scores]
    combined = _add_rules([block.rung for block in blocks], sums, joined, plan)
    p, p_floor, by_rung, null = _decide_p(
        blocks, search, plan, rotations, scores, exact, rules, permutations, seed
    )
    by_rules = _joined_rule_p(rules, columns)
    climbed = tuple(
        ClimbedRung(
            block.rung, block.size, *credits,
            *(_smaller_p(value, by_rules.get(block.rung)) for value in values),
        )
        for block, credits, values in zip(
            blocks, zip(alone, combined, strict=True), by_rung, strict=True
        )
    )  # fmt: skip
    return Climb(items, groups, climbed, tuple(rules), columns, combined[-1], p, p_floor,
                 null.rules.size if null else 0, answers)  # fmt: skip


def _score_rungs(
    blocks: Sequence[FeatureBlock], plan: FoldPlan
) -> tuple[list[RungScores], list[tuple[Floats, Floats]]]:
    """Return the scores of each rung, and those of the rungs up to each, added up."""
    scores = [score_rung(block, plan) for block in blocks]
    return scores, [add_rungs(scores[:k], plan) for k in range(1, len(scores) + 1)]


def _exact_p(rung: RungScores, plan: FoldPlan, tester: PickTester) -> float:
    """Return the p of a rung: the exact tests of its folds, merged."""
    picks = top_picks(rung.outer, plan.layout)
    folds = range(plan.n_folds)
    return merge_p_values([tester.test(picks, plan.answers, plan.fold == k) for k in folds])


def _joined_rule_p(rules: Sequence[TestedRule], columns: FeatureColumns) -> dict[str, float]:
    """Return the smallest corrected p of the rules of several features, by rung."""
    by_rung: dict[str, float] = {}
    for rule in rules:
        if len(rule.rule.features) > 1:
            rung = columns.rung_of(rule.rule.features)
            by_rung[rung] = min(rule.p, by_rung.get(rung, 1.0))
    return by_rung


def _smaller_p(p: float, rule_p: float | None) -> float:
    """Return the smaller of two p-values, corrected for having chosen it."""
    return p if rule_p is None else min(1.0, 2 * min(p, rule_p))


@dataclass(frozen=True, slots=True)
class _JoinedScores:
    """What rules of several features add to the scores of choices, by rung."""

    search: HalvedSearch
    by_half: tuple[list[FoundRule], list[FoundRule]]
    columns: FeatureColumns

    def of_rung(self, rung: str) -> Floats:
        """Return what the rules of one rung add."""
        return self.of_rungs([rung])

    def of_rungs(self, rungs: Sequence[str]) -> Floats:
        """Return what the rules of some rungs add: of the first that fits, found elsewhere."""
        layout = self.columns.layout
        added, is_free = np.zeros(layout.item.size), np.ones(layout.chance.size, np.bool_)
        for k, rules in enumerate(self.by_half):
            for rule in rules:
                features = rule.rule.features
                if len(features) < 2 or self.columns.rung_of(features) not in rungs:
                    continue
                items = np.flatnonzero((self.search.half != k) & is_free & (rule.picks >= 0))
                chance = layout.chance[items]
                odds = (rule.hits + 1) / (rule.n - rule.hits + 1)
                added[rule.picks[items]] = np.log(odds * (1 - chance) / chance)
                is_free[items] = False
        return added


def _add_rules(
    rungs: Sequence[str],
    sums: Sequence[tuple[Floats, Floats]],
    joined: _JoinedScores,
    plan: FoldPlan,
) -> list[Floats]:
    """Return the credits with the rungs up to each: as many of these as training chose, or none.

    `sums` are the scores of the rungs up to each, to which rules are added. The number of rungs for
    an item is chosen on items of other folds, and of the same half, as rules that were found in
    that half do not count there.
    """
    half, chance = joined.search.half, plan.layout.chance
    credits: list[Floats] = [chance]
    training = [[_sum_by_half(chance * (plan.fold != k), half) for k in range(plan.n_folds)]]
    for k, (outer, in_training) in enumerate(sums, 1):
        added = joined.of_rungs(rungs[:k])
        credits.append(item_credits(outer + added, plan))
        training.append([
            _sum_by_half(item_credits(row + added, plan) * (plan.fold != fold), half)
            for fold, row in enumerate(in_training)
        ])  # fmt: skip
    by_rungs, rounded = np.stack(credits), np.round(training, 9)
    combined: list[Floats] = []
    for k in range(1, len(rungs) + 1):
        best = np.argmax(rounded[: k + 1], axis=0)  # by fold and half; of equals, the fewest rungs
        combined.append(by_rungs[best[plan.fold, half], np.arange(plan.fold.size)])
    return combined


def _sum_by_half(credits: Floats, half: Ints) -> Floats:
    return np.asarray(np.bincount(half, credits, 2), np.float64)


def _decide_p(
    blocks: Sequence[FeatureBlock],
    search: HalvedSearch,
    plan: FoldPlan,
    rotations: AnswerRotations,
    scores: Sequence[RungScores],
    exact: list[float],
    rules: Sequence[TestedRule],
    permutations: int,
    seed: int,
) -> tuple[float, float | None, list[tuple[float, float]], NullRuns | None]:
    """Return the p of the whole search, its floor, and p and q of each rung.

    If the exact tests do not decide, the whole search is repeated on permuted answers. The exact p
    is valid in any case, but too large where several rungs find a little.
    """
    rule_p = min((rule.p for rule in rules), default=1.0)
    by_rung = [*zip(exact, holm([*exact, rule_p])[:-1].tolist(), strict=True)]
    exact_p = min(1.0, 2 * min(len(exact) * min(exact), rule_p))
    chance = plan.layout.chance
    spread = float(np.sqrt((chance * (1 - chance)).sum())) / chance.size or 1.0  # single choices
    accuracies = [item_credits(rung.outer, plan).mean() for rung in scores]
    observed = (np.array(accuracies) - chance.mean()) / spread
    largest = max(float(observed.max()), rule_statistic(rule_p))
    is_hopeless = largest < HOPELESS and exact_p > HOPELESS_P
    if exact_p <= CERTAIN or is_hopeless or chance.size >= MANY_ITEMS or not permutations:
        return exact_p, None, by_rung, None
    n_groups = int(rotations.group.max()) + 1
    rng = np.random.default_rng([seed, 2])
    permuted = np.stack(
        [rotations.rotate(rng.integers(0, 2**31, n_groups)) for _ in range(permutations)], axis=1
    )
    null = run_null(blocks, search, (plan.fold, plan.n_folds), permuted, spread, largest)
    p = min(1.0, rank_p(largest, null.largest, permutations) + CERTAIN)
    by_rung = [
        (
            rank_p(value, null.rungs[:, k], null.rules.size),
            rank_p(value, null.largest, permutations),
        )
        for k, value in enumerate(observed.tolist())
    ]
    return p, 1 / (1 + permutations) + CERTAIN, by_rung, null
