from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2

from hansproof.inputs.accuracies import SeedAccuracy
from hansproof.probes.accuracy import Accuracy
from hansproof.probes.seeds import Seeds
from hansproof.types import Benchmark, Item, NoAnswer

from ..support.probe_factories import records as rows
from ..support.probe_factories import run

TRAIN = tuple(Item(f"t{i}", {"q": "why"}, ("one", "other"), i % 2) for i in range(400))
SOME = tuple(Item(f"{i}", {"q": "why"}, ("one", "other"), i % 2) for i in range(200))
BENCHMARK = Benchmark("b", {"train": TRAIN, "all": SOME}, {"train": "train", "test": "all"})


def test_runs_that_learnt_nothing_are_set_apart() -> None:
    trained = (0.95, 0.52, math.nan, 0.9, 0.93)
    runs = [
        run(SOME, "m", knows=0.8 if train > 0.6 else 0.0, seed=seed, train_accuracy=train)
        for seed, train in enumerate(trained)
    ]
    result = Seeds()(BENCHMARK, predictions=runs)
    (row,) = rows(result, "systems")
    assert [r["flag"] for r in rows(result, "runs")] == ["", "degenerate", "degenerate", "", ""]
    assert row["degenerate"] == 2
    assert row["mean_without"] > row["mean"] + 0.1
    assert row["sd_sample"] > row["sd_population"] > row["sd_without"]
    assert result.verdict == "caution"
    assert "2 runs learnt nothing" in result.summary


def test_the_papers_rule_is_another() -> None:
    runs = [run(SOME, "m", seed=s, train_accuracy=0.7) for s in (1, 2)]
    assert rows(Seeds()(BENCHMARK, predictions=runs), "systems")[0]["degenerate"] == 0
    strict = Seeds(rule="niven2019")(BENCHMARK, predictions=runs)
    assert rows(strict, "systems")[0]["degenerate"] == 2


def test_accuracies_by_seed_will_do() -> None:
    table = [
        SeedAccuracy("m", seed, 0.9 if seed else 0.5, {"all": 0.6 + seed / 100, "elsewhere": 0.5})
        for seed in range(5)
    ]
    result = Seeds()(BENCHMARK, accuracies=table)
    found = {row["split"]: row for row in rows(result, "systems")}
    assert found["all"]["mean"] == pytest.approx(0.62)
    assert found["all"]["chance"] == 0.5
    assert found["elsewhere"]["chance"] is None
    assert "1 run learnt nothing" in result.summary  # once, though scored on two splits


def test_a_run_that_comes_both_ways_counts_once() -> None:
    runs = [run(SOME, "m", seed=s) for s in (1, 2)]
    table = [SeedAccuracy("m", s, 0.9, {"all": 0.7}) for s in (1, 2, 3)]
    (row,) = rows(Seeds()(BENCHMARK, predictions=runs, accuracies=table), "systems")
    assert row["runs"] == 3


def test_what_is_not_known_is_said() -> None:
    lone = Seeds()(BENCHMARK, predictions=[run(SOME, "m")])
    assert "only one run" in lone.summary
    assert lone.verdict == "skipped"
    assert lone.notes == (
        "Training accuracy is unknown for the only run, so failed runs cannot be detected.",
    )
    bare = Benchmark("b", {"all": SOME})
    runs = [run(SOME, "m", seed=s, train_accuracy=0.5) for s in (1, 2)]
    result = Seeds()(bare, predictions=runs)
    assert result.notes == ("Degenerate runs cannot be detected without the training split.",)


def test_a_wide_spread_calls_for_care() -> None:
    table = [SeedAccuracy("m", s, 0.9, {"all": value}) for s, value in enumerate((0.48, 0.77))]
    assert Seeds()(BENCHMARK, accuracies=table).verdict == "caution"
    assert Seeds(margin=0.3)(BENCHMARK, accuracies=table).verdict == "clear"


def test_a_run_trained_elsewhere_is_not_judged() -> None:
    runs = [run(SOME, "m", seed=s, train_accuracy=0.5, trained_on="more") for s in (1, 2)]
    result = Seeds()(BENCHMARK, predictions=runs)
    assert rows(result, "systems")[0]["degenerate"] == 0
    assert result.notes == (
        "Degenerate runs cannot be detected among 2 of 2 runs: trained on something other than "
        "this benchmark's training split.",
    )
    here = [run(SOME, "m", seed=s, train_accuracy=0.5, trained_on="b:train") for s in (1, 2)]
    assert rows(Seeds()(BENCHMARK, predictions=here), "systems")[0]["degenerate"] == 2


def test_runs_with_the_same_score_are_said_to_be_the_same_and_noted_once() -> None:
    runs = [run(SOME, "m", knows=1.0, seed=s, trained_on="more") for s in (1, 2, 3)]
    result = Seeds()(BENCHMARK, predictions=runs)
    assert result.verdict == "clear"
    assert result.summary.startswith("All 3 runs of m")
    assert result.summary.endswith("in all, so the model may not depend on the seed.")
    assert result.notes == (
        "Training accuracy is unknown for all 3 runs, so failed runs cannot be detected.",
    )


def test_a_mean_has_its_interval_in_one_place() -> None:
    """`accuracy` gives the mean with an interval over items, `seeds` the spread over runs."""
    runs = [run(SOME, "m", knows=knows, seed=s) for s, knows in enumerate((0.3, 0.5, 0.7))]
    seeds, accuracy = Seeds()(BENCHMARK, predictions=runs), Accuracy()(BENCHMARK, runs)
    (spread,), (mean,) = seeds.estimates, accuracy.estimates
    (row,) = rows(seeds, "systems")
    assert mean.value == pytest.approx(row["mean"])
    assert spread.value == row["sd_sample"]
    assert (spread.name, spread.n) == ("all: m, standard deviation over runs", 3)
    assert seeds.key == spread.name
    assert not {"low", "high"} & set(row)
    columns = set(rows(accuracy, "systems")[0])
    assert {"low", "high"} <= columns
    assert not {name for name in columns if name.startswith("bootstrap")}
    assert "Intervals are over items, for these runs" in accuracy.notes[-1]


def test_the_interval_of_a_standard_deviation() -> None:
    table = [SeedAccuracy("m", s, 0.9, {"all": 0.5 + s / 100}) for s in range(10)]
    (spread,) = Seeds()(BENCHMARK, accuracies=table).estimates
    deviation = np.std([row.accuracy["all"] for row in table], ddof=1)
    assert spread.value == pytest.approx(deviation)
    assert spread.low == pytest.approx(deviation * (9 / chi2.ppf(0.975, 9)) ** 0.5)
    assert spread.high == pytest.approx(deviation * (9 / chi2.ppf(0.025, 9)) ** 0.5)
    two = [SeedAccuracy("m", s, 0.9, {"all": 0.2 + s / 2}) for s in range(2)]
    (wide,) = Seeds()(BENCHMARK, accuracies=two).estimates
    assert wide.high == pytest.approx(0.5**0.5)  # two accuracies are never farther apart
    same = [SeedAccuracy("m", s, 0.9, {"all": 0.5}) for s in range(3)]
    (none,) = Seeds()(BENCHMARK, accuracies=same).estimates
    assert (none.value, none.low, none.high) == (0, 0, 0)


def test_missing_answers_are_noted() -> None:
    runs = [run(SOME, "m", seed=s, train_accuracy=0.9) for s in (1, 2)]
    scores = {id: row for id, row in runs[0].scores.items() if int(id) >= 10}
    reasons: dict[str, NoAnswer] = {f"{i}": "not asked" if i < 4 else "refused" for i in range(10)}
    limited = replace(runs[0], scores=scores, unanswered=reasons)
    not_asked, missing = Seeds()(BENCHMARK, predictions=[limited, runs[1]]).notes
    assert not_asked == "m: 4 of 200 items of all were not given to it and are left out."
    assert missing.startswith("m: 6 of 392 answers in all are missing (6 refused) and count as")


def test_unknown_training_accuracies_are_counted() -> None:
    unknown = [run(SOME, "m", seed=s) for s in (1, 2)]
    known = run(SOME, "m", seed=3, train_accuracy=0.9)
    assert Seeds()(BENCHMARK, predictions=unknown).notes == (
        "Training accuracy is unknown for all 2 runs, so failed runs cannot be detected.",
    )
    assert Seeds()(BENCHMARK, predictions=[*unknown, known]).notes == (
        "Training accuracy is unknown for 2 of 3 runs, so failed runs among them cannot be "
        "detected.",
    )


def test_models_that_are_asked_at_temperature_0_need_no_seeds() -> None:
    asked, warm = (
        replace(run(SOME, model), params={"way": "text", "temperature": temperature})
        for model, temperature in (("cold", 0.0), ("warm", 0.7))
    )
    reason = "Skipped: every system has only one run"
    hint = "seeds change nothing for models that are asked at temperature 0"
    assert Seeds()(BENCHMARK, predictions=[asked]).summary == f"{reason}; {hint}."
    remedy = "give runs with several seeds"
    assert Seeds()(BENCHMARK, predictions=[warm]).summary == f"{reason}; {remedy}."
    both = Seeds()(BENCHMARK, predictions=[asked, warm])
    assert both.summary == f"{reason}; {remedy} ({hint})."
