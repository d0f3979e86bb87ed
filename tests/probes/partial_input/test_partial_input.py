"""What can be answered without the question, on data where that is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bench.planted import make_clean, plant_shortcut
from hansproof import load
from hansproof.errors import BadInput, UnknownName
from hansproof.probes.partial_input import PartialInput
from hansproof.text.token_check import UNSPLIT_NOTE
from hansproof.types import Benchmark, Item, Result
from tests.support.language_samples import LANGUAGES, language_benchmark
from tests.support.markers import needs_data
from tests.support.probe_factories import run


def rows(result: Result, table: str = "views") -> list[dict[str, Any]]:
    found = result.tables[table]
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def row(result: Result, split: str, view: str, trained_on: str | None = None) -> dict[str, Any]:
    """The one row of a view of a split, cross-validated unless it was trained elsewhere."""
    (found,) = (
        r
        for r in rows(result)
        if (r["split"], r["view"], r["trained_on"]) == (split, view, trained_on or split)
    )
    return found


@pytest.fixture(scope="module")
def original() -> Result:
    return PartialInput()(load("toy:original"))


def test_toy_original_can_be_answered_from_its_choices(original: Result) -> None:
    found = row(original, "original", "choices")
    assert found["accuracy"] >= 0.65
    assert found["q"] <= 0.05
    assert found["flag"] == "above chance"
    assert original.verdict == "exposed"
    assert "A bag-of-words model that sees only the choices answers" in original.summary


def test_items_answered_blind_come_with_the_words_that_did_it(original: Result) -> None:
    told = rows(original, "items")
    assert told
    assert all(r["answered"] == 1 and 0 < r["low"] < 1 and r["high"] == 1 for r in told)
    assert any("“new”" in r["words"] for r in told)
    (ids,) = (ids for key, ids in original.evidence.items() if key.endswith("sees choices"))
    assert [r["item"] for r in told if r["view"] == "choices"] == list(ids[: len(told)])


def test_mirrored_pairs_score_chance_by_construction() -> None:
    result = PartialInput()(load("toy:balanced"))
    found = row(result, "balanced", "choices")
    assert found["accuracy"] == found["low"] == found["high"] == found["best"] == 0.5
    assert found["flag"] == "by construction"
    assert found["p"] is found["q"] is None
    assert any("by design" in note for note in result.notes)
    assert any("240 of 240 items, 120 inputs" in note for note in result.notes)
    assert result.verdict == "clear"


def test_a_view_without_choices_ties_and_says_so() -> None:
    items = tuple(
        Item(f"{i}", {"q": f"why {i}"}, (f"a{i}", f"b{i}"), int(i >= 33)) for i in range(99)
    )
    result = PartialInput(views="q")(Benchmark("b", {"all": items}))
    (found,) = rows(result)
    assert (found["accuracy"], found["tie_rate"], found["flag"]) == (0.5, 1, "no choices")
    note = "q: this view shows no choices, so its accuracy is chance by definition."
    assert note in result.notes
    assert result.verdict == "clear"


def test_a_planted_token_is_found_and_measured() -> None:
    result = PartialInput()(plant_shortcut("token", 0.85, 1))
    found = row(result, "all", "choices")
    assert found["q"] <= 0.05
    assert 0.6 < found["accuracy"] < 0.75  # who knows the token answers 0.675
    assert found["low"] < 0.675 < found["high"]


def test_a_clean_benchmark_is_undecided_or_clear_by_its_size() -> None:
    result = PartialInput()(make_clean(2, splits=2))
    assert result.verdict == "undecided"
    assert result.power is not None
    assert result.power < 0.8
    assert "With 200 items in test," in result.summary
    large = PartialInput(views="choices")(make_clean(2, 2500))
    assert large.verdict == "clear"
    assert large.power is not None
    assert large.power >= 0.8
    assert result.p is not None
    assert result.p > 0.05
    assert "which is not significant" in result.summary
    assert not result.evidence


def test_p_is_uniform_where_nothing_tells() -> None:
    """Over clean sets of different seeds, and as small as it says it is no more often."""
    p = [
        row(PartialInput(views="choices", randomisations=19, cuts=1)(make_clean(s, 80)), "all",
            "choices")["p"]
        for s in range(60)
    ]  # fmt: skip
    assert sum(x <= 0.1 for x in p) <= 12  # 6 are expected
    assert 0.35 < np.mean(p) < 0.65


def test_what_is_learnt_elsewhere_is_a_row_of_its_own() -> None:
    whole = plant_shortcut("token", 0.85, 3)
    items = whole.splits["all"]
    parted = replace(
        whole, splits={"train": items[:300], "test": items[300:]},
        roles={"train": "train", "test": "test"},
    )  # fmt: skip
    result = PartialInput()(parted)
    assert row(result, "test", "choices", "train")["protocol"] == "train-test"
    assert row(result, "test", "choices")["protocol"] == "cv"
    assert row(result, "pooled", "choices")["n"] == 500
    (gap,) = (r for r in rows(result, "differences") if r["view"] == "choices")
    assert gap["low"] <= gap["difference"] <= gap["high"]
    assert (gap["split"], gap["other"]) == ("train", "test")


def test_the_question_adds_something_where_it_is_needed() -> None:
    """Overlap with the question cannot be seen without it; the words that overlap can."""
    result = PartialInput()(plant_shortcut("overlap", 0.85, 4, 900))
    full, blind = row(result, "all", "full"), row(result, "all", "choices")
    assert full["accuracy"] > blind["accuracy"]
    assert blind["hans"] == pytest.approx((blind["accuracy"] - 0.5) / (full["accuracy"] - 0.5))
    assert blind["hans_low"] < blind["hans"] < blind["hans_high"]
    assert row(result, "all", "full/shuffled")["accuracy"] < full["accuracy"]


def test_without_an_above_chance_full_input_there_is_no_hans_score() -> None:
    result = PartialInput()(make_clean(5))
    assert all(r["hans"] is None for r in rows(result))


def test_predictions_of_other_models_stand_beside() -> None:
    benchmark = load("toy:original")
    items = benchmark.splits["original"]
    runs = [
        run(items, "m", view, knows, seed, split="original")
        for view, knows in (("full", 0.9), ("choices", 0.5), ("lyrics", 0.5))
        for seed in range(3)
    ]
    result = PartialInput()(benchmark, predictions=runs)
    mine = {r["view"]: r for r in rows(result) if r["model"] == "m"}
    assert set(mine) == {"full", "choices"}  # the third names a field that is not there
    assert mine["choices"]["seeds"] == 3
    assert mine["choices"]["flag"] == "above chance"
    assert 0 < mine["choices"]["hans"] < 1
    assert mine["full"]["flag"] == ""


def test_predictions_that_cannot_be_are_called_so() -> None:
    benchmark = load("toy:balanced")
    items = benchmark.splits["balanced"]
    runs = [run(items, "m", view, 0.9, split="balanced") for view in ("choices", "premise")]
    result = PartialInput()(benchmark, predictions=runs)
    assert {r["flag"] for r in rows(result) if r["model"] == "m"} == {"saw more"}
    assert sum("is impossible with this view" in note for note in result.notes) == 2
    assert result.verdict == "clear"


def test_a_given_bag_of_words_is_not_taken_for_ours() -> None:
    benchmark = load("toy:original")
    items = benchmark.splits["original"]
    runs = [run(items, "bow", "choices", 0.9, split="original", protocol="cv")]
    result = PartialInput()(benchmark, predictions=runs)
    (given,) = (r for r in rows(result) if r["model"] == "bow (predictions)")
    assert given["hans"] is None  # there is no full run of it


def test_alone_and_shuffled_are_views_like_others() -> None:
    result = PartialInput(views="choices,choices/alone,full/shuffled")(load("toy:original"))
    assert [r["view"] for r in rows(result)] == ["choices", "choices/alone", "full/shuffled"]
    assert row(result, "original", "choices/alone")["accuracy"] > 0.6


def test_every_item_gets_an_estimate_with_its_ends() -> None:
    probe = PartialInput(views="choices")
    columns = probe.all_rows(load("toy:original"))
    assert len(columns["item"]) == 120
    for low, value, high in zip(columns["low"], columns["answered"], columns["high"], strict=True):
        assert isinstance(low, float)
        assert isinstance(high, float)
        assert isinstance(value, float)
        assert 0 <= low <= value + 1e-9
        assert value - 1e-9 <= high <= 1


def test_unknown_views_and_odd_flags_are_met_with_a_line() -> None:
    with pytest.raises(UnknownName, match="did you mean premise"):
        PartialInput(views="premises")(load("toy:original"))
    with pytest.raises(BadInput, match="--penalty: is 0"):
        PartialInput(penalty=0)
    with pytest.raises(BadInput, match="--cuts: is 0"):
        PartialInput(cuts=0)


def test_copies_without_a_group_are_not_parted() -> None:
    """CommonsenseQA in small: three questions over the same choices, each right once."""
    rng = np.random.default_rng(0)
    names = [f"n{i}" for i in range(60)]
    items = []
    for k in range(80):
        shared = [str(w) for w in rng.choice(names, 3, replace=False)]
        items += [Item(f"{k}-{j}", {"q": f"q {k} {j}"}, tuple(shared), j) for j in range(3)]
    result = PartialInput(views="choices")(Benchmark("b", {"all": tuple(items)}))
    (found,) = rows(result)
    assert found["accuracy"] == pytest.approx(1 / 3)
    assert found["flag"] == "by construction"


def test_forms_are_tested_not_called_fixed() -> None:
    """Yes and no in every item, each right half of the time: nothing is fixed across folds."""
    items = tuple(Item(f"{i}", {"q": f"is {i} so"}, ("yes", "no"), int(i % 2)) for i in range(100))
    result = PartialInput()(Benchmark("b", {"all": items}))
    found = row(result, "all", "choices")
    assert found["flag"] == ""
    assert found["p"] is not None
    assert result.verdict == "undecided"
    assert not any("cannot be had" in note for note in result.notes)


def test_what_looks_alike_under_a_view_is_not_parted() -> None:
    """As in NLI: each premise three times, each label once."""
    labels = ("entailed", "neutral", "contradicted")
    items = tuple(
        Item(
            f"{i}-{j}", {"premise": f"premise {i}", "hypothesis": f"hypothesis {i} {j}"}, labels, j
        )
        for i in range(60)
        for j in range(3)
    )
    result = PartialInput(randomisations=19)(Benchmark("b", {"all": items}))
    found = row(result, "all", "premise+choices")
    assert found["accuracy"] == pytest.approx(1 / 3)
    assert found["flag"] == "by construction"


def test_what_is_asked_for_is_part_of_the_input() -> None:
    items = tuple(
        Item(f"{i}-{k}", {"premise": f"p {i}"}, (f"a {i}", f"b {i}"), k, f"{i}",
             {"asks_for": ("cause", "effect")[k]})
        for i in range(30)
        for k in range(2)
    )  # fmt: skip
    result = PartialInput(randomisations=19)(Benchmark("b", {"all": items}))
    assert row(result, "all", "full")["flag"] != "by construction"
    assert row(result, "all", "choices")["flag"] == "by construction"


def test_items_without_a_question_are_judged_too() -> None:
    whole = plant_shortcut("token", 0.9, 8)
    bare = tuple(replace(item, fields={}) for item in whole.splits["all"])
    result = PartialInput()(replace(whole, splits={"all": bare}))
    assert result.verdict == "exposed"


def test_controls_and_cross_validated_predictions_are_not_judged() -> None:
    benchmark = load("toy:original")
    items = benchmark.splits["original"]
    runs = [
        run(items, "m", "full/shuffled", 0.9, split="original"),
        run(items, "folded", "choices", 0.9, split="original", protocol="cv"),
    ]
    result = PartialInput()(benchmark, predictions=runs)
    assert all(r["q"] is None for r in rows(result) if r["model"] in ("m", "folded"))
    assert any("Cross-validated predictions that do not say" in note for note in result.notes)


def test_predictions_that_find_nothing_do_not_change_the_verdict() -> None:
    benchmark = load("toy:original")
    dull: dict[str, tuple[float, ...]] = {
        item.id: (0.0, 0.0) for item in benchmark.splits["original"]
    }
    one = replace(run(benchmark.splits["original"], "dull", "choices", split="original"),
                  scores=dull)  # fmt: skip
    assert PartialInput()(benchmark, predictions=[one]).p == PartialInput()(benchmark).p


def test_too_few_randomisations_are_refused() -> None:
    with pytest.raises(BadInput, match="--randomisations: is 10, must be at least 19"):
        PartialInput(randomisations=10)


def test_a_run_on_a_split_without_answers_is_passed_over() -> None:
    whole = load("toy:original")
    bare = tuple(replace(i, id=f"u{i.id}", answer=None) for i in whole.splits["original"])
    both = replace(whole, splits={**whole.splits, "hidden": bare})
    result = PartialInput()(both, predictions=[run(bare, "m", split="hidden")])
    assert {r["model"] for r in rows(result)} == {"bow"}


@pytest.mark.slow
@needs_data
def test_arct_is_given_away_in_train_and_hardly_in_test() -> None:
    result = PartialInput()(load("arct"))
    train, test = row(result, "train", "choices"), row(result, "test", "choices")
    assert train["accuracy"] >= 0.64
    assert train["q"] <= 0.05
    assert test["accuracy"] < 0.6
    assert row(result, "test", "choices", "train")["accuracy"] < 0.6
    gap = next(r for r in rows(result, "differences")
               if (r["view"], r["other"]) == ("choices", "test"))  # fmt: skip
    assert gap["low"] > 0


@needs_data
def test_copa_pooled_is_above_chance() -> None:
    found = row(PartialInput(views="choices")(load("copa")), "pooled", "choices")
    assert found["accuracy"] > 0.53
    assert found["q"] <= 0.05


@pytest.mark.slow
@needs_data
def test_adversarial_arct_without_the_claim_is_half_by_construction() -> None:
    result = PartialInput(randomisations=19, cuts=2)(load("arct_adversarial"))
    for view in ("choices", "reason+choices"):
        for split in ("train", "dev", "test", "pooled"):
            found = row(result, split, view)
            assert (found["accuracy"], found["flag"]) == (0.5, "by construction")
    assert row(result, "test", "full")["best"] == pytest.approx(860 / 888)
    assert any("label-inverted duplicates" in note for note in result.notes)


@pytest.mark.parametrize("name", LANGUAGES)
def test_text_without_spaces_is_answered_from_its_characters(name: str) -> None:
    benchmark = language_benchmark(name, planted=True)
    result = PartialInput(views="choices", cuts=2, randomisations=39)(benchmark)
    assert (result.verdict, result.params["tokenizer"]) == ("exposed", "chars")
    clean = language_benchmark(name, planted=False)
    result = PartialInput(views="choices", cuts=2, randomisations=39)(clean)
    assert result.verdict in ("clear", "undecided")


def test_a_tokenizer_that_finds_no_words_clears_nothing() -> None:
    benchmark = language_benchmark("Chinese", planted=True)
    result = PartialInput(views="choices", cuts=2, randomisations=39, tokenizer="word")(benchmark)
    assert (result.verdict, result.summary) == ("undecided", UNSPLIT_NOTE)
    assert UNSPLIT_NOTE in result.notes
