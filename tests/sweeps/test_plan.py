"""Plans: which runs there are, and what they are trained on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hansproof.errors import HansproofError, UnknownName
from hansproof.sweeps import (
    plan_runs,
)
from hansproof.types import Benchmark

from ..support.sweep_factories import (
    ALONE,
    BENCH,
    SPY,
    only,
    without,
)


def test_models_by_views_by_seeds() -> None:
    runs = plan_runs(BENCH, [SPY, "chance"], ["full", "choices"], range(3))
    assert [(r.model, r.view, r.seed) for r in runs] == [
        (m, v, s) for m in (SPY, "chance") for v in ("full", "choices") for s in range(3)
    ]
    assert {(r.split, r.protocol, r.train, r.folds) for r in runs if r.model == SPY} == {
        ("test", "train-test", "train", 0)
    }
    assert {(r.split, r.protocol, r.train, r.folds) for r in runs if r.model == "chance"} == {
        ("test", "given", None, 0)
    }


def test_a_view_has_one_name() -> None:
    runs = plan_runs(BENCH, ["chance"], ["choices+stem+hint", "full", "choices+stem"], [0])
    assert [run.view for run in runs] == ["full", "stem+choices"]


@pytest.mark.parametrize(
    ("benchmark", "how", "expected"),
    [
        (BENCH, {"split": "dev"}, [("dev", "train-test", "train")]),
        (BENCH, {"protocol": "cv"}, [("test", "cv", None)]),
        (BENCH, {"split": "train"}, [("train", "cv", None)]),
        # what is trained on must not be scored
        (BENCH, {"split": "pooled"}, [("pooled", "cv", None)]),
        (BENCH, {"split": "dev+test"}, [("dev+test", "train-test", "train")]),
        (ALONE, {}, [("test", "cv", None)]),
        (without(BENCH, "test"), {}, [("train", "cv", None), ("dev", "train-test", "train")]),
        (without(BENCH, "test"), {"split": "test"}, [("test", "train-test", "train")]),
        (without(BENCH, "train"), {}, [("test", "cv", None)]),
    ],
)
def test_what_is_scored_and_what_it_is_trained_on(
    benchmark: Benchmark, how: dict[str, Any], expected: list[tuple[str, str, str | None]]
) -> None:
    runs = plan_runs(benchmark, [SPY], ["full"], [0], **how)
    assert [(run.split, run.protocol, run.train) for run in runs] == expected


def test_splits_to_choose_by_are_for_those_who_choose() -> None:
    chooser = f"{SPY}:choose=true"
    assert only(BENCH).select is None
    assert only(BENCH, chooser).select == "dev"
    assert only(BENCH, chooser, split="dev").select is None
    assert only(BENCH, chooser, split="dev+test").select is None
    assert only(without(BENCH, "dev"), chooser).select is None


@pytest.mark.parametrize(
    ("benchmark", "how", "what"),
    [
        (without(ALONE, "test"), {}, "b: no split has answers"),
        (
            without(ALONE, "test"),
            {"split": "test"},
            "b: test: has no answers, which cross-validation needs",
        ),
        (
            ALONE,
            {"protocol": "train-test"},
            "b: test: no other split with answers can be used for training",
        ),
        (BENCH, {"folds": 1}, "--folds: is 1, must be at least 2"),
        (BENCH, {"split": "tset"}, "unknown split 'tset'; did you mean test?"),
        (replace(BENCH, splits={"x": ()}), {"split": "x"}, "b: x: has no items"),
    ],
)
def test_plans_that_cannot_be(benchmark: Benchmark, how: dict[str, Any], what: str) -> None:
    with pytest.raises(HansproofError) as caught:
        plan_runs(benchmark, [SPY], ["full"], [0], **how)
    assert what in str(caught.value)


def test_names_that_are_not_known() -> None:
    with pytest.raises(UnknownName, match="unknown model 'chanse'; did you mean chance"):
        plan_runs(BENCH, ["chanse"], ["full"], [0])
    with pytest.raises(UnknownName, match="unknown view 'stm'; did you mean stem"):
        plan_runs(BENCH, ["chance"], ["stm+choices"], [0])
