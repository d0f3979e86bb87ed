"""Runs in several orders of the choices: one training for all, and a record for each."""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.choice_orders import find_order
from hansproof.errors import BadInput, ModelError
from hansproof.models import load
from hansproof.scoring import compute_metrics
from hansproof.sweeps import (
    code_version,
    fit_all,
    plan_runs,
    predict,
    prepare_run,
    run_sweep,
    summarize_runs,
)
from hansproof.sweeps.run_keys import build_run_keys
from hansproof.sweeps.worker import group_key
from hansproof.types import Benchmark, ChoiceOrder, Item, Predictions

from ..support.sweep_factories import (
    BENCH,
    MODELS,
    MULTI_FIT,
    ROLES,
    SLOW,
    SPY,
    contents,
    holding,
    items,
    without,
)

PUPIL = str(MODELS / "pupil.py")
FIXED = Item("fixed", {"stem": "where", "hint": "x"}, ("river", "lake", "all of the above"), 1)
TRIPLES, PAIRS = items("test", 12, 3), items("pair", 6, 2)
# items of three choices, of two, and one that keeps its order
MIXED = Benchmark("b", {"train": items("train", 24, 3), "test": (*TRIPLES, *PAIRS, FIXED)}, ROLES)
ROTATIONS = ("full", "full/rotation=1", "full/rotation=2")


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which a learner writes down its calls; two runs at once."""
    monkeypatch.setenv("HANSPROOF_CALLS", str(tmp_path / "calls"))
    monkeypatch.setenv("HANSPROOF_ROOM", "2")
    return tmp_path / "calls"


def asked() -> list[Any]:
    """What the pupil that was loaded last was asked, run by run."""
    return list(sys.modules["hansproof_file.pupil"].ASKED)


def count_trainings(calls: Path) -> Counter[int]:
    """How often each seed was trained since the last time."""
    lines = calls.read_text().splitlines() if calls.exists() else []
    calls.unlink(missing_ok=True)
    steps = map(json.loads, lines)
    return Counter(step["seed"] for step in steps if step["what"] == "trains")


def sweep(
    folder: Path, model: str = MULTI_FIT, benchmark: Benchmark = MIXED, **plan: Any
) -> tuple[Predictions, ...]:
    """A sweep over two seeds in all rotations."""
    settings = {"views": ["full"], "seeds": range(2), "orders": "rotations", **plan}
    jobs = settings.pop("jobs", 1)
    views, seeds = settings.pop("views"), settings.pop("seeds")
    runs = plan_runs(benchmark, [model], views, seeds, **settings)
    return run_sweep(benchmark, runs, str(folder), jobs)


# plans


def test_orders_of_a_run_follow_each_other() -> None:
    runs = plan_runs(MIXED, [SPY], ["full", "choices"], range(2), orders="rotations")
    names = [name.replace("full", view) for view in ("full", "choices") for name in ROTATIONS]
    assert [(run.view, run.seed) for run in runs] == [
        (name, seed) for i in (0, 3) for seed in (0, 1) for name in names[i : i + 3]
    ]
    assert len({group_key(run) for run in runs}) == 2


@pytest.mark.parametrize(
    ("orders", "names"),
    [
        ("all", [f"permutation={number}" for number in range(1, 6)]),
        ("rotations", ["rotation=1", "rotation=2"]),
        ("1", []),
        ("3", ["random=1", "random=2"]),
        ("99", [f"random={number}" for number in range(1, 6)]),
    ],
)
def test_orders_are_planned_in_addition_to_the_published_one(orders: str, names: list[str]) -> None:
    runs = plan_runs(MIXED, ["chance"], ["full"], [0], orders=orders)
    assert [run.view for run in runs] == ["full", *(f"full/{name}" for name in names)]


def test_only_choices_that_are_listed_have_orders() -> None:
    views = ["question", "full/alone", "full/shuffled", "nonsense"]
    runs = plan_runs(MIXED, ["chance"], views, [0], orders="rotations")
    assert [run.view for run in runs] == [
        "stem+hint", "full/alone", "full/shuffled", "full/shuffled/rotation=1",
        "full/shuffled/rotation=2", "nonsense", "nonsense/rotation=1", "nonsense/rotation=2",
    ]  # fmt: skip


def test_an_order_that_a_view_names_is_planned_once() -> None:
    views = ["full/rotation=2", "full", "full/permutation=1"]
    runs = plan_runs(MIXED, ["chance"], views, [0], orders="rotations")
    assert [run.view for run in runs] == [
        "full/rotation=2", "full", "full/rotation=1", "full/permutation=1",
    ]  # fmt: skip


def test_each_split_has_as_many_orders_as_its_items() -> None:
    benchmark = replace(without(BENCH, "test"), splits={"train": TRIPLES, "dev": PAIRS}, roles={})
    runs = plan_runs(benchmark, ["chance"], ["full"], [0], orders="all")
    assert Counter(run.split for run in runs) == {"train": 6, "dev": 2}


def test_an_order_that_no_item_has_is_refused() -> None:
    assert plan_runs(MIXED, ["chance"], ["full/rotation=2"], [0])
    pairs = replace(BENCH, splits={"test": PAIRS})
    for name in ("full/rotation=2", "full/permutation=2", "full/random=2"):
        with pytest.raises(BadInput, match=f"--views: {name}: no item has so many orders"):
            plan_runs(pairs, ["chance"], ["full", name], [0])


@pytest.mark.parametrize("setting", ["0", "every", "-3"])
def test_orders_that_are_not_known_are_refused(setting: str) -> None:
    with pytest.raises(BadInput, match=r"--orders: is .*: give all, rotations, or a number"):
        plan_runs(MIXED, ["chance"], ["full"], [0], orders=setting)


@pytest.mark.parametrize(
    ("model", "view", "seeds"),
    [
        (PUPIL, "full", [3]),
        (PUPIL, "choices", [3]),
        (f"{PUPIL}:temperature=0.5", "full", [3, 4, 5]),
        (f"{PUPIL}:examples=2", "full", [3, 4, 5]),
        (PUPIL, "full/shuffled", [3, 4, 5]),
        (PUPIL, "nonsense", [3, 4, 5]),
        ("chance", "full", [3, 4, 5]),
        (SPY, "full", [3, 4, 5]),
    ],
)
def test_a_model_that_replies_the_same_each_time_gets_one_seed(
    model: str, view: str, seeds: list[int]
) -> None:
    runs = plan_runs(MIXED, [model], [view], range(3, 6), orders="2")
    assert [run.seed for run in runs if run.view == view] == seeds
    assert [run.seed for run in runs if run.view != view] == seeds


# several orders of one trained model


def finish_in_orders(
    model: str, benchmark: Benchmark = MIXED, view: str = "full", **plan: Any
) -> tuple[Predictions, ...]:
    """The predictions of one seed in all rotations, by one trained model."""
    runs = plan_runs(benchmark, [model], [view], [1], orders="rotations", **plan)
    built = load(model)
    prepared = prepare_run(benchmark, runs[0], built, runs[1:])
    fitted_models = fit_all(built, prepared.tasks)
    return tuple(prepared.finish_orders(fitted_models, code_version()))


def test_a_model_is_trained_in_the_published_order_and_scores_every_other() -> None:
    finish_in_orders(SPY)
    (fitted,) = sys.modules["hansproof_file.spy"].FITTED
    train = MIXED.splits["train"]
    assert [item.choices for item in fitted.learnt] == [item.choices for item in train]
    assert [item.answer for item in fitted.learnt] == [item.answer for item in train]
    scored_train, *scored_items = fitted.scored
    assert len(scored_train) == len(train)
    for number, visible_items in enumerate(scored_items):
        assert not any(item.answer is not None or item.id for item in visible_items)
        for item, visible in zip(TRIPLES, visible_items, strict=False):
            order = find_order(ChoiceOrder("rotation", number), item)
            assert order is not None
            assert visible.choices == tuple(item.choices[index] for index in order)
    assert len(scored_items) == 3


@pytest.mark.parametrize("protocol", ["train-test", "cv"])
def test_each_order_has_the_predictions_of_a_run_by_itself(
    protocol: Literal["train-test", "cv"],
) -> None:
    runs = plan_runs(
        MIXED, [MULTI_FIT], ["full"], [1], orders="rotations", protocol=protocol, folds=3
    )
    model = load(MULTI_FIT)
    prepared = prepare_run(MIXED, runs[0], model, runs[1:])
    assert len(prepared.tasks) == (3 if protocol == "cv" else 1)
    together = [*prepared.finish_orders(fit_all(model, prepared.tasks), code_version())]
    assert together == [predict(MIXED, run) for run in runs]
    assert [run.view for run in together] == [*ROTATIONS]
    assert len({run.train_accuracy for run in together}) == 1
    assert together[0].folds == together[1].folds == together[2].folds
    # and by the models of a run that has another order itself
    last = prepare_run(MIXED, runs[2], model, runs[:2])
    backwards = [*last.finish_orders(fit_all(model, last.tasks), code_version())]
    assert backwards == [together[2], together[0], together[1]]


def test_a_model_that_goes_by_texts_has_the_same_scores_in_every_order() -> None:
    for view in ("full", "choices", "full/shuffled", "nonsense"):
        published, *reordered = finish_in_orders(SPY, view=view)
        assert len(reordered) == 2
        assert {*published.scores} == {item.id for item in MIXED.splits["test"]}
        for run in reordered:
            assert run.scores == {id: published.scores[id] for id in run.scores}


def test_items_with_fewer_orders_are_not_asked_in_later_ones() -> None:
    published, second, third = finish_in_orders(SPY)
    assert published.unanswered == second.unanswered == {}
    assert third.unanswered == dict.fromkeys([item.id for item in PAIRS], "not asked")
    assert [*third.scores] == [*(item.id for item in TRIPLES), "fixed"]
    metrics = compute_metrics(third, MIXED.splits["test"])
    assert metrics["n"] == 13
    assert metrics["chance"] == pytest.approx(1 / 3)


def test_a_run_in_another_order_counts_the_items_that_keep_theirs() -> None:
    numbers = replace(FIXED, id="numbers", choices=("1", "2", "4"))
    splits = {**MIXED.splits, "test": (*MIXED.splits["test"], numbers)}
    published, second, third = finish_in_orders(SPY, replace(MIXED, splits=splits))
    assert "keep_order_references" not in published.params
    for run in (second, third):
        assert run.params["keep_order_references"] == run.params["keep_order_numbers"] == 1
        assert run.scores["numbers"] == published.scores["numbers"]


def test_without_other_orders_there_is_one_run() -> None:
    (run,) = plan_runs(MIXED, [MULTI_FIT], ["full/rotation=1"], [0])
    model = load(MULTI_FIT)
    prepared = prepare_run(MIXED, run, model)
    assert prepared.finish(fit_all(model, prepared.tasks), code_version()) == predict(MIXED, run)


def test_a_model_that_needs_no_training_scores_every_order() -> None:
    published, *reordered = finish_in_orders("longest")
    for run in reordered:
        assert run.scores == {id: published.scores[id] for id in run.scores}
        assert (run.protocol, run.train_accuracy) == ("given", None)


# several orders in a store


def test_a_learner_is_trained_once_for_all_orders_of_a_seed(calls: Path, tmp_path: Path) -> None:
    sweep(tmp_path / "store", views=["full", "choices"])
    assert len(contents(tmp_path / "store")) == 12
    assert count_trainings(calls) == {0: 2, 1: 2}  # two views
    sweep(tmp_path / "store", views=["full", "choices"])
    assert count_trainings(calls) == {}


def test_as_many_seeds_are_trained_together_as_without_orders(calls: Path, tmp_path: Path) -> None:
    sweep(tmp_path / "store", seeds=range(3))
    steps = [json.loads(line) for line in calls.read_text().splitlines()]
    assert [step["seeds"] for step in steps if step["what"] == "called"] == [[0, 1], [2]]


def test_a_learner_that_trains_one_at_a_time_is_trained_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANSPROOF_COUNTED", str(tmp_path / "counted"))
    sweep(tmp_path / "store", f"{SLOW}:nap=0", seeds=range(3), orders="all")
    assert len(contents(tmp_path / "store")) == 18
    assert (tmp_path / "counted").stat().st_size == 3


def test_folds_are_trained_once_for_all_orders(calls: Path, tmp_path: Path) -> None:
    sweep(tmp_path / "store", protocol="cv", folds=3)
    assert count_trainings(calls) == {0: 3, 1: 3}


@pytest.mark.parametrize(
    "missing",
    [
        ["full"],
        ["full/rotation=1"],
        ["full/rotation=2"],
        ["full", "full/rotation=2"],
        ["full/rotation=1", "full/rotation=2"],
    ],
)
def test_after_some_orders_are_finished_the_others_share_one_training(
    calls: Path, tmp_path: Path, missing: list[str]
) -> None:
    store = tmp_path / "store"
    sweep(store)
    before = contents(store)
    count_trainings(calls)
    runs = plan_runs(MIXED, [MULTI_FIT], ["full"], range(2), orders="rotations")
    for run, run_key in zip(runs, build_run_keys(MIXED, runs), strict=True):
        if run.view in missing and run.seed == 1:
            (store / run_key.file_name).unlink()
    sweep(store)
    assert count_trainings(calls) == {1: 1}
    assert contents(store) == before


def test_orders_that_are_added_later_share_one_training(calls: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    sweep(store, orders=None)
    published = contents(store)
    count_trainings(calls)
    sweep(store, orders="all")
    assert count_trainings(calls) == {0: 1, 1: 1}
    assert len(contents(store)) == 12
    assert {name: contents(store)[name] for name in published} == published


def test_orders_of_a_run_that_another_process_has_are_left_to_it(
    calls: Path, tmp_path: Path
) -> None:
    runs = plan_runs(MIXED, [MULTI_FIT], ["full"], range(2), orders="rotations")
    store = tmp_path / "store"
    with holding(store, build_run_keys(MIXED, runs)[0].digest) as process:

        def wait_for_seed_1() -> Counter[int]:
            deadline = time.monotonic() + 60
            try:  # names alone: files that are being written vanish
                while len([*store.glob("*.jsonl")]) < 3 and time.monotonic() < deadline:
                    time.sleep(0.01)
                return count_trainings(calls)
            finally:
                process.kill()  # or the sweep would wait for it for ever

        with ThreadPoolExecutor(1) as executor:
            waiting = executor.submit(wait_for_seed_1)
            predictions = run_sweep(MIXED, runs, str(store))
    assert waiting.result() == {1: 1}
    assert [(run.view, run.seed) for run in predictions] == [(r.view, r.seed) for r in runs]
    assert count_trainings(calls) == {0: 1}  # when the other process is gone


@pytest.mark.parametrize("jobs", [2, 3])
def test_a_learner_is_trained_once_however_many_processes_there_are(
    calls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.setenv("HANSPROOF_ROOM", "1")
    sweep(tmp_path / "store", f"{MULTI_FIT}:nap=0.05", seeds=range(4), orders="all", jobs=jobs)
    assert count_trainings(calls) == dict.fromkeys(range(4), 1)
    assert len(contents(tmp_path / "store")) == 24


def test_the_records_are_the_same_however_they_are_made(
    calls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep(tmp_path / "store")
    monkeypatch.setenv("HANSPROOF_ROOM", "1")
    sweep(tmp_path / "store of two", jobs=2)
    runs = plan_runs(MIXED, [MULTI_FIT], ["full"], range(2), orders="rotations")
    for run in reversed(runs):
        run_sweep(MIXED, [run], str(tmp_path / "store of each"))
    assert contents(tmp_path / "store") == contents(tmp_path / "store of two")
    assert contents(tmp_path / "store") == contents(tmp_path / "store of each")


def test_the_model_of_all_orders_is_saved_once(tmp_path: Path) -> None:
    store, models = tmp_path / "store", tmp_path / "models"
    runs = plan_runs(MIXED, [MULTI_FIT], ["full"], range(2), orders="rotations")
    messages: list[str] = []
    for _ in range(2):
        run_sweep(MIXED, runs, str(store), notify=messages.append, models_folder=str(models))
        assert sorted(path.read_text() for path in models.glob("*/weights")) == ["seed 0", "seed 1"]
    assert messages == []


def test_models_that_were_not_saved_are_mentioned_with_all_their_orders(tmp_path: Path) -> None:
    store, models = tmp_path / "store", tmp_path / "models"
    runs = plan_runs(MIXED, [MULTI_FIT], ["full"], range(2), orders="rotations")
    run_sweep(MIXED, runs[:3], str(store))
    messages: list[str] = []
    run_sweep(MIXED, runs, str(store), notify=messages.append, models_folder=str(models))
    (message,) = messages
    assert "3 runs were already in the store and not trained again" in message
    assert [path.read_text() for path in models.glob("*/weights")] == ["seed 1"]


def test_orders_are_summarised_one_by_one(tmp_path: Path) -> None:
    runs = plan_runs(MIXED, [SPY], ["full"], range(2), orders="rotations")
    predictions = run_sweep(MIXED, runs, str(tmp_path / "store"))
    summaries = summarize_runs(MIXED, runs, predictions, str(tmp_path / "store"))
    assert [(s.view, s.seeds, s.n) for s in summaries] == [
        (name, 2, n) for name, n in zip(ROTATIONS, (19, 19, 13), strict=True)
    ]
    assert summaries[0].accuracy == summaries[1].accuracy


# models that are asked


def test_a_model_is_asked_in_every_order_and_each_reply_is_written_before_the_next(
    tmp_path: Path,
) -> None:
    runs = sweep(tmp_path / "store", PUPIL)
    assert [lesson.n_records for lesson in asked()] == [0, 1, 2]
    assert {lesson.context.folder for lesson in asked()} == {str(tmp_path / "store")}
    for number, lesson in enumerate(asked()):
        shown = [
            (item, order)
            for item in MIXED.splits["test"]
            if (order := find_order(ChoiceOrder("rotation", number), item)) is not None
        ]
        assert len(lesson.questions) == len(shown) == (13 if number == 2 else 19)
        for question, (item, order) in zip(lesson.questions, shown, strict=True):
            assert question.choices == tuple(item.choices[index] for index in order)
            assert question.item.choices == question.choices
            assert (question.item.answer, question.item.id) == (None, "")
    assert runs[0].params["lessons"] == 1
    assert runs[2].params["lessons"] == 3
    assert runs[2].params["keep_order_references"] == 1


def test_replies_come_back_to_the_published_order() -> None:
    published, *reordered = finish_in_orders(PUPIL)
    for item in MIXED.splits["test"]:
        scores = published.scores[item.id]
        assert published.text_answers[item.id] == scores.index(min(scores))
    for run in reordered:
        assert run.scores == {id: published.scores[id] for id in run.scores}
        assert run.text_answers == {id: published.text_answers[id] for id in run.scores}
        assert run.unanswered == {
            item.id: "not asked" for item in PAIRS if run.view == "full/rotation=2"
        }


def test_a_model_that_goes_by_place_picks_every_choice_once() -> None:
    runs = finish_in_orders(f"{PUPIL}:habit=first place")
    picks = [{id: row.index(max(row)) for id, row in run.scores.items()} for run in runs]
    for item in TRIPLES:
        assert [pick[item.id] for pick in picks] == [0, 1, 2]
    for item in PAIRS:
        assert [pick.get(item.id) for pick in picks] == [0, 1, None]
    assert [pick["fixed"] for pick in picks] == [0, 0, 0]


def test_items_that_a_model_declines_have_a_reason_in_every_order() -> None:
    published, *reordered = finish_in_orders(f"{PUPIL}:habit=decline some")
    declined = [id for id, reason in published.unanswered.items() if reason == "refused"]
    assert 0 < len(declined) < len(MIXED.splits["test"])
    assert {published.text_answers[id] for id in declined} == {"ambiguous"}
    for run in reordered:
        assert {*run.scores} | {*run.unanswered} == {item.id for item in MIXED.splits["test"]}
        for id in declined:
            assert run.unanswered[id] in ("refused", "not asked")
            assert run.text_answers.get(id) == (
                "ambiguous" if run.unanswered[id] == "refused" else None
            )


def test_one_choice_at_a_time_there_is_an_answer_if_there_is_one_for_each() -> None:
    (run,) = plan_runs(MIXED, [PUPIL], ["full/alone"], [0])
    predictions = predict(MIXED, run)
    (lesson,) = asked()
    assert [question.item.choices for question in lesson.questions] == [
        (choice,) for item in MIXED.splits["test"] for choice in item.choices
    ]
    together = predict(MIXED, plan_runs(MIXED, [PUPIL], ["full"], [0])[0])
    assert predictions.scores == together.scores
    assert predictions.text_answers == {}
    (run,) = plan_runs(MIXED, [f"{PUPIL}:habit=decline some"], ["full/alone"], [0])
    predictions = predict(MIXED, run)
    assert {*predictions.unanswered.values()} == {"refused"}


def test_random_words_are_the_choices_that_an_answer_may_name() -> None:
    runs = plan_runs(MIXED, [PUPIL], ["nonsense"], [4], orders="rotations")
    prepared = prepare_run(MIXED, runs[0], load(PUPIL), runs[1:])
    published, *reordered = prepared.finish_orders(iter(()), "")
    for lesson in asked():
        assert all(question.choices == question.item.choices for question in lesson.questions)
    words = [question.choices for question in asked()[0].questions]
    assert words != [item.choices for item in MIXED.splits["test"]]
    for run in reordered:
        assert run.scores == {id: published.scores[id] for id in run.scores}


def test_hidden_choices_are_still_those_that_an_answer_may_name() -> None:
    (run,) = plan_runs(MIXED, [PUPIL], ["question"], [0])
    predict(MIXED, run)
    (lesson,) = asked()
    for question, item in zip(lesson.questions, MIXED.splits["test"], strict=True):
        assert question.choices == item.choices
        assert {*question.item.choices} == {""}


def test_questions_are_those_that_a_run_asks() -> None:
    runs = plan_runs(MIXED, [PUPIL], ["full/rotation=2"], [0])
    prepared = prepare_run(MIXED, runs[0], load(PUPIL))
    prepared.finish(iter(()), "")
    assert prepared.questions() == [*asked()[0].questions]


def test_what_breaks_in_a_later_order_leaves_the_earlier_ones_finished(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with pytest.raises(ModelError, match="pupil: is tired"):
        sweep(store, f"{PUPIL}:habit=break,patience=2")
    assert len(contents(store)) == 2
    asked_views = re.findall(r"full(?:-rotation-\d)?(?=\.0)", " ".join(sorted(contents(store))))
    assert asked_views == ["full-rotation-1", "full"]
    sweep(store, f"{PUPIL}:habit=break,patience=2")
    assert len(asked()) == 1  # only what was missing
    assert len(contents(store)) == 3


@pytest.mark.parametrize(
    ("habit", "error"),
    [
        ("few", r"returned 18 answers to 19 questions .view full, seed 0"),
        ("short", r"returned 2 scores for 3 choices .view full, seed 0"),
        ("nan", r"a score is nan .view full, seed 0"),
    ],
)
def test_replies_of_another_shape_are_refused(tmp_path: Path, habit: str, error: str) -> None:
    with pytest.raises(ModelError, match=error):
        sweep(tmp_path / "store", f"{PUPIL}:habit={habit}")
    assert contents(tmp_path / "store") == {}


@given(
    st.lists(st.integers(2, 5), min_size=1, max_size=6),
    st.sampled_from(["all", "rotations", "4", "30"]),
    st.sampled_from(["full", "choices", "full/shuffled", "nonsense"]),
)
def test_replies_by_text_are_the_same_in_any_order(
    sizes: list[int], orders: str, view: str
) -> None:
    test = tuple(
        replace(item, id=str(i))
        for i, n_choices in enumerate(sizes)
        for item in items(f"{i}", 1, n_choices)
    )
    benchmark = Benchmark("b", {"test": test}, {"test": "test"})
    runs = plan_runs(benchmark, [PUPIL], [view], [0], orders=orders)
    prepared = prepare_run(benchmark, runs[0], load(PUPIL), runs[1:])
    published, *reordered = prepared.finish_orders(iter(()), "")
    assert [*published.scores] == [item.id for item in test]
    for run in reordered:
        assert run.scores == {id: published.scores[id] for id in run.scores}
        assert {*run.text_answers} == {*run.scores}
        for id, row in run.scores.items():
            answer = run.text_answers[id]
            assert isinstance(answer, int)
            assert row[answer] == min(row)
        assert len(run.scores) + len(run.unanswered) == len(test)
