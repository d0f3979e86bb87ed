from __future__ import annotations

from dataclasses import replace

import pytest
from scipy.stats import binomtest

from hansproof.probes.accuracy import BELOW_BASELINE, Accuracy
from hansproof.types import Benchmark, Item, Predictions

from ..support.probe_factories import records as rows
from ..support.probe_factories import run


def items(n: int, split: str = "", position: int | None = None) -> tuple[Item, ...]:
    return tuple(
        Item(
            f"{split}{i}",
            {"q": f"why {i}"},
            ("one", "other"),
            i % 2 if position is None else position,
        )
        for i in range(n)
    )


def test_a_good_model_beats_every_baseline() -> None:
    benchmark = Benchmark("b", {"all": items(200)})
    result = Accuracy()(benchmark, [run(benchmark.splits["all"], "good", knows=0.8)])
    (row,) = rows(result)
    assert result.verdict == "clear"
    assert row["accuracy"] == pytest.approx(0.9, abs=0.06)
    assert row["low"] < row["accuracy"] < row["high"]
    assert row["bootstrap_low"] == pytest.approx(row["low"], abs=0.02)
    assert row["chance"] == 0.5
    assert row["tie_rate"] == 0


def test_a_model_that_only_knows_the_frequent_label_is_found_out() -> None:
    """70 % of the labels are 1: so is what it says, and so is its accuracy."""
    some = tuple(replace(item, answer=int(i % 10 < 7)) for i, item in enumerate(items(200)))
    always = Predictions("b", "all", "", "lazy", "full", {i.id: (0.0, 1.0) for i in some})
    result = Accuracy()(Benchmark("b", {"all": some}), [always])
    (row,) = rows(result)
    assert row["accuracy"] == row["majority"] == 0.7
    assert row["flag"] == BELOW_BASELINE
    assert result.verdict == "caution"


def test_the_majority_label_is_learnt_where_one_trains() -> None:
    benchmark = Benchmark(
        "b", {"train": items(50, "t", 0), "all": items(40, position=1)}, {"train": "train"}
    )
    result = Accuracy()(benchmark, [run(benchmark.splits["all"], "good", knows=1.0)])
    (row,) = rows(result)
    assert row["majority"] == 0
    assert result.notes == (
        "all: good is right on every item: is it the answer key itself?",
        "all: the majority label is that of train.",
    )
    assert result.verdict == "caution"


def test_ties_count_by_expectation_not_by_position() -> None:
    some = items(100, position=0)  # an argmax would call all of them right
    flat = Predictions("b", "all", "", "flat", "full", {i.id: (0.5, 0.5) for i in some})
    (row,) = rows(Accuracy()(Benchmark("b", {"all": some}), [flat]))
    assert row["accuracy"] == 0.5
    assert row["tie_rate"] == 1


def test_runs_of_a_model_are_one_system_and_stay_apart_by_view() -> None:
    some = items(60)
    runs = [run(some, "m", view, seed=seed) for view in ("full", "choices") for seed in (1, 2, 3)]
    result = Accuracy()(Benchmark("b", {"all": some}), runs)
    assert [(row["system"], row["runs"]) for row in rows(result)] == [("m", 3), ("m, choices", 3)]
    assert [row["seed"] for row in rows(result, "runs")] == [1, 2, 3, 1, 2, 3]


def test_systems_are_named_by_what_tells_them_apart() -> None:
    some = items(60)
    runs = [
        run(some, "m", trained_on="a"), run(some, "m", trained_on="b"),
        run(some, "n", trained_on="a"),
        run(some, "p", params={"rate": 1, "size": 8}),
        run(some, "p", params={"rate": 2, "size": 8}),
        run(some, "q", params={"size": 8}), run(some, "q", params={"size": 8, "warm": True}),
    ]  # fmt: skip
    names = [row["system"] for row in rows(Accuracy()(Benchmark("b", {"all": some}), runs))]
    assert names == [
        "m, trained on a", "m, trained on b", "n", "p, rate=1", "p, rate=2", "q", "q, warm=True",
    ]  # fmt: skip


def test_items_nobody_gets_right_are_shown() -> None:
    some = items(30)
    wrong = Predictions("b", "all", "", "w", "full", {
        i.id: tuple(float(c == (i.answer if i.id != "7" else 1 - (i.answer or 0))) for c in (0, 1))
        for i in some
    })  # fmt: skip
    result = Accuracy()(Benchmark("b", {"all": some}), [wrong, replace(wrong, model="v")])
    assert result.evidence == {"all: wrong in every run": ("7",)}


def test_against_chance_a_single_run_is_tested_exactly() -> None:
    """Ten choices, ten items, five right: the binomial p."""
    some = tuple(Item(f"{i}", {"q": f"why {i}"}, tuple("abcdefghij"), i % 10) for i in range(10))
    scores = {
        i.id: tuple(
            float(c == ((i.answer or 0) if at < 5 else (i.answer or 0) - 1) % 10) for c in range(10)
        )
        for at, i in enumerate(some)
    }
    found = Predictions("b", "all", "", "m", "full", scores)
    (row,) = rows(Accuracy()(Benchmark("b", {"all": some}), [found]))
    assert row["accuracy"] == 0.5
    assert row["p"] == pytest.approx(binomtest(5, 10, 0.1, alternative="greater").pvalue)


def test_the_order_of_parameters_does_not_matter() -> None:
    some = items(60)
    runs = [
        run(some, "m", seed=1, params={"a": 1, "b": 2}),
        run(some, "m", seed=2, params={"b": 2, "a": 1}),
    ]
    (row,) = rows(Accuracy()(Benchmark("b", {"all": some}), runs))
    assert row["runs"] == 2
