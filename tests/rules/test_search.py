"""The search for rules, beside scores that are counted rule by rule."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.cues.counts import answer_array
from hansproof.rules.columns import FeatureColumns
from hansproof.rules.features import Ints, Mask
from hansproof.rules.rule import NO_PICK, Connective, Rule
from hansproof.rules.search import (
    MANY_CHOICES,
    MAX_RULES,
    MIN_INFORMATION,
    MIN_STRENGTH,
    SIMPLER,
    FoundRule,
    RuleSearch,
)
from hansproof.stats import Floats
from hansproof.types import Items

from ..support.plain_search import (
    fits_rule,
    penalty_of,
    pick_of,
    score_picks,
    score_rule,
    single_penalties,
    strength_of,
)
from ..support.rule_factories import build_columns, planted_items, random_items

FORMS: tuple[tuple[Connective, tuple[bool, bool]], ...] = (
    ("and", (False, False)), ("and", (False, True)), ("xor", (False, False))
)  # fmt: skip
SEARCHES = st.builds(
    lambda seed, n, sizes: prepare(random_items(seed, n, sizes, copies=0.2), seed),
    st.integers(0, 999),
    st.integers(20, 45),
    st.sampled_from([(2,), (3,), (2, 3, 4, 5), (1, 2, 3), (3, MANY_CHOICES + 2)]),
)


class Case:
    """A search in some items, with random answers."""

    def __init__(self, items: Items, is_searched: Mask, answers: Ints) -> None:
        self.columns = build_columns(items)
        self.search = RuleSearch(self.columns, is_searched)
        self.answers = answers
        self.searched = np.flatnonzero(is_searched).tolist()

    @property
    def excess(self) -> Floats:
        layout = self.columns.layout
        right = np.zeros(layout.item.size)
        right[layout.first[:-1] + self.answers] = 1
        return np.where(self.search.in_row, right - layout.chance[layout.item], 0.0)

    @property
    def right_rows(self) -> Ints:
        return (self.columns.layout.first[:-1] + self.answers)[self.searched]

    def score(self, rule: Rule) -> tuple[float, float]:
        return score_rule(
            self.columns, fits_rule(self.columns, rule), self.answers.tolist(), self.searched
        )


def prepare(items: Items, seed: int) -> Case:
    is_searched = np.random.default_rng(seed).random(len(items)) < 0.7
    return Case(items, is_searched, answer_array(items))


def find(items: Items) -> tuple[FeatureColumns, list[FoundRule]]:
    columns = build_columns(items)
    search = RuleSearch(columns, np.ones(len(items), np.bool_))
    return columns, search.find_rules(answer_array(items))


@settings(max_examples=15, deadline=None)
@given(SEARCHES)
def test_single_features(case: Case) -> None:
    strengths = case.search._single_strengths(case.excess)
    for feature in range(int(case.columns.offsets[-1])):
        score, variance = case.score(Rule((feature,), (False,)))
        assert case.search._single_variance[feature] == pytest.approx(variance)
        penalty = case.search.single_penalties[feature]
        expected = score**2 / variance if variance >= MIN_INFORMATION else 0
        assert strengths[feature] == pytest.approx(expected - penalty)


@settings(max_examples=5, deadline=None)
@given(SEARCHES)
def test_penalties_count_the_usable_features_of_the_rung(case: Case) -> None:
    expected = single_penalties(case.columns, case.searched)
    for feature, penalty in enumerate(case.search.single_penalties):
        assert penalty == pytest.approx(expected[case.columns.block_of(feature)])


@settings(max_examples=10, deadline=None)
@given(SEARCHES)
def test_pairs_of_features(case: Case) -> None:
    joined, search = case.columns.joined_features, case.search
    if joined.size < 2:
        return
    singles = search._single_strengths(case.excess)
    variances, joint = search._pair_variances, search._count_joint(case.right_rows)
    strengths = search._pair_strengths(joint, singles)
    rng = np.random.default_rng(0)
    for form, (connective, negated) in enumerate(FORMS):
        for a, b in rng.integers(joined.size, size=(120, 2)):
            if a == b:
                continue
            rule = Rule((int(joined[a]), int(joined[b])), negated, connective)
            score, variance = case.score(rule)
            assert variances[form, a, b] == pytest.approx(variance, abs=1e-4)
            expected = strength_of((score, variance), search._pair_penalty)
            parts = max(0, *(singles[feature] for feature in rule.features))
            if (form != 1 and a > b) or variance < MIN_INFORMATION - 1e-4:
                assert strengths[form, a, b] <= 0
            elif expected > parts + 1e-3 and variance > MIN_INFORMATION + 1e-4:
                assert strengths[form, a, b] == pytest.approx(expected, rel=1e-3, abs=1e-3)
            elif expected < parts - 1e-3:
                assert strengths[form, a, b] <= 0


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 999), st.sampled_from([(3,), (2, 3, 4)]))
def test_third_features(seed: int, sizes: tuple[int, ...]) -> None:
    case = prepare(random_items(seed, 40, sizes), seed)
    joined, search = case.columns.joined_features, case.search
    rng = np.random.default_rng(seed)
    a, b = map(int, rng.choice(joined, 2, replace=False))
    pair = search._make_candidate(Rule((a, b), (False, bool(seed % 2))), 0.0)
    if case.score(pair.rule)[1] < MIN_INFORMATION:
        return
    extended = search._extend_pairs([pair], [-1e9], case.excess)
    penalty = search._pair_penalty + 2 * math.log(2 * joined.size)
    by_sign = {candidate.rule.negated[2]: candidate for candidate in extended}
    assert len(by_sign) == len(extended)
    for is_not in (False, True):
        negated = (*pair.rule.negated, is_not)
        strengths = {c: strength_of(case.score(Rule((a, b, c), negated)), penalty)
                     for c in joined.tolist()}  # fmt: skip
        best = max(strengths.values())
        if is_not in by_sign:
            candidate = by_sign[is_not]
            third = candidate.rule.features[2]
            assert candidate.rule == Rule((a, b, third), negated)
            assert strengths[third] == pytest.approx(best, abs=1e-3)
            assert candidate.penalty == pytest.approx(penalty)
        else:  # nothing is informative, or nothing is stronger than the pair itself
            repeats = max(strengths[a], strengths[b])
            assert best == -math.inf or repeats == pytest.approx(best, abs=1e-3)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 999))
def test_a_third_feature_must_be_stronger_by_more_than_its_penalty(seed: int) -> None:
    case = prepare(random_items(seed, 40, (3,)), seed)
    joined, search = case.columns.joined_features, case.search
    pair = search._make_candidate(Rule((int(joined[0]), int(joined[1])), (False, True)), 0.0)
    if case.score(pair.rule)[1] < MIN_INFORMATION:
        return
    for candidate in search._extend_pairs([pair], [-1e9], case.excess):
        strength = strength_of(case.score(candidate.rule), candidate.penalty)
        for given_strength, is_kept in ((strength - 0.01, True), (strength + 0.01, False)):
            extended = search._extend_pairs([pair], [given_strength], case.excess)
            assert (candidate.rule in {c.rule for c in extended}) == is_kept


MARKS = ("quux", "zork", "blip")


@pytest.mark.parametrize(
    ("n_marks", "form", "connective", "negated"),
    [
        (1, "and", "and", [(False,)]),
        (2, "and", "and", [(False, False)]),
        (2, "and not", "and", [(False, True), (True, False)]),
        (2, "xor", "xor", [(False, False)]),
        (3, "and", "and", [(False, False, False)]),
    ],
)
def test_planted_rules_are_found(
    n_marks: int, form: str, connective: str, negated: list[tuple[bool, ...]]
) -> None:
    columns, rules = find(planted_items(1, 700, MARKS[:n_marks], form))
    rule = rules[0].rule
    names = " ".join(columns.name(feature) for feature in rule.features)
    assert all(mark in names for mark in MARKS[:n_marks])
    assert (rule.connective, len(rule.features)) == (connective, n_marks)
    assert rule.negated in negated
    assert rules[0].is_telling
    assert rules[0].hits == rules[0].n > 300


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 999), st.sampled_from(["and", "and not", "xor"]), st.floats(0.3, 1))
def test_each_rule_is_strong_in_items_that_no_rule_before_it_picks_in(
    seed: int, form: str, noise: float
) -> None:
    items = planted_items(seed, 60, MARKS[:2], form, 3, noise)
    columns, rules = find(items)
    answers = answer_array(items).tolist()
    everything = [*range(len(items))]
    assert len(rules) <= MAX_RULES
    free = everything
    for k, rule in enumerate(rules):
        fits = fits_rule(columns, rule.rule)
        picks = [pick_of(columns, fits, item) for item in everything]
        assert [NO_PICK if pick is None else pick for pick in picks] == rule.picks.tolist()
        rows = columns.layout.first[:-1].tolist()
        hits = sum(pick == rows[i] + answers[i] for i, pick in enumerate(picks))
        assert (rule.hits, rule.n) == (hits, sum(pick is not None for pick in picks))
        assert rule.is_telling == (rule.hits > rule.n / 3)
        penalty = penalty_of(columns, rule.rule, everything)
        strength = strength_of(score_picks(columns, fits, answers, free), penalty)
        assert strength >= MIN_STRENGTH - 1e-6
        if k == 0:
            assert strength >= SIMPLER * strongest_single(columns, answers, everything) - 1e-6
        free = [i for i in free if picks[i] is None]


def strongest_single(columns: FeatureColumns, answers: list[int], items: list[int]) -> float:
    """Of the features that are strong by their scores, the most that picks by one achieve."""
    best, penalties = 0.0, single_penalties(columns, items)
    for feature in range(int(columns.offsets[-1])):
        fits = fits_rule(columns, Rule((feature,), (False,)))
        penalty = penalties[columns.block_of(feature)]
        if strength_of(score_rule(columns, fits, answers, items), penalty) >= MIN_STRENGTH:
            best = max(best, strength_of(score_picks(columns, fits, answers, items), penalty))
    return best


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 999))
def test_answers_of_other_items_are_not_looked_at(seed: int) -> None:
    items = planted_items(seed, 80, MARKS[:1], "and", 3, 0.5)
    case = prepare(items, seed)
    rng = np.random.default_rng(seed)
    others = np.where(case.search.is_searched, case.answers, rng.integers(3, size=len(items)))
    first, second = (case.search.find_rules(answers) for answers in (case.answers, others))
    assert [rule.rule for rule in first] == [rule.rule for rule in second]
    for one, other in zip(first, second, strict=True):
        assert (one.hits, one.n) == (other.hits, other.n)


def test_no_rule_without_items_or_without_features() -> None:
    items = random_items(0, 30)
    columns = build_columns(items)
    search = RuleSearch(columns, np.zeros(30, np.bool_))
    assert search.find_rules(answer_array(items)) == []
    same = random_items(0, 30, words=("word",))
    columns = build_columns(tuple(i.__class__(i.id, i.fields, ("x", "x"), i.answer and 1)
                                  for i in same))  # fmt: skip
    search = RuleSearch(columns, np.ones(30, np.bool_))
    assert search.find_rules(np.arange(30) % 2) == []
