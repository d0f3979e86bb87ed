"""The whole ladder: odd benchmarks, invariances, and how often it finds what is not there."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import answer_array
from hansproof.records.nested import CHOICE_ORDER, DRAWN
from hansproof.rules import climb as climb_module
from hansproof.rules.climb import (
    CERTAIN,
    PERMUTATIONS,
    Climb,
    build_blocks,
    climb_ladder,
    default_permutations,
    least_permutations,
)
from hansproof.rules.encoder import ChoiceCoordinates
from hansproof.rules.features import choice_texts
from hansproof.rules.frequency import ChoiceLogs
from hansproof.rules.search import RuleSearch
from hansproof.stats.binomial import binomial_sf
from hansproof.training.leakage_groups import MAX_COPIES, find_leakage_groups
from hansproof.types import Item, Items

from ..support.rule_factories import (
    WORD,
    build_columns,
    climb,
    odd_items,
    planted_items,
    random_items,
)

RNG = np.random.default_rng(0)
ODD = "👍🇩🇪e\u0301\u200b\u200fאبشب"


def make_items(rows: list[list[str]], answer: int | None = None, group: str | None = None) -> Items:
    return tuple(
        Item(f"{i}", {"q": f"why {i}"}, tuple(row),
             int(RNG.integers(len(row))) if answer is None else answer, group)
        for i, row in enumerate(rows)
    )  # fmt: skip


def words(n: int, m: int, n_words: int = 9) -> list[list[str]]:
    return [[f"w{RNG.integers(n_words)} v{RNG.integers(9)}" for _ in range(m)] for _ in range(n)]


SMALL = {
    "one item": make_items(words(1, 3)),
    "one choice": make_items([["a"]]),
    "two items": make_items(words(2, 2)),
    "single choices": make_items([[f"a {i}"] for i in range(20)]),
    "some single choices": make_items([[f"a {i}"] + ["b"] * (i % 3) for i in range(40)]),
    "the same text everywhere": make_items([["same"] * 3] * 40),
    "identical choices": make_items([[f"w{i}"] * 3 for i in range(40)]),
    "26 choices": make_items(words(30, 26, 60)),
    "no text at all": make_items([[""] * 4] * 40),
    "spaces": make_items([[" " * RNG.integers(4) for _ in range(3)] for _ in range(40)]),
    "one group": make_items(words(40, 3), group="g"),
    "no question": tuple(replace(item, fields={}) for item in make_items(words(40, 3))),
    "odd characters": make_items(
        [["".join(RNG.choice([*ODD], 3)) for _ in range(3)] for _ in range(50)]
    ),
    "surrogates": make_items([[chr(0xD800 + RNG.integers(9)), "b\x00"] for _ in range(30)]),
    "two groups": tuple(
        replace(item, group=f"{i % 2}") for i, item in enumerate(make_items(words(40, 2)))
    ),
    "groups of many sizes": tuple(
        Item(f"{i}", {}, tuple(f"w{k} {i}" for k in range(m)), int(RNG.integers(m)), f"g{i // 2}")
        for i, m in enumerate(RNG.integers(2, 27, 60).tolist())
    ),
}  # fmt: skip


def check_climb(result: Climb) -> None:
    """What is true of every climb."""
    n = len(result.items)
    assert 0 < result.p <= 1
    assert (result.p_floor is None) == (result.n_permutations == 0)
    assert result.p_floor is None or 0 < result.p_floor <= result.p
    for rung in result.rungs:
        assert 0 <= rung.p <= 1
        assert 0 <= rung.q <= 1
    for credits in (result.blind, *(c for r in result.rungs for c in (r.alone, r.combined))):
        assert credits.shape == (n,)
        assert ((credits >= 0) & (credits <= 1)).all()
    assert [rung.rung for rung in result.rungs] == [b.rung for b in result.columns.blocks]
    for rule in result.rules:
        assert 0 <= rule.hits <= rule.n <= n
        assert 0 < rule.p <= 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", SMALL)
def test_odd_benchmarks(name: str) -> None:
    result = climb(SMALL[name], 19)
    check_climb(result)
    assert result.p > 0.05


@pytest.mark.filterwarnings("error")
@settings(max_examples=25, deadline=None)
@given(odd_items(), st.integers(0, 9))
def test_odd_texts(items: Items, seed: int) -> None:
    rng = np.random.default_rng(seed)
    answered = [replace(item, answer=int(rng.integers(len(item.choices)))) for item in items]
    check_climb(climb(tuple(answered), 19, seed))


@pytest.mark.filterwarnings("error")
def test_rules_and_items_with_a_single_choice() -> None:
    items = planted_items(0, 300, ("zork", "blip"), "xor", 4, 0.1)
    single = [Item(f"s{i}", {}, (f"zork gold {i:04d}",), 0) for i in range(40)]
    result = climb((*items, *single), 19)
    check_climb(result)
    assert result.rules[0].p < 1e-20
    assert result.rules[0].n <= 300  # there is nothing to pick from one


def test_answers_that_are_all_equal_are_found_by_their_place() -> None:
    result = climb(tuple(replace(item, answer=1) for item in random_items(0, 100, (3,))), 19)
    assert result.p < 1e-6
    by_rung = {rung.rung: rung for rung in result.rungs}
    assert by_rung["place"].alone.mean() == 1.0
    assert by_rung["place"].q < 1e-6
    assert result.columns.rung_of(result.rules[0].rule.features) == "place"
    assert result.blind.mean() > 0.95


def test_places_that_were_drawn_are_no_feature() -> None:
    items = tuple(replace(item, meta={CHOICE_ORDER: DRAWN}) for item in random_items(0, 30))
    assert "place" not in [block.rung for block in build_blocks(items, WORD)[1]]
    one_left = (*items, *random_items(1, 1))
    assert "place" in [block.rung for block in build_blocks(one_left, WORD)[1]]


def test_rungs_of_models_come_last() -> None:
    items = random_items(0, 60, (3,))
    texts, rng = choice_texts(items), np.random.default_rng(0)
    logs = ChoiceLogs("lm", rng.normal(size=180) - 40, rng.normal(size=180) - 3)
    vectors = ChoiceCoordinates("enc", rng.normal(size=(180, 5)).astype(np.float32), texts)
    result = climb_ladder(items, WORD, [logs], [vectors], 19)
    check_climb(result)
    assert [rung.rung for rung in result.rungs][-2:] == ["likelihood", "encoder"]
    assert result.rungs[-1].n_features == 10
    answers = answer_array(items)
    telling = replace(logs, mean=np.where(answers.repeat(3) == np.tile(range(3), 60), -1.0, -3.0))
    found = climb_ladder(items, WORD, [telling], [vectors], 19)
    assert found.p < 1e-6
    assert found.columns.rung_of(found.rules[0].rule.features) == "likelihood"


# invariances


def test_a_seed_gives_the_same_numbers_and_another_others(monkeypatch: pytest.MonkeyPatch) -> None:
    items = random_items(4, 70, copies=0.2)
    results = []
    for n_threads, seed in ((1, 0), (8, 0), (2, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda n=n_threads: n)
        monkeypatch.setenv("OMP_NUM_THREADS", str(n_threads))
        results.append(climb(items, 21, seed))
    first, again, other = results
    assert (first.p, first.n_permutations) == (again.p, again.n_permutations)
    np.testing.assert_array_equal(first.blind, again.blind)
    for one, same in zip(first.rungs, again.rungs, strict=True):
        assert (one.p, one.q) == (same.p, same.q)
        np.testing.assert_array_equal(one.alone, same.alone)
        np.testing.assert_array_equal(one.combined, same.combined)
    assert any((a.alone != b.alone).any() for a, b in zip(first.rungs, other.rungs, strict=True))


def reorder(items: Items, seed: int) -> Items:
    rng = np.random.default_rng(seed)
    turned = []
    for item in items:
        order = rng.permutation(len(item.choices)).tolist()
        choices = tuple(item.choices[k] for k in order)
        turned.append(replace(item, choices=choices, answer=order.index(item.answer or 0)))
    return tuple(turned)


def strengths(items: Items) -> dict[tuple[str, str], float]:
    """The strength of every single feature, by its rung and name."""
    columns = build_columns(items)
    search = RuleSearch(columns, np.ones(len(items), np.bool_))
    answers = answer_array(items)
    layout = columns.layout
    right = np.zeros(layout.item.size)
    right[layout.first[:-1] + answers] = 1
    values = search._single_strengths(right - layout.chance[layout.item])
    return {columns.label(f): float(value) for f, value in enumerate(values)}


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 999))
def test_the_order_of_choices_matters_to_their_place_alone(seed: int) -> None:
    items = random_items(seed, 40, copies=0.2)
    one, other = strengths(items), strengths(reorder(items, seed))
    without_place = {label for label in one if label[0] != "place"}
    assert without_place == {label for label in other if label[0] != "place"}
    for label in without_place:
        assert one[label] == pytest.approx(other[label])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 999))
def test_the_order_of_items_does_not_matter_to_features(seed: int) -> None:
    items = random_items(seed, 40, copies=0.2)
    order = np.random.default_rng(seed).permutation(40).tolist()
    one, other = strengths(items), strengths(tuple(items[i] for i in order))
    assert one == pytest.approx(other)


def test_reordered_choices_have_the_same_models_but_for_their_place() -> None:
    items = random_items(7, 80, (3, 4), copies=0.1)
    one, other = climb(items, 19), climb(reorder(items, 1), 19)
    for rung, same in zip(one.rungs, other.rungs, strict=True):
        if rung.rung != "place":
            np.testing.assert_allclose(rung.alone, same.alone)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 999), st.floats(0, 0.8), st.floats(0, 0.8))
def test_folds_and_halves_separate_no_group_and_no_near_copies(
    seed: int, copies: float, groups: float
) -> None:
    items = random_items(seed, 60, copies=copies, groups=groups)
    parts = []
    with pytest.MonkeyPatch.context() as patch:
        for name, index in (("prepare_search", 2), ("FoldPlan", 2)):
            original = getattr(climb_module, name)

            def record(*args, original=original, index=index):  # type: ignore[no-untyped-def]
                parts.append(args[index])
                return original(*args)

            patch.setattr(climb_module, name, record)
        result = climb(items, 1, seed)
    assert len(parts) == 2
    assert result.groups == find_leakage_groups(items)
    texts = [tuple(sorted(item.choices)) for item in items]
    for part in parts:
        numbers_of = defaultdict(set)
        for item, own, group, number in zip(items, texts, result.groups, part, strict=True):
            for key in (group, item.group, own):
                # texts that many items share are a form
                if key is not None and (key is not own or texts.count(own) <= MAX_COPIES):
                    numbers_of[key].add(int(number))
        assert all(len(numbers) == 1 for numbers in numbers_of.values())


# errors of both kinds


def simulate_p(n_runs: int, **more: float) -> dict[str, list[float]]:
    """The p of the whole search, of its rules and of each rung, if answers are random."""
    p = defaultdict(list)
    for seed in range(n_runs):
        items = random_items(1000 + seed, 60 + seed % 60, (2, 3, 4), **more)  # type: ignore[arg-type]
        result = climb(items, 39, seed)
        p["all"].append(result.p)
        p["rules"].append(min((rule.p for rule in result.rules), default=1.0))
        for rung in result.rungs:
            p[rung.rung].append(rung.p)
    return p


def check_validity(p: dict[str, list[float]]) -> None:
    """Check that a small p is no more frequent than it says."""
    for name, values in p.items():
        for level in (0.01, 0.05, 0.1, 0.2, 0.5):
            n_small = int((np.array(values) <= level).sum())
            assert binomial_sf(n_small, len(values), level) > 1e-4, (name, level, n_small)


@pytest.mark.parametrize("more", [{}, {"copies": 0.5, "groups": 0.3}])
def test_random_answers_are_rarely_found_out(more: dict[str, float]) -> None:
    check_validity(simulate_p(45, **more))


@pytest.mark.slow
@pytest.mark.parametrize("more", [{}, {"copies": 0.5}, {"groups": 0.6}])
def test_random_answers_are_rarely_found_out_in_many_benchmarks(more: dict[str, float]) -> None:
    check_validity(simulate_p(500, **more))


@pytest.mark.slow
def test_accuracies_are_at_chance_if_answers_are_random() -> None:
    gains = []
    for seed in range(400):
        result = climb(random_items(5000 + seed, 80, (2, 3, 4)), 1, seed)
        credits = [result.blind, *(c for r in result.rungs for c in (r.alone, r.combined))]
        gains.append([c.mean() - result.chance for c in credits])
    z = np.mean(gains, axis=0) / np.std(gains, axis=0) * 20
    assert np.abs(z).max() < 4


@pytest.mark.parametrize(
    ("marks", "form", "rung"),
    [(("zork",), "and", "words"), (("zork", "blip"), "xor", "pairs"),
     (("zork", "blip"), "and not", "pairs")],
)  # fmt: skip
def test_what_is_planted_is_found(marks: tuple[str, ...], form: str, rung: str) -> None:
    result = climb(planted_items(2, 400, marks, form, 4, 0.2), 19)
    assert result.p < 1e-6
    strongest = result.rules[0]
    assert result.columns.rung_of(strongest.rule.features) == rung
    assert strongest.is_telling
    assert strongest.hits / strongest.n > 0.75
    by_rung = {r.rung: r for r in result.rungs}
    assert by_rung[rung].alone.mean() > 0.6
    assert by_rung["place"].alone.mean() < 0.4
    assert result.blind.mean() > 0.6
    assert result.significant_rules(0.05)[0] is strongest
    # without permutations: Bonferroni over the rungs, and over both kinds of tests
    rung_p = len(result.rungs) * min(r.p for r in result.rungs)
    assert result.n_permutations == 0
    assert result.p == pytest.approx(2 * min(rung_p, strongest.p), rel=1e-9, abs=0)
    for r in result.rungs:
        assert r.q >= r.p
    assert result.significant_rules(1e-300) == []


@pytest.mark.parametrize("level", [0.5, 0.05, 0.011, 0.01, 0.002])
def test_the_least_permutations_can_be_significant_and_fewer_cannot(level: float) -> None:
    n = least_permutations(level)
    assert 1 / (1 + n) + CERTAIN <= level + 1e-12
    assert 1 / n + CERTAIN > level
    assert default_permutations(level) >= max(n, PERMUTATIONS)


def test_below_the_certain_level_only_exact_tests_count() -> None:
    assert least_permutations(CERTAIN) == default_permutations(CERTAIN) == 0
