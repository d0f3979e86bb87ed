from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hansproof import load
from hansproof.edits.easy_hard import EasyHardEdit, solved_by_all
from hansproof.errors import BadInput
from hansproof.types import Benchmark, Item, Predictions

from ..support.markers import needs_data
from ..support.probe_factories import run

SOME = tuple(Item(f"{i}", {"q": "why"}, ("one", "other"), i % 2) for i in range(60))
BENCHMARK = Benchmark("b", {"train": (), "test": SOME}, {"test": "test"})


def test_a_split_is_parted_and_can_still_be_had_whole() -> None:
    runs = [run(SOME, "m", "choices", 0.4, seed, split="test") for seed in range(3)]
    edited = EasyHardEdit()(BENCHMARK, runs).benchmark
    easy, hard = (edited.splits[f"test_{part}"] for part in ("easy", "hard"))
    assert {i.id for i in easy} == solved_by_all(SOME, runs)
    assert len(easy) + len(hard) == 60
    assert {i.meta["easy_hard"] for i in easy} == {"easy"}
    assert {i.meta["easy_hard"] for i in hard} == {"hard"}
    assert {i.id for i in edited.take_split("test").splits["test"]} == {i.id for i in SOME}


def test_a_tie_is_no_success() -> None:
    flat = Predictions("b", "test", "", "m", "choices", {i.id: (1.0, 1.0) for i in SOME})
    assert solved_by_all(SOME, [flat]) == frozenset()


def test_runs_that_saw_the_question_do_not_choose() -> None:
    with pytest.raises(BadInput, match="no run on test has the view choices"):
        EasyHardEdit()(BENCHMARK, [run(SOME, "m", split="test")])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"hard": ["1"]}', "easy: has no list of ids"),
        ('{"easy": "1"}', "easy: is not a list of ids"),
        ('{"easy": ["1"], "hard": ["2"]}', "hard: easy and hard together are not the items"),
        ('{"easy": [', "broken JSON"),
        ("1\n2\nno\n", "easy: no is not an item of this split"),
    ],
)
def test_lists_of_ids_that_do_not_fit(text: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "ids"
    path.write_text(text)
    with pytest.raises(BadInput, match=what):
        EasyHardEdit(easy=str(path))(BENCHMARK)


@needs_data
def test_the_published_parts_of_copa() -> None:
    import os

    ids = os.path.join(os.environ["HANSPROOF_DATA"], "balanced_copa/easy_hard_subsets.json")
    edited = EasyHardEdit(easy=ids)(load("copa")).benchmark
    assert {name: len(items) for name, items in edited.splits.items()} == {
        "dev": 500, "test_easy": 190, "test_hard": 310
    }  # fmt: skip


def test_without_answers_nothing_is_right() -> None:
    bare = tuple(replace(item, answer=None) for item in SOME)
    runs = [run(SOME, "m", "choices", split="all")]
    with pytest.raises(BadInput, match="has no answers"):
        EasyHardEdit()(Benchmark("b", {"all": bare}), runs)


def test_of_several_splits_one_must_be_named() -> None:
    with pytest.raises(BadInput, match="has several splits: name one"):
        EasyHardEdit()(Benchmark("b", {"x": SOME, "y": ()}))


def test_an_unknown_view_is_asked_for() -> None:
    with pytest.raises(BadInput, match=r"has the view choices.*NAME@VIEW=FILES"):
        EasyHardEdit()(BENCHMARK, [run(SOME, "m", "unknown", split="test")])


def test_no_answer_is_no_success_and_items_must_have_been_asked() -> None:
    blind = run(SOME, "m", "choices", 1.0, split="test")
    scores = {id: row for id, row in blind.scores.items() if id != "7"}
    refused = replace(blind, scores=scores, unanswered={"7": "refused"})
    (hard,) = EasyHardEdit()(BENCHMARK, [refused]).benchmark.splits["test_hard"]
    assert hard.id == "7"
    limited = replace(refused, unanswered={"7": "not asked"})
    with pytest.raises(BadInput, match="a run with the view choices lacks 1 item of test"):
        EasyHardEdit()(BENCHMARK, [limited])
