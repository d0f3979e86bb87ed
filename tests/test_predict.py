"""Runs: what is planned, what a model gets to see, what comes out, and what a sweep keeps."""

from __future__ import annotations

import ast
import os
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hansproof import load
from hansproof.errors import BadInput, HansproofError, ModelError, UnknownName
from hansproof.sweeps import (
    RunSpec,
    code_version,
    compute_metrics,
    plan_runs,
    predict,
    run_sweep,
    summarize_runs,
    summary_notes,
)
from hansproof.sweeps.version import ROOT, SOURCES
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Benchmark, Item, Items

from .test_layers import imports

HERE = Path(__file__).parent / "training"
SPY, SLOW = str(HERE / "spy.py"), str(HERE / "slow.py")


def items(name: str, n: int, choices: int = 2, answers: bool = True) -> Items:
    texts = [tuple(f"{name} {i} {c}" for c in range(choices)) for i in range(n)]
    return tuple(
        Item(f"{name}{i}", {"stem": f"which, {name} {i}", "hint": f"{i}"}, texts[i],
             i % choices if answers else None, meta={"asks_for": "cause", "secret": i})
        for i in range(n)
    )  # fmt: skip


TRAIN, DEV, TEST = items("train", 40), items("dev", 10), items("test", 20)
ROLES = {"train": "train", "select": "dev", "test": "test"}
BENCH = Benchmark("b", {"train": TRAIN, "dev": DEV, "test": TEST}, ROLES)
ALONE = Benchmark("b", {"test": TEST}, {"test": "test"})


def only(benchmark: Benchmark, model: str = SPY, view: str = "full", **more: Any) -> RunSpec:
    (run,) = plan_runs(benchmark, [model], [view], [more.pop("seed", 0)], **more)
    return run


def fitted() -> list[Any]:
    """What the spy that was loaded last was shown, training by training."""
    return list(sys.modules["hansproof_file.spy"].FITTED)


def without(benchmark: Benchmark, *splits: str) -> Benchmark:
    """The benchmark with the answers of some splits unknown."""
    bare = {s: tuple(replace(i, answer=None) for i in benchmark.splits[s]) for s in splits}
    return replace(benchmark, splits={**benchmark.splits, **bare})


# the plan


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
        (without(ALONE, "test"), {"split": "test"}, "b: test: has no answers to learn from"),
        (ALONE, {"protocol": "train-test"}, "b: test: no other split with answers is for training"),
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


# one run


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
    assert note.startswith("stem of test shows no choices, so all tie by construction")
    assert "1/m (33.3%); an argmax would print 33.3%" in note
    odd = replace(row, tie_rate=0.5)
    assert "told them apart: by position alone" in summary_notes(three, [odd])[0]


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
    balanced = load("stable:balanced")
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
    with pytest.raises(BadInput, match="b: test: all items belong together"):
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
        ("short", "gave 1 scores for 2 choices"),
        ("few", "gave 39 rows of scores for 40 items"),
    ],
)
def test_scores_that_are_none(does: str, what: str) -> None:
    spec = f"{SPY}:does={does}"
    with pytest.raises(ModelError) as caught:
        predict(BENCH, only(BENCH, spec, "choices", seed=7))
    assert str(caught.value) == f"{spec}: {what} (view choices, seed 7)"


# the version


def test_all_that_can_change_a_score_is_in_the_version() -> None:
    """Whatever models, training and predict import, directly or not, or is known to be harmless."""
    harmless = {
        "benchmarks", "cluster", "errors", "fetch", "files", "formats", "plugins", "predictions",
        "progress",
    }  # fmt: skip
    left, known = ["models", "training", "predict"], set[str]()
    while left:
        name = left.pop()
        known.add(name)
        found = [*(ROOT / name).rglob("*.py"), *ROOT.glob(f"{name}.py")]
        for path in found:
            new = imports(path, ast.parse(path.read_text())) - known - harmless
            left += new
    assert known <= set(SOURCES)
    assert code_version().partition("+")[0] == "0.1.0"
    assert len(code_version().partition("+")[2]) == 12


# sweeps


def sweeping(folder: Path, runs: tuple[RunSpec, ...], jobs: int = 1) -> dict[str, bytes]:
    run_sweep(BENCH, runs, str(folder), jobs)
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def test_a_sweep_says_what_its_runs_say(tmp_path: Path) -> None:
    runs = plan_runs(BENCH, [SPY, "chance"], ["full", "stem", "choices/alone"], range(2))
    done: list[float] = []
    said = run_sweep(BENCH, runs, str(tmp_path), progress=lambda runs, accuracy: done.append(runs))
    assert said == tuple(predict(BENCH, run) for run in runs)
    assert done == [*range(13)]
    before = contents(tmp_path)
    assert len(before) == 12
    done.clear()
    again = run_sweep(BENCH, runs, str(tmp_path), progress=lambda runs, accuracy: done.append(runs))
    assert again == said
    assert done == [12]
    assert contents(tmp_path) == before


def test_the_same_bytes_however_many_work_at_it(tmp_path: Path) -> None:
    runs = plan_runs(ALONE, [SLOW], ["full", "choices"], range(4), folds=2)
    one = sweeping(tmp_path / "one", runs)
    assert len(one) == 8
    assert sweeping(tmp_path / "two", runs, jobs=2) == one
    assert sweeping(tmp_path / "three", runs, jobs=3) == one


def test_parameters_code_and_order_are_other_runs(tmp_path: Path) -> None:
    def names(benchmark: Benchmark, *models: str) -> set[str]:
        run_sweep(benchmark, plan_runs(benchmark, models, ["full"], [0]), str(tmp_path))
        return set(contents(tmp_path))

    first = names(BENCH, "longest")
    assert names(BENCH, "longest") == first
    turned = replace(BENCH, splits={**BENCH.splits, "test": TEST[::-1]})
    assert len(names(turned, "longest")) == 2  # the fingerprint is the same, folds are not
    names(BENCH, SPY, f"{SPY}:choose=true", f"{SPY}:choose=false")
    assert sorted(name.split(".")[1] for name in contents(tmp_path)) == [
        "longest", "longest", "spy-py", "spy-py-choose-True"
    ]  # fmt: skip


def test_records_by_other_code_are_mentioned(tmp_path: Path) -> None:
    said: list[str] = []
    model, store = tmp_path / "spy.py", str(tmp_path / "store")
    model.write_text(Path(SPY).read_text())
    for change in ("", "# changed\n"):
        model.write_text(model.read_text() + change)
        run_sweep(BENCH, [only(BENCH, str(model))], store, notify=said.append)
    assert len(said) == 1
    assert (
        "also holds a record of the same runs by other code, such as b.spy-py.test.full" in said[0]
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_leaves_finished_runs(tmp_path: Path, jobs: int) -> None:
    runs = plan_runs(BENCH, [f"{SPY}:does=refuse,at=3"], ["full", "choices"], range(4))
    with pytest.raises(BadInput, match=r"^spy:3: will not$"):
        run_sweep(BENCH, runs, str(tmp_path), jobs)
    assert all(name.endswith(".jsonl") for name in contents(tmp_path))
    assert len(contents(tmp_path)) >= 3 // jobs


def test_a_bug_in_a_worker_is_shown_with_its_traceback(tmp_path: Path) -> None:
    runs = plan_runs(BENCH, [f"{SPY}:does=break"], ["full"], range(2))
    with pytest.raises(RuntimeError, match=r"(?s)in a worker.*in fit.*ZeroDivisionError: spy br"):
        run_sweep(BENCH, runs, str(tmp_path), jobs=2)
    with pytest.raises(ZeroDivisionError):
        run_sweep(BENCH, runs, str(tmp_path))


def test_a_worker_that_is_killed_is_replaced_by_the_other(tmp_path: Path) -> None:
    once = tmp_path / "died"
    runs = plan_runs(BENCH, [f"{SPY}:does=die once,at=0,once={once}"], ["full"], range(4))
    said = run_sweep(BENCH, runs, str(tmp_path / "store"), jobs=2)
    assert once.exists()
    assert len(said) == len(contents(tmp_path / "store")) == 4


def test_all_workers_killed(tmp_path: Path) -> None:
    runs = plan_runs(BENCH, [f"{SPY}:does=die"], ["full"], range(3))
    what = r"all workers were killed \(exit codes -9, -9\); finished runs are kept: start again"
    with pytest.raises(HansproofError, match=what):
        run_sweep(BENCH, runs, str(tmp_path), jobs=2)


def test_threads_are_as_before(tmp_path: Path) -> None:
    before = dict(os.environ)
    run_sweep(BENCH, plan_runs(BENCH, ["chance"], ["full"], range(2)), str(tmp_path), jobs=2)
    assert dict(os.environ) == before
