"""Rules that were found in one half of the items, tested in the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import answer_array
from hansproof.cues.permutation import build_rotations
from hansproof.rules.confirm import HalvedSearch, prepare_search
from hansproof.rules.features import Ints
from hansproof.rules.pick_tests import make_tester
from hansproof.rules.rule import NO_PICK
from hansproof.stats import assign_folds
from hansproof.stats.binomial import binomial_sf
from hansproof.types import Items

from ..support.rule_factories import build_columns, planted_items, random_items

CASES = st.builds(
    lambda seed, form, noise: prepare(planted_items(seed, 160, ("zork", "blip"), form, 3, noise)),
    st.integers(0, 999),
    st.sampled_from(["and", "and not", "xor"]),
    st.sampled_from([0.0, 0.3, 1.0]),
)


def prepare(items: Items, seed: int = 0) -> tuple[HalvedSearch, Ints]:
    """A search without groups, so that tests are binomial."""
    columns = build_columns(items)
    tester = make_tester(columns.layout, build_rotations(items, [None] * len(items)))
    half = assign_folds([None] * len(items), 2, seed)
    return prepare_search(columns, tester, half), answer_array(items)


def hits_and_n(search: HalvedSearch, picks: Ints, answers: Ints, half: int) -> tuple[int, int]:
    hits = n = 0
    for item, pick in enumerate(picks.tolist()):
        if search.half[item] == half and pick != NO_PICK:
            n += 1
            hits += pick == search.columns.layout.first[item] + answers[item]
    return hits, n


@settings(max_examples=10, deadline=None)
@given(CASES)
def test_p_is_the_binomial_tail_in_the_other_half_corrected_for_rules_and_halves(
    case: tuple[HalvedSearch, Ints],
) -> None:
    search, answers = case
    by_half = search.find_rules(answers)
    expected: dict[tuple[object, bool], list[tuple[int, int, float]]] = {}
    for k, rules in enumerate(by_half):
        raw = []
        for rule in rules:
            hits, n = hits_and_n(search, rule.picks, answers, 1 - k)
            successes, chance = (hits, 1 / 3) if rule.is_telling else (n - hits, 2 / 3)
            raw.append((float(binomial_sf(successes, n, chance)) if n else 1.0, hits, n))
        smallest = 0.0  # Holm: by size, each times the number of those that are left
        for place, index in enumerate(sorted(range(len(raw)), key=lambda i: raw[i][0])):
            p, hits, n = raw[index]
            smallest = max(smallest, min(1.0, p * (len(raw) - place)))
            key = (rules[index].rule, rules[index].is_telling)
            expected.setdefault(key, []).append((hits, n, min(1.0, 2 * smallest)))
    tested = search.test_rules(by_half, answers)
    assert {(rule.rule, rule.is_telling) for rule in tested} == {*expected}
    for found in tested:
        tests = expected[found.rule, found.is_telling]
        assert (found.hits, found.n) == (sum(t[0] for t in tests), sum(t[1] for t in tests))
        assert found.p == pytest.approx(min(t[2] for t in tests), rel=1e-6, abs=0)
        assert found.chance == pytest.approx(1 / 3 if found.n else 0)
    assert [rule.p for rule in tested] == sorted(rule.p for rule in tested)
    assert search.smallest_p(answers) == min((rule.p for rule in tested), default=1.0)


@settings(max_examples=5, deadline=None)
@given(CASES)
def test_rules_of_a_half_depend_on_its_answers_alone(case: tuple[HalvedSearch, Ints]) -> None:
    search, answers = case
    rng = np.random.default_rng(0)
    for k in (0, 1):
        shuffled = np.where(search.half == k, answers, rng.integers(3, size=answers.size))
        one, other = search.find_rules(answers)[k], search.find_rules(shuffled)[k]
        assert [r.rule for r in one] == [r.rule for r in other]


def test_without_rules_p_is_one() -> None:
    items = random_items(0, 12, (3,))
    search, answers = prepare(items)
    assert search.find_rules(answers) == ([], [])
    assert search.smallest_p(answers) == 1.0
    assert search.test_rules(([], []), answers) == []


def test_one_half_may_be_empty() -> None:
    items = planted_items(0, 40, ("zork",), "and")
    columns = build_columns(items)
    tester = make_tester(columns.layout, build_rotations(items, [None] * 40))
    search = prepare_search(columns, tester, np.zeros(40, np.int64))
    rules = search.test_rules(search.find_rules(answer_array(items)), answer_array(items))
    assert rules
    for rule in rules:  # there is nothing to test them on
        assert (rule.hits, rule.n, rule.p) == (0, 0, 1.0)
