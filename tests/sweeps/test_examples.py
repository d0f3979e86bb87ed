"""Examples with their answers that a model is shown first: which they are, and what of them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.capabilities import AskingContext
from hansproof.errors import BadInput
from hansproof.models import load
from hansproof.prompts.template import load_template
from hansproof.sweeps import RunSpec, plan_runs, predict, prepare_run, run_sweep
from hansproof.sweeps.examples import draw_examples
from hansproof.sweeps.run_keys import build_run_keys
from hansproof.types import Benchmark, Items

from ..support.sweep_factories import (
    ALONE,
    BENCH,
    MODELS,
    ROLES,
    TEST,
    contents,
    items,
    only,
    without,
)

PUPIL = str(MODELS / "pupil.py")
FEW_SHOT = f"{PUPIL}:examples=3"
TRAIN = items("train", 40, 3)
TRIPLES = Benchmark("b", {"train": TRAIN, "test": items("test", 8, 3)}, ROLES)


def asked() -> list[Any]:
    """What the pupil that was loaded last was asked, run by run."""
    return list(sys.modules["hansproof_file.pupil"].ASKED)


def draw(benchmark: Benchmark, n_examples: int, seed: int = 0) -> Items:
    """The examples of a run."""
    model = f"{PUPIL}:examples={n_examples}"
    return draw_examples(benchmark, only(benchmark, model, seed=seed), load(model))


def show_examples(view: str, model: str = FEW_SHOT, seed: int = 0) -> Items:
    """The examples as a model gets them with the items of a view."""
    (run,) = plan_runs(TRIPLES, [model], [view], [seed])
    predict(TRIPLES, run)
    examples: Items = asked()[-1].context.examples
    return examples


groups = st.lists(st.sampled_from([None, "g", "h", "i"]), min_size=1, max_size=12)


@given(groups, st.integers(1, 6), st.integers(0, 99))
def test_examples_are_of_different_groups_of_the_training_split(
    names: list[str | None], n_examples: int, seed: int
) -> None:
    train = tuple(
        replace(item, group=name)
        for item, name in zip(items("train", len(names)), names, strict=True)
    )
    benchmark = replace(BENCH, splits={**BENCH.splits, "train": train})
    n_groups = len({name for name in names if name}) + names.count(None)
    if n_groups < n_examples:
        with pytest.raises(BadInput, match=f"b: train: has {n_groups} items or groups, too few"):
            draw(benchmark, n_examples, seed)
        return
    examples = draw(benchmark, n_examples, seed)
    assert len(examples) == len({item.id for item in examples}) == n_examples
    assert all(item in train for item in examples)
    drawn_groups = [item.group for item in examples if item.group]
    assert len(drawn_groups) == len({*drawn_groups})
    assert examples == draw(benchmark, n_examples, seed)
    assert examples[:1] == draw(benchmark, 1, seed)


def test_seeds_draw_other_examples() -> None:
    drawn = [tuple(item.id for item in draw(BENCH, 3, seed)) for seed in range(20)]
    assert len({*drawn}) > 15
    assert len({id for ids in drawn for id in ids}) > 25


def test_a_model_that_is_shown_none_needs_no_training_split() -> None:
    assert draw(ALONE, 0) == draw(BENCH, 0) == ()
    assert only(BENCH, PUPIL).train is None
    predict(BENCH, only(BENCH, PUPIL))
    (lesson,) = asked()
    assert lesson.context.examples == ()


@pytest.mark.parametrize(
    ("benchmark", "split"),
    [
        (ALONE, "test"),
        (without(BENCH, "train"), "test"),
        (BENCH, "train"),
        (BENCH, "train+test"),
        # a copy of a scored item
        (replace(BENCH, splits={"train": TEST[:1], "test": TEST}), "test"),
    ],
)
def test_examples_need_another_split_with_answers(benchmark: Benchmark, split: str) -> None:
    error = "there is no training split to draw examples from: leave out examples="
    with pytest.raises(BadInput, match=error) as caught:
        plan_runs(benchmark, [FEW_SHOT], ["full"], [0], split=split)
    assert f"b: {split}: " in str(caught.value)


def test_the_plan_names_the_split_of_the_examples() -> None:
    run = only(BENCH, FEW_SHOT, split="dev+test")
    assert (run.protocol, run.train, run.select, run.folds) == ("given", "train", None, 0)
    predictions = predict(BENCH, run)
    assert predictions.params["examples_from"] == "train"
    assert predictions.params["examples"] == 3
    assert (predictions.trained_on, predictions.train_accuracy) == (None, None)
    assert "examples_from" not in predict(BENCH, only(BENCH, PUPIL)).params


def test_a_record_depends_on_the_items_that_examples_are_drawn_from() -> None:
    other = replace(BENCH, splits={**BENCH.splits, "train": BENCH.splits["train"][:-1]})

    def digest(benchmark: Benchmark, model: str) -> str:
        return build_run_keys(benchmark, [only(benchmark, model)])[0].digest

    assert digest(BENCH, FEW_SHOT) != digest(other, FEW_SHOT)
    assert digest(BENCH, FEW_SHOT) != digest(BENCH, f"{PUPIL}:examples=4")
    assert digest(BENCH, PUPIL) == digest(other, PUPIL)


def test_examples_are_shown_as_the_view_shows_items_but_with_their_answers() -> None:
    drawn = draw_examples(TRIPLES, only(TRIPLES, FEW_SHOT), load(FEW_SHOT))
    for view, fields in (
        ("full", {"stem", "hint"}),
        ("choices", set()),
        ("stem+choices", {"stem"}),
    ):
        examples = show_examples(view)
        assert [item.choices for item in examples] == [item.choices for item in drawn]
        assert [item.answer for item in examples] == [item.answer for item in drawn]
        for example, item in zip(examples, drawn, strict=True):
            assert example.fields == {name: item.fields[name] for name in fields}
            assert (example.id, example.group) == ("", None)
            assert "secret" not in example.meta


def test_examples_of_one_choice_at_a_time_are_questions_about_each_choice() -> None:
    together, alone = show_examples("full"), show_examples("full/alone")
    assert [item.choices for item in alone] == [
        (choice,) for item in together for choice in item.choices
    ]
    assert sum(item.answer == 0 for item in alone) == 3


def test_examples_keep_the_choices_that_a_view_hides_as_one_is_the_answer() -> None:
    examples = show_examples("question")
    (question, *_) = asked()[0].questions
    assert [item.choices for item in examples] == [item.choices for item in show_examples("full")]
    prompt = load_template("letters").render(question.item, examples)
    for (_, asked_text), (_, answer), example in zip(
        prompt.messages[::2], prompt.messages[1::2], examples, strict=False
    ):
        assert example.answer is not None
        assert answer == example.choices[example.answer]
        assert asked_text.endswith("Answer in a few words.")
        assert "A." not in asked_text


@pytest.mark.parametrize("n_examples", [1, 3])
def test_examples_of_shuffled_fields_have_those_of_another_item(n_examples: int) -> None:
    model = f"{PUPIL}:examples={n_examples}"
    plain, shuffled = show_examples("full", model), show_examples("full/shuffled", model)
    assert [item.choices for item in shuffled] == [item.choices for item in plain]
    stems = [item.fields["stem"] for item in plain]
    assert {item.fields["stem"] for item in shuffled} <= {item.fields["stem"] for item in TRAIN}
    assert all(item.fields["stem"] != stem for item, stem in zip(shuffled, stems, strict=True))


@pytest.mark.parametrize("orders", ["rotations", "5"])
def test_examples_are_the_same_in_every_order_and_published(tmp_path: Path, orders: str) -> None:
    runs = plan_runs(TRIPLES, [FEW_SHOT], ["full"], range(2), orders=orders)
    run_sweep(TRIPLES, runs, str(tmp_path / "store"))
    lessons = asked()
    assert len(contents(tmp_path / "store")) == len(lessons) == len(runs)
    drawn = {
        run.seed: [item.choices for item in draw_examples(TRIPLES, run, load(FEW_SHOT))]
        for run in runs
    }
    assert drawn[0] != drawn[1]
    for run, lesson in zip(runs, lessons, strict=True):
        assert lesson.context.seed == run.seed
        assert [item.choices for item in lesson.context.examples] == drawn[run.seed]


def test_the_context_of_a_sweep_keeps_what_runs_share(tmp_path: Path) -> None:
    run = only(TRIPLES, FEW_SHOT, seed=7)
    prepared = prepare_run(TRIPLES, run, load(FEW_SHOT))
    context = prepared.asking_context(AskingContext("folder", None))
    assert (context.folder, context.seed, len(context.examples)) == ("folder", 7, 3)
    list(prepared.finish_orders(iter(()), "", AskingContext(str(tmp_path))))
    assert asked()[-1].context == replace(context, folder=str(tmp_path))


def test_no_examples_are_drawn_for_a_model_that_is_not_asked() -> None:
    run = RunSpec("chance", "full", "test", 0, "given")
    assert prepare_run(BENCH, run, load("chance")).examples == ()


def test_a_run_in_another_order_by_itself_has_published_examples() -> None:
    examples = show_examples("full/rotation=1")
    lesson = asked()[-1]
    assert lesson.questions[0].item.choices != TRIPLES.splits["test"][0].choices
    assert examples == show_examples("full")
