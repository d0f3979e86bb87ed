"""Runs that see the choices alone, on all items with answers, and their folds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hansproof import load
from hansproof.errors import BadInput
from hansproof.sweeps import plan_blind_runs, predict, run_sweep
from hansproof.sweeps.plan import BLIND_FOLDS
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import POOLED, Benchmark

from ..support.rule_factories import random_items
from ..support.sweep_factories import ALONE, BENCH, MULTI_FIT, SPY, only, without


def test_models_that_learn_are_cross_validated_on_all_items_with_answers() -> None:
    learner, other = plan_blind_runs(BENCH, [SPY, "chance"])
    for run in (learner, other):
        assert (run.view, run.split, run.seed) == ("choices", POOLED, 0)
        assert (run.train, run.select) == (None, None)
    assert (learner.protocol, learner.folds) == ("cv", BLIND_FOLDS)
    assert (other.protocol, other.folds) == ("given", 0)


def test_of_one_split_with_answers_it_is_that_split() -> None:
    assert {run.split for run in plan_blind_runs(ALONE, [SPY])} == {"test"}
    (run,) = plan_blind_runs(without(BENCH, "train", "dev"), [SPY])
    assert run.split == "test"
    with pytest.raises(BadInput, match="b: no split has answers"):
        plan_blind_runs(without(BENCH, "train", "dev", "test"), [SPY])


def test_language_models_score_per_token_unless_told_otherwise(tmp_path: Path) -> None:
    specs = [run.model for run in plan_blind_runs(ALONE, ["lm:a", "lm:a,score_by=sum", "bow"])]
    assert specs == ["lm:a,score_by=token", "lm:a,score_by=sum", "bow"]


def test_a_trained_model_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^--blind: saved:runs/1 is trained already") as caught:
        plan_blind_runs(ALONE, ["bow", "saved:runs/1"])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("model", [SPY, MULTI_FIT, "bow"])
def test_folds_are_told_of_each_item_and_separate_no_group(model: str) -> None:
    items = random_items(0, 50, (2, 3), copies=0.4, groups=0.3)
    benchmark = Benchmark("b", {"one": items[:20], "two": items[20:]})
    (spec,) = plan_blind_runs(benchmark, [model])
    run = predict(benchmark, spec)
    assert [*run.folds] == [*run.scores]
    assert {*run.folds.values()} == {*range(BLIND_FOLDS)}
    pooled = benchmark.take_split(POOLED).splits[POOLED]
    units = dict(zip([item.id for item in pooled], find_leakage_groups(pooled), strict=True))
    pairs = {(units[id], fold) for id, fold in run.folds.items()}
    assert len(pairs) == len({*units.values()})


def test_a_fold_is_scored_by_a_model_that_did_not_see_it() -> None:
    """With other answers in a fold, its own scores stay and those of the others change."""
    items = random_items(1, 60, (3,))
    first = predict(Benchmark("b", {"all": items}), plan_blind_runs(
        Benchmark("b", {"all": items}), ["bow:ngram=1"])[0])  # fmt: skip
    changed = tuple(
        replace(item, answer=((item.answer or 0) + 1) % 3) if first.folds[item.id] == 0 else item
        for item in items
    )
    benchmark = Benchmark("b", {"all": changed})
    second = predict(benchmark, plan_blind_runs(benchmark, ["bow:ngram=1"])[0])
    assert second.folds == first.folds
    for id, fold in first.folds.items():
        if fold == 0:
            assert second.scores[id] == first.scores[id]
    assert any(second.scores[id] != first.scores[id] for id in first.scores)


def test_without_a_cross_validation_there_are_no_folds() -> None:
    for spec in (only(BENCH), only(BENCH, "chance")):
        assert predict(BENCH, spec).folds == {}


def test_folds_are_in_the_store(tmp_path: Path) -> None:
    toy = load("toy")
    runs = plan_blind_runs(toy, ["bow:ngram=1"])
    first = run_sweep(toy, runs, str(tmp_path))
    again = run_sweep(toy, runs, str(tmp_path))
    assert first == again
    assert len(again[0].folds) == len(again[0].scores) > 0
