"""One run: what a model gets to see, and what comes out."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from hansproof import load
from hansproof.errors import BadInput, ModelError
from hansproof.scoring import compute_metrics
from hansproof.sweeps import (
    code_version,
    predict,
    summarize_runs,
    summary_notes,
)
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Benchmark, Items

from ..support.sweep_factories import (
    ALONE,
    BENCH,
    DEV,
    SLOW,
    SPY,
    TEST,
    TRAIN,
    items,
    only,
    without,
)


def fitted() -> list[Any]:
    """What the spy that was loaded last was shown, training by training."""
    return list(sys.modules["hansproof_file.spy"].FITTED)


def test_what_is_said_of_a_run() -> None:
    run = predict(BENCH, only(BENCH, f"{SPY}:rates=0.1|0.2", "choices", seed=3))
    assert run.model == "spy.py"
    assert (run.benchmark, run.split, run.view, run.seed) == ("b", "test", "choices", 3)
    assert (run.protocol, run.trained_on) == ("train-test", "train")
    assert (run.tokenizer, run.device, run.version) == ("spy's own", "cpu", code_version())
    assert run.params == {
        "choose": False, "rates": (0.1, 0.2), "does": "well", "at": -1, "once": "",
        "vectors": "ab" * 32, "chosen": "rate=0.2",
    }  # fmt: skip
    assert list(run.scores) == [item.id for item in TEST]
    assert run.sha256 == BENCH.sha256()["test"]
    assert run.train_accuracy is not None
    assert 0 < run.train_accuracy < 1


def test_what_is_said_of_folds() -> None:
    run = predict(ALONE, only(ALONE, folds=3))
    assert (run.protocol, run.trained_on) == ("cv", "test")
    assert (run.params["folds"], run.params["chosen"]) == (3, ("rate=0.5",) * 3)
    assert len(fitted()) == 3
    assert list(run.scores) == [item.id for item in TEST]


def test_a_model_that_needs_no_training() -> None:
    run = predict(BENCH, only(BENCH, "chance"))
    assert (run.protocol, run.trained_on, run.train_accuracy) == ("given", None, None)
    assert compute_metrics(run, TEST) == {
        "accuracy": 0.5, "chance": 0.5, "n": 20, "tie_rate": 1.0, "train_accuracy": None
    }  # fmt: skip


def test_a_split_without_answers_has_scores_and_no_accuracy() -> None:
    bare = without(BENCH, "test")
    run = predict(bare, only(bare, split="test"))
    assert run.scores == predict(BENCH, only(BENCH)).scores
    assert compute_metrics(run, bare.splits["test"])["accuracy"] is None


@pytest.mark.parametrize("view", ["full", "choices", "stem", "choices/alone", "full/shuffled"])
@pytest.mark.parametrize("benchmark", [BENCH, ALONE], ids=["train-test", "cv"])
def test_nothing_is_seen_but_what_the_view_shows(benchmark: Benchmark, view: str) -> None:
    predict(benchmark, only(benchmark, view=view))
    kept = {"full": {"stem", "hint"}, "stem": {"stem"}}.get(view.partition("/")[0], set())
    for model in fitted():
        for item in (*model.learnt, *(i for some in model.scored for i in some)):
            assert set(item.fields) == kept
            assert item.group is None
            assert item.id == ""
            assert set(item.meta) <= {"asks_for"}
            assert "choices" in view or "full" in view or not any(item.choices)
        assert any(item.answer is not None for item in model.learnt)
        # when it is asked, also about what it learnt from, answers are not shown
        assert all(item.answer is None for some in model.scored for item in some)
        assert len(model.scored) == 2


def test_a_view_without_choices_ties_and_scores_chance() -> None:
    three = Benchmark("b", {"test": items("q", 30, choices=3)})
    run = predict(three, only(three, view="stem"))
    found = compute_metrics(run, three.splits["test"])
    assert found["tie_rate"] == 1
    assert found["accuracy"] == pytest.approx(1 / 3)
    assert run.train_accuracy == pytest.approx(1 / 3)
    (row,) = summarize_runs(three, [only(three, view="stem")], [run], "store")
    (note,) = summary_notes(three, [row])
    assert note.startswith("stem of test shows no choices, so all of them tie")
    assert "1/m (33.3%); always taking the first would score 33.3%" in note
    odd = replace(row, tie_rate=0.5)
    assert "can only have used their position" in summary_notes(three, [odd])[0]


def test_one_choice_at_a_time() -> None:
    run = predict(BENCH, only(BENCH, view="choices/alone"))
    (model,) = fitted()
    assert {len(item.choices) for item in model.learnt} == {1}
    assert len(model.learnt) == 2 * len(TRAIN)
    assert run.scores == predict(BENCH, only(BENCH, view="choices")).scores
    assert run.train_accuracy == predict(BENCH, only(BENCH, view="choices")).train_accuracy


def texts(some: Items) -> list[tuple[str, ...]]:
    return [(*item.fields.values(), *item.choices) for item in some]


@pytest.mark.parametrize("model", [SPY, f"{SPY}:choose=true"], ids=["learns", "chooses"])
@pytest.mark.parametrize("seed", [0, 1])
def test_folds_keep_units_together_and_score_each_item_once(model: str, seed: int) -> None:
    balanced = load("toy:balanced")
    whole = balanced.splits["balanced"]
    unit = dict(zip(texts(whole), find_leakage_groups(whole), strict=True))
    predict(balanced, only(balanced, model, seed=seed, folds=4))
    asked: Counter[tuple[str, ...]] = Counter()
    for one in fitted():
        learnt, scored = one.scored  # of what it learnt from, then of its fold
        assert texts(learnt) == texts(one.learnt)
        asked.update(texts(scored))
        seen, chosen, held = (
            {unit[text] for text in texts(some)} for some in (one.learnt, one.select, scored)
        )
        assert not seen & held
        assert not seen & chosen
        assert not chosen & held
        assert seen | chosen | held == set(unit.values())
        assert bool(chosen) == ("choose" in model)
    assert asked == Counter(texts(whole))


def test_who_chooses_gets_the_select_split_or_a_tenth_of_the_units() -> None:
    chooser = f"{SPY}:choose=true"
    predict(BENCH, only(BENCH, chooser))
    assert texts(fitted()[0].select) == texts(DEV)
    assert texts(fitted()[0].learnt) == texts(TRAIN)
    bare = without(BENCH, "dev")
    cuts = []
    for seed in (0, 1):
        predict(bare, only(bare, chooser, seed=seed))
        assert len(fitted()[0].select) == len(TRAIN) / 10
        assert sorted(texts(fitted()[0].learnt + fitted()[0].select)) == sorted(texts(TRAIN))
        cuts.append(texts(fitted()[0].select))
    assert cuts[0] != cuts[1]
    predict(bare, only(bare))
    assert fitted()[0].select == ()
    assert texts(fitted()[0].learnt) == texts(TRAIN)


def test_no_more_folds_than_units() -> None:
    pairs = tuple(replace(item, group=str(at % 3)) for at, item in enumerate(TEST))
    run = predict(Benchmark("b", {"test": pairs}), only(ALONE, folds=5))
    assert run.params["folds"] == 3
    one = Benchmark("b", {"test": tuple(replace(item, group="g") for item in TEST)})
    with pytest.raises(BadInput, match="b: test: all items are in one group"):
        predict(one, only(one))


def test_others_fields_are_never_of_the_same_item_even_in_small_folds() -> None:
    predict(ALONE, only(ALONE, view="full/shuffled", folds=len(TEST)))
    own = {item.choices: item.fields["stem"] for item in TEST}
    for one in fitted():
        for item in (*one.learnt, *one.scored[1]):
            assert own[item.choices] != item.fields["stem"]


@pytest.mark.parametrize("benchmark", [BENCH, ALONE], ids=["train-test", "cv"])
def test_the_same_seed_says_the_same(benchmark: Benchmark) -> None:
    first = predict(benchmark, only(benchmark, SLOW, seed=1))
    assert predict(benchmark, only(benchmark, SLOW, seed=1)) == first
    assert predict(benchmark, only(benchmark, SLOW, seed=2)).scores != first.scores


@pytest.mark.parametrize(
    ("does", "what"),
    [
        ("nan", "a score is nan"),
        ("short", "returned 1 score for 2 choices"),
        ("few", "returned 39 rows of scores for 40 items"),
    ],
)
def test_scores_that_are_none(does: str, what: str) -> None:
    spec = f"{SPY}:does={does}"
    with pytest.raises(ModelError) as caught:
        predict(BENCH, only(BENCH, spec, "choices", seed=7))
    assert str(caught.value) == f"{spec}: {what} (view choices, seed 7)"
