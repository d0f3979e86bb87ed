"""Rankers of rungs: what they may not see, and what they add up to."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import answer_array
from hansproof.rules.climb import build_blocks
from hansproof.rules.features import FeatureBlock
from hansproof.rules.ladder import (
    FoldPlan,
    RungScores,
    add_rungs,
    item_credits,
    null_credits,
    score_rung,
)
from hansproof.stats import assign_folds
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Items

from ..support.rule_factories import WORD, random_items

N_FOLDS = 4


def plan_folds(items: Items, seed: int = 0) -> tuple[FoldPlan, tuple[FeatureBlock, ...]]:
    layout, blocks = build_blocks(items, WORD)
    fold = assign_folds(find_leakage_groups(items), N_FOLDS, seed)
    return FoldPlan(layout, answer_array(items), fold, N_FOLDS), blocks


def change_answers(plan: FoldPlan, folds: tuple[int, ...], seed: int = 0) -> FoldPlan:
    """The same plan with other answers of the items in some folds."""
    sizes = np.diff(plan.layout.first)
    moved = (plan.answers + np.random.default_rng(seed).integers(1, 9, sizes.size)) % sizes
    changed = np.where(np.isin(plan.fold, folds), moved, plan.answers)
    return FoldPlan(plan.layout, changed, plan.fold, plan.n_folds)


PLAN, BLOCKS = plan_folds(random_items(3, 60, (2, 3, 4), copies=0.2, groups=0.2))


@pytest.mark.parametrize("fold", range(N_FOLDS))
def test_scores_of_a_fold_depend_on_the_answers_of_other_folds_alone(fold: int) -> None:
    changed, rows = change_answers(PLAN, (fold,)), PLAN.fold[PLAN.layout.item] == fold
    for block in BLOCKS[:3]:
        one, other = score_rung(block, PLAN), score_rung(block, changed)
        np.testing.assert_array_equal(one.outer[rows], other.outer[rows])
        np.testing.assert_array_equal(one.inner[fold], other.inner[fold])
        assert np.abs(one.outer[~rows] - other.outer[~rows]).max() > 0.01


def test_inner_scores_of_a_fold_do_not_depend_on_its_own_answers_either() -> None:
    block = BLOCKS[2]
    one = score_rung(block, PLAN)
    for fold, held_out in ((0, 1), (3, 2)):
        other = score_rung(block, change_answers(PLAN, (fold, held_out)))
        rows = PLAN.fold[PLAN.layout.item] == fold
        np.testing.assert_array_equal(one.inner[held_out][rows], other.inner[held_out][rows])
        assert not one.inner[held_out][PLAN.fold[PLAN.layout.item] == held_out].any()


def test_weights_of_rungs_are_learnt_in_other_folds() -> None:
    for fold in range(N_FOLDS):
        changed = change_answers(PLAN, (fold,))
        rungs, others = ([score_rung(b, p) for b in BLOCKS[:3]] for p in (PLAN, changed))
        (scores, training), (other_scores, other_training) = (
            add_rungs(rungs, PLAN), add_rungs(others, changed)
        )  # fmt: skip
        rows = PLAN.fold[PLAN.layout.item] == fold
        np.testing.assert_allclose(scores[rows], other_scores[rows])
        np.testing.assert_allclose(training[fold], other_training[fold])


def test_one_rung_has_the_order_of_its_own_scores() -> None:
    rung = score_rung(BLOCKS[2], PLAN)
    assert rung.outer.std() > 0.1
    scores, _ = add_rungs([rung], PLAN)
    for fold in range(N_FOLDS):
        rows = PLAN.fold[PLAN.layout.item] == fold
        slope = scores[rows] @ rung.outer[rows] / (rung.outer[rows] @ rung.outer[rows])
        np.testing.assert_allclose(scores[rows], slope * rung.outer[rows], atol=1e-8)


def test_a_rung_that_says_nothing_adds_nothing() -> None:
    rung, zeros = score_rung(BLOCKS[2], PLAN), np.zeros(PLAN.layout.item.size)
    silent = RungScores("silent", zeros, (zeros,) * N_FOLDS)
    np.testing.assert_allclose(add_rungs([rung, silent], PLAN)[0], add_rungs([rung], PLAN)[0])
    assert not add_rungs([silent], PLAN)[0].any()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 999))
def test_credits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 3, PLAN.layout.item.size).astype(float)
    credits = item_credits(scores, PLAN)
    for item, (first, end) in enumerate(
        zip(PLAN.layout.first[:-1].tolist(), PLAN.layout.first[1:].tolist(), strict=True)
    ):
        row = scores[first:end].tolist()
        is_best = row[PLAN.answers[item]] == max(row)
        assert credits[item] == float(Fraction(int(is_best), row.count(max(row))))


def test_permuted_answers_are_treated_as_the_real_ones_are() -> None:
    """So that the real accuracy is one of the null distribution."""
    rng = np.random.default_rng(0)
    sizes = np.diff(PLAN.layout.first)
    permuted = np.stack([PLAN.answers, *(rng.integers(sizes) for _ in range(6))], axis=1)
    for block in BLOCKS:
        bags = block.bags(PLAN.layout)
        accuracies = null_credits(bags, PLAN.fold, N_FOLDS, permuted.astype(np.int16))
        for column in range(7):
            plan = FoldPlan(PLAN.layout, permuted[:, column], PLAN.fold, N_FOLDS)
            expected = item_credits(score_rung(block, plan).outer, plan).mean()
            assert accuracies[column] == pytest.approx(expected, abs=1e-12)


def test_rankers_learn_a_feature_that_tells() -> None:
    items = random_items(5, 80, (3,))
    told = tuple(
        type(item)(
            item.id, item.fields,
            tuple(c + " zork" * (i == item.answer) for i, c in enumerate(item.choices)),
            item.answer,
        )
        for item in items
    )  # fmt: skip
    plan, blocks = plan_folds(told)
    by_rung = {b.rung: item_credits(score_rung(b, plan).outer, plan).mean() for b in blocks}
    assert by_rung["words"] > 0.9
    assert by_rung["place"] < 0.6
