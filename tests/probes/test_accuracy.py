from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from scipy.stats import binomtest

from hansproof.errors import BadInput
from hansproof.probes.accuracy import BELOW_BASELINE, Accuracy
from hansproof.types import Benchmark, Item, NoAnswer, Predictions

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
        "all: good is right on every item: check that it is not the answer key itself.",
        "all: the majority label was counted on train.",
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
    assert [(row["system"], row["runs"]) for row in rows(result)] == [("m", 3), ("m on choices", 3)]
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


def answer_some(
    some: tuple[Item, ...], model: str, right: int, reasons: dict[str, NoAnswer]
) -> Predictions:
    """The first `right` items right, the others wrong, those with a reason without an answer."""
    scores = {
        item.id: tuple(float((choice == item.answer) == (i < right)) for choice in (0, 1))
        for i, item in enumerate(some)
        if item.id not in reasons
    }
    return Predictions("b", "all", "", model, "unknown", scores, unanswered=reasons)


def test_no_answer_counts_as_wrong_and_the_other_values_are_there() -> None:
    some = items(40)
    reasons: dict[str, NoAnswer] = {"0": "unparsed", "1": "unparsed", "2": "refused"}
    runs = [answer_some(some, "m", 33, reasons), answer_some(some, "all", 33, {})]
    result = Accuracy()(Benchmark("b", {"all": some}), runs)
    assert [row["accuracy"] for row in rows(result)] == [0.75, 0.825]
    assert result.estimates[0].value == 0.75
    (row,) = rows(result, "no_answer")
    assert row == {
        "split": "all", "system": "m", "accuracy": 0.75, "by_guessing": pytest.approx(31.5 / 40),
        "left_out": pytest.approx(30 / 37), "n": 40, "unparsed": 2, "ambiguous": 0,
        "refused": 1, "error": 0,
        "cut off": 0, "not asked": 0,
    }  # fmt: skip
    assert result.notes[0] == (
        "m: 3 of 40 answers in all are missing (2 unparsed, 1 refused) and count as wrong: "
        "accuracy 75.0%. Guessing them instead would give 78.8%, leaving them out 81.1%."
    )


def test_items_that_were_not_asked_are_left_out_and_counted() -> None:
    """As after `--limit 30`: chance and baselines are those of the 30 items."""
    some = tuple(replace(item, answer=int(i >= 30)) for i, item in enumerate(items(100)))
    not_asked: dict[str, NoAnswer] = {f"{i}": "not asked" for i in range(30, 100)}
    runs = [answer_some(some, "m", 24, not_asked), answer_some(some, "all", 80, {})]
    result = Accuracy()(Benchmark("b", {"all": some}), runs)
    limited, complete = rows(result)
    assert (limited["accuracy"], limited["n"]) == (0.8, 30)
    assert (complete["accuracy"], complete["n"]) == (0.8, 100)
    # the most frequent label of the split is 1, which none of the 30 items has
    assert (limited["majority"], complete["majority"]) == (0, 0.7)
    assert result.notes[0] == "m: 70 of 100 items of all were not given to it and are left out."
    (row,) = rows(result, "no_answer")
    assert (row["system"], row["not asked"], row["by_guessing"]) == ("m", 70, 0.8)
    assert result.evidence == {}  # items 80 to 99 have one answer: too few to call them hard


def test_without_missing_answers_nothing_is_said_of_them() -> None:
    some = items(40)
    result = Accuracy()(Benchmark("b", {"all": some}), [answer_some(some, "m", 30, {})])
    assert set(result.tables) == {"systems", "runs"}
    assert not any("missing" in note or "not asked" in note for note in result.notes)


def test_identical_answers_are_pointed_out() -> None:
    some = items(40)
    first = run(some, "first")
    benchmark = Benchmark("b", {"all": some})
    copy = replace(first, model="copy")
    other = run(some, "other")
    message = "first and copy gave identical answers to all 40 items of all: check that"
    assert any(message in note for note in Accuracy()(benchmark, [first, copy, other]).notes)

    def is_noted(*runs: Predictions) -> bool:
        return any("identical" in note for note in Accuracy()(benchmark, runs).notes)

    assert not is_noted(first, other)
    (changed_id, scores), *_ = first.scores.items()
    changed = {**first.scores, changed_id: scores[::-1]}
    assert not is_noted(first, replace(copy, scores=changed))
    perfect = run(some, "key", knows=1.0)
    assert not is_noted(perfect, replace(perfect, model="again"))
    always = replace(first, scores={item.id: (1.0, 0.0) for item in some})
    assert not is_noted(always, replace(always, model="again"))


def test_few_identical_answers_prove_nothing() -> None:
    some = items(19)
    first = run(some, "first", knows=0.5)
    result = Accuracy()(Benchmark("b", {"all": some}), [first, replace(first, model="copy")])
    assert not any("identical" in note for note in result.notes)


def test_the_best_of_systems_that_were_asked_different_items() -> None:
    some = items(100)
    not_asked: dict[str, NoAnswer] = {f"{i}": "not asked" for i in range(50, 100)}
    limited, complete = answer_some(some, "a", 50, not_asked), answer_some(some, "b", 80, {})
    benchmark = Benchmark("b", {"all": some})
    summary = Accuracy()(benchmark, [complete, limited]).summary
    assert summary.startswith(
        "In all the best of 2 systems, a, is right on 100.0% of the 50 items it was given (chance "
    )
    same_items = Accuracy()(benchmark, [limited, replace(limited, model="c")]).summary
    assert same_items.startswith("In all the best of 2 systems, a, is right 100.0% of the time (")


def test_controls_are_no_systems_and_mismatches_are_told() -> None:
    some = items(40)
    plain = answer_some(some, "m", 30, {})
    texts: dict[str, int | NoAnswer] = {item.id: item.answer or 0 for item in some}
    asked = replace(plain, view="full", text_answers={**texts, "0": 1})
    others = [replace(plain, view=view) for view in ("full/rotation=1", "nonsense")]
    result = Accuracy()(Benchmark("b", {"all": some}), [asked, *others])
    assert len(result.estimates) == 1
    left_out = (
        "2 runs of random words, with the choices in another order, or that show no choices, are "
        "left out."
    )
    assert left_out in result.notes
    (mismatch,) = [note for note in result.notes if "the text of an answer" in note]
    assert "in 11 of 40 answers" in mismatch


def place_notes(items: tuple[Item, ...], rows: Sequence[tuple[float, ...]]) -> list[str]:
    scores = {item.id: row for item, row in zip(items, rows, strict=True)}
    result = Accuracy()(
        Benchmark("b", {"all": items}), [Predictions("b", "all", "", "m", "full", scores)]
    )
    return [note for note in result.notes if "picks the" in note]


FIRST, SECOND, TIE = (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)


def test_a_model_that_nearly_always_picks_one_place_is_named() -> None:
    assert place_notes(items(120), [FIRST] * 117 + [SECOND] * 3) == [
        "m picks the first choice in 117 of 120 answers in all: its accuracy says little about "
        "what it knows."
    ]
    (note,) = place_notes(items(20), [SECOND] * 16 + [TIE] * 4)
    assert note.startswith("m picks the second choice in 16 of 20 answers")


@pytest.mark.parametrize(
    ("benchmark_items", "rows"),
    [
        (items(20), [SECOND] * 15 + [TIE] * 5),  # three quarters
        (items(19), [FIRST] * 19),  # too few
        (items(100, position=0), [FIRST] * 100),  # the place is always right
        (items(100), [TIE] * 100),
    ],
)
def test_other_models_are_not_said_to_pick_one_place(
    benchmark_items: tuple[Item, ...], rows: Sequence[tuple[float, ...]]
) -> None:
    assert place_notes(benchmark_items, rows) == []


def test_places_are_counted_among_items_with_as_many_choices() -> None:
    more = tuple(Item(f"x{i}", {"q": "why"}, ("a", "b", "c"), i % 3) for i in range(30))
    (note,) = place_notes((*items(8), *more), [FIRST] * 8 + [(0.0, 0.0, 1.0)] * 30)
    assert "the third choice in 30 of 30 answers to items with 3 choices in all" in note


def test_free_answers_of_asked_models_are_no_systems() -> None:
    """Without choices, guessing gives about 0; models that score choices are compared as before."""
    some = items(40)
    asked = replace(run(some, "asked"), params={"way": "text"})
    blind = [replace(asked, view=view) for view in ("q", "q/shuffled", "choices", "q+choices")]
    own = run(some, "own", "q")
    result = Accuracy()(Benchmark("b", {"all": some}), [asked, *blind, own])
    assert [row["system"] for row in rows(result)] == [
        "asked", "asked on choices", "asked on q+choices", "own on q",
    ]  # fmt: skip
    assert (
        "2 runs of random words, with the choices in another order, or that show no choices, are "
        "left out."
    ) in result.notes
    with pytest.raises(BadInput, match="another order of the choices or no choices: also give"):
        Accuracy()(Benchmark("b", {"all": some}), blind[:1])


def test_a_run_that_two_versions_recorded_counts_once() -> None:
    some = items(40)
    old = replace(run(some, "m"), version="1")
    new, other_seed = replace(old, version="2"), replace(old, seed=7)
    result = Accuracy()(Benchmark("b", {"all": some}), [old, new, other_seed])
    assert [row["runs"] for row in rows(result)] == [2]
    assert (
        "1 run is left out: another run of the same system has the same seed and the same answers."
    ) in result.notes
    without_seed = [replace(r, seed=None) for r in (old, new)]
    result = Accuracy()(Benchmark("b", {"all": some}), without_seed)
    assert [row["runs"] for row in rows(result)] == [2]
