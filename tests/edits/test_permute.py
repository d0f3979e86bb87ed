from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hansproof import load
from hansproof.edits.permute import Permute, original_positions
from hansproof.probes.class_balance import ClassBalance
from hansproof.types import Benchmark, Item, Items

from ..support.cli_runner import run_here
from ..support.log_factories import data_path
from ..support.markers import needs_data

texts = st.sampled_from(["", "a", "b", "A b"])  # equal ones among them


@st.composite
def some_items(draw: st.DrawFn) -> Items:
    made = []
    for at in range(draw(st.integers(1, 25))):
        choices = tuple(draw(st.lists(texts, min_size=2, max_size=5)))
        answer = draw(st.integers(0, len(choices) - 1))
        made.append(Item(f"{at}", {"q": f"{at}"}, choices, answer, meta={"old": at}))
    return tuple(made)


def permuted(items: Items, seed: int = 0) -> Items:
    return Permute(seed=seed)(Benchmark("b", {"all": items})).benchmark.splits["all"]


@given(some_items(), st.integers(0, 9))
def test_it_is_the_same_items_in_an_order_that_can_be_undone(items: Items, seed: int) -> None:
    for old, new in zip(items, permuted(items, seed), strict=True):
        order = original_positions(new)
        assert sorted(order) == list(range(len(old.choices)))
        assert new.choices == tuple(old.choices[at] for at in order)
        assert order[new.answer or 0] == old.answer
        assert (new.id, new.fields, new.meta["old"]) == (old.id, old.fields, old.meta["old"])


@given(some_items(), st.integers(0, 9))
def test_answers_are_as_even_as_can_be(items: Items, seed: int) -> None:
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for item in permuted(items, seed):
        counts[len(item.choices)][item.answer or 0] += 1
    for m, at in counts.items():
        assert max(at.values()) - min(at[place] for place in range(m)) <= 1


@given(some_items(), st.randoms())
def test_the_order_of_items_says_nothing(items: Items, random: object) -> None:
    turned = list(items)
    random.shuffle(turned)  # type: ignore[attr-defined]
    assert set(map(repr, permuted(tuple(turned)))) == set(map(repr, permuted(items)))


def test_a_seed_repeats_and_another_does_not() -> None:
    items = load("toy:original").splits["original"]
    assert permuted(items, 1) == permuted(items, 1) != permuted(items, 2)


def test_wrong_choices_stand_at_random() -> None:
    items = tuple(Item(f"{i}", {}, ("right", "x", "y", "z"), 0) for i in range(600))
    first = Counter(item.choices[0] for item in permuted(items))
    assert all(110 <= n <= 190 for n in first.values())
    after = Counter(one.choices.index("x") < one.choices.index("y") for one in permuted(items))
    assert 240 <= after[True] <= 360


def test_splits_do_not_look_at_each_other() -> None:
    toy = load("toy")
    alone = Permute(split="original")(toy).benchmark
    both = Permute()(toy).benchmark
    assert alone.splits["original"] == both.splits["original"]
    assert alone.splits["mirrored"] == toy.splits["mirrored"]


def test_a_skewed_key_is_mended_and_told_of() -> None:
    items = tuple(Item(f"{i}", {"q": f"{i}"}, (f"a{i}", f"b{i}"), int(i < 10)) for i in range(101))
    edited = Permute()(Benchmark("b", {"all": items}))
    before, after = zip(*(row[3:] for row in edited.report.tables["positions"].rows), strict=True)
    assert before == (91, 10)
    assert sorted(after) == [50, 51]
    assert ClassBalance()(edited.benchmark).verdict != "exposed"
    assert edited.report.summary.endswith("no position has more than 1 answer more than another.")


def test_permuted_twice_is_told_from_the_first_order() -> None:
    items = tuple(Item(f"{i}", {"q": "why"}, (f"a{i}", f"b{i}", f"c{i}"), 0) for i in range(20))
    once = Permute(seed=1)(Benchmark("b", {"all": items})).benchmark
    for old, new in zip(items, Permute(seed=2)(once).benchmark.splits["all"], strict=True):
        assert tuple(old.choices[at] for at in original_positions(new)) == new.choices


def above(i: int, answer: int = 3) -> Item:
    return Item(f"above{i}", {"q": f"{i}"}, ("x", "y", "z", "All of the above"), answer)


def test_items_whose_choices_refer_to_each_other_are_left_alone() -> None:
    plain = tuple(Item(f"{i}", {"q": f"{i}"}, ("w", "x", "y", "z"), 0) for i in range(90))
    fixed = tuple(above(i) for i in range(10))
    edited = Permute()(Benchmark("b", {"all": (*plain, *fixed)}))
    assert edited.benchmark.splits["all"][90:] == fixed
    assert edited.report.evidence == {
        "choices refer to each other or to places": tuple(item.id for item in fixed)
    }
    assert edited.report.summary == (
        "Shuffled the choices of 90 items; every position has the same number of answers. 10 "
        "items keep their order, as choices refer to each other or to positions."
    )
    assert edited.report.notes == (
        "Choices that refer to others or to positions, most frequent first: “all of the above” "
        "(10).",
    )


def test_answers_that_cannot_be_moved_may_leave_positions_uneven() -> None:
    plain = tuple(Item(f"{i}", {"q": f"{i}"}, ("w", "x", "y", "z"), 3) for i in range(3))
    edited = Permute()(Benchmark("b", {"all": (*plain, *(above(i) for i in range(5)))}))
    counts = Counter(item.answer for item in edited.benchmark.splits["all"])
    assert counts == {0: 1, 1: 1, 2: 1, 3: 5}
    assert "no position has more than 4 answers more than another" in edited.report.summary


@needs_data
def test_references_in_mmlu(tmp_path: Path) -> None:
    source = data_path("mmlu_redux", "mmlu_virology.csv")
    benchmark = load(source)
    ((split, items),) = benchmark.splits.items()
    edited = Permute()(benchmark)
    (fixed_ids,) = edited.report.evidence.values()
    assert len(fixed_ids) == 11
    after = {item.id: item for item in edited.benchmark.splits[split]}
    for item in items:
        assert ("permuted" in after[item.id].meta) == (item.id not in fixed_ids)
        assert (after[item.id] == item) == (item.id in fixed_ids)
    done = run_here("edit", "permute", source, "-o", "even", cwd=tmp_path)
    assert "11 items keep their order" in " ".join(done.stdout.split())
