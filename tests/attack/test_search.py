"""What an attack does, and that nothing it does breaks a rule: all is worked out again by hand."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.attack import AttackOutcome, AttackRules, apply_swaps, attack_all
from hansproof.attack.outcomes import outcome_from_json, outcome_to_json
from hansproof.attack.rules import Candidates
from hansproof.errors import ModelError
from hansproof.types import Item, Items

from ..support import attack_factories as made

MEANS, LOOSE, STOP = made.RESOURCES, made.LOOSE_RULES, made.STOP_WORDS


def outcomes(
    items: Items, rules: AttackRules = LOOSE, side: int = 8, seed: int = 0
) -> list[AttackOutcome]:
    model = made.Weighing(seed)
    return sorted(attack_all(items, model.score, rules, MEANS, side), key=lambda one: one.id)


def right(item: Item, seed: int = 0) -> bool:
    (scores,) = made.Weighing(seed).score((item,))
    return scores[item.answer or 0] == max(scores)


rules = st.builds(
    AttackRules,
    parts=st.sampled_from([("context",), ("right",), ("wrong",), ("context", "right", "wrong")]),
    word_cosine=st.sampled_from([0.5, 0.7, 0.9]),
    min_similarity=st.sampled_from([0.0, 0.6, 0.8]),
    scope=st.sampled_from(["window", "text"]),
    window=st.sampled_from([3, 15]),
    reference=st.sampled_from(["previous", "original"]),
    short_items=st.sampled_from(["skip", "compare"]),
    same_tag=st.booleans(),
    stop_words=st.just(STOP),
)


@settings(max_examples=60, deadline=None)
@given(rules, st.integers(0, 10**6), st.sampled_from([2, 3, 5]))
def test_every_rule_is_kept(rules: AttackRules, seed: int, choices: int) -> None:
    items = made.some(12, seed, choices)
    for one in outcomes(items, rules):
        item = next(i for i in items if i.id == one.id)
        after = apply_swaps(item, one)
        assert (one.state == "wrong") == (not right(item))
        assert (one.state == "flipped") == (right(item) and not right(after))
        assert (after == item) == (not one.swaps)
        check(item, after, one, rules)


def check(item: Item, after: Item, one: AttackOutcome, rules: AttackRules) -> None:
    """From the texts alone: split at blanks, as all words of this language are."""
    assert (after.answer, after.id, after.meta) == (item.answer, item.id, item.meta)
    before_texts = [*item.fields.values(), *item.choices]
    after_texts = [*after.fields.values(), *after.choices]
    allowed = [("context" in rules.parts)] * len(item.fields)
    allowed += [("right" if at == item.answer else "wrong") in rules.parts
                for at in range(len(item.choices))]  # fmt: skip
    changed = 0
    for may, old, new in zip(allowed, before_texts, after_texts, strict=True):
        assert may or old == new
        for was, now in zip(old.split(), new.split(), strict=True):
            if was != now:
                changed += 1
                assert was not in STOP
                assert made.cosine(was.strip("?"), now.strip("?")) >= rules.word_cosine
    assert changed == len(one.swaps) == len({swap.position for swap in one.swaps})
    replay(item, one, rules)


def replay(item: Item, one: AttackOutcome, rules: AttackRules) -> None:
    """The steps again, each compared with the text that it changed."""
    words = " ".join([*item.fields.values(), *item.choices]).replace("?", "").split()
    start = list(words)
    for swap in one.swaps:
        at = swap.position
        assert words[at] == swap.old == start[at]
        if rules.same_tag:
            window, place = start[max(0, at - 4) : at + 4], min(at, 4)
            tags = [
                made.ByLastLetter().tag_words(
                    [(*window[:place], word, *window[place + 1 :])], [place]
                )[0]
                for word in (swap.old, swap.new)
            ]
            assert tags[0] == tags[1] or {*tags} == {"NOUN", "VERB"}
        other = words if rules.reference == "previous" else start
        new = [*words[:at], swap.new, *words[at + 1 :]]
        if swap.similarity is None:
            short = (
                rules.scope == "window"
                and rules.short_items == "skip"
                and len(words) < rules.window
            )
            assert not rules.min_similarity or short
        else:
            pair = [" ".join(cut(some, at, rules)) for some in (other, new)]
            cosine = float(np.prod(made.Bag().unit_vectors(pair), axis=0).sum())
            angle = 1 - math.acos(max(-1.0, min(1.0, cosine))) / math.pi
            assert swap.similarity == pytest.approx(angle, abs=2e-3)  # of single precision
            assert swap.similarity >= rules.min_similarity
        words = new


def cut(words: list[str], at: int, rules: AttackRules) -> list[str]:
    if rules.scope == "text":
        return words
    size, half = rules.window, (rules.window - 1) // 2
    if at - half < 0:
        return words[:size]
    if at + half >= len(words):
        return words[max(0, len(words) - size) :]
    return words[at - half : at + half + 1]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 12))
def test_it_does_not_matter_who_is_attacked_beside(seed: int, side: int) -> None:
    items = made.some(10, seed, 3)
    assert outcomes(items, side=side) == outcomes(items, side=10) == outcomes(items[::-1])


def test_many_flip_and_many_hold() -> None:
    states = Counter(one.state for one in outcomes(made.some(300, 1)))
    assert states.total() == 300
    assert min(states[state] for state in ("wrong", "flipped", "held")) > 20


def test_tighter_rules_flip_no_more() -> None:
    items = made.some(200, 2)
    loose = {one.id for one in outcomes(items) if one.state == "flipped"}
    only_wrong = replace(LOOSE, parts=("wrong",))
    tight = {one.id for one in outcomes(items, only_wrong) if one.state == "flipped"}
    assert 0 < len(tight) < len(loose)


def test_outcomes_survive_json() -> None:
    for one in outcomes(made.some(30)):
        assert outcome_from_json(json.loads(json.dumps(outcome_to_json(one)))) == one


def test_items_that_cannot_be_attacked_say_why() -> None:
    one = Item("one", {"q": "why"}, ("a",), 0)
    stops = Item("stops", {"q": "the"}, ("of", "of the"), 0)
    bare = Item("bare", {"q": ""}, ("", "!"), 0)

    def score(items: Items) -> list[tuple[float, ...]]:
        return [(1.0, *[0.0] * (len(item.choices) - 1)) for item in items]

    found = {one.id: one for one in attack_all((one, stops, bare), score, LOOSE, MEANS)}
    assert {one.state for one in found.values()} == {"skipped"}
    assert found["one"].reason == "only one choice"
    assert found["stops"].reason == found["bare"].reason == "no word may be changed"


def test_a_model_without_numbers_is_a_reason() -> None:
    items = made.some(5)

    def score(items: Items) -> list[tuple[float, ...]]:
        return [(math.nan,) * len(item.choices) for item in items]

    reasons = {one.reason for one in attack_all(items, score, LOOSE, MEANS)}
    assert reasons == {"the model returned no finite score"}


def test_a_model_sees_no_answer_and_no_id() -> None:
    def score(items: Items) -> list[tuple[float, ...]]:
        assert all((i.id, i.answer, i.group, i.meta) == ("", None, None, {}) for i in items)
        return made.Weighing().score(items)

    assert list(attack_all(made.some(5), score, LOOSE, MEANS))


def test_unknown_words_are_held() -> None:
    item = Item("x", {"q": "zzz"}, ("yyy", "www"), 0)
    (one,) = attack_all((item,), lambda items: [(1.0, 0.0) for _ in items], LOOSE, MEANS)
    assert (one.state, one.reason, one.queries) == ("held", "no substitute is similar enough", 1)


def test_a_word_without_a_vector_is_near_only_where_any_is() -> None:
    class Bare(made.Families):
        def find_candidates(self, words: Iterable[str]) -> Mapping[str, Candidates]:
            found = super().find_candidates(words)
            return {word: [(other, None) for other, _ in some] for word, some in found.items()}

    means = replace(MEANS, source=Bare())
    items = made.some(100)
    for least, any_is in ((0.0, False), (-1.0, True)):
        done = attack_all(items, made.Weighing().score, replace(LOOSE, word_cosine=least), means)
        assert any(one.swaps for one in done) == any_is


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([[1.0]], "returned 1 score for 2 choices"),
        ([], "returned 0 rows of scores for 1 item"),
        ([0.5], "did not return a row of numbers for each item"),
        ([["a", "b"]], "did not return a row of numbers for each item"),
    ],
    ids=["narrow", "short", "flat", "words"],
)
def test_a_model_that_gives_something_else_is_a_line(given: Any, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        list(attack_all(made.some(1), lambda items: given, LOOSE, MEANS))


def test_numbers_of_numpy_are_numbers() -> None:
    def score(items: Items) -> Any:
        return np.array(made.Weighing().score(items), np.float32)

    for one in attack_all(made.some(10), score, LOOSE, MEANS):
        assert outcome_from_json(json.loads(json.dumps(outcome_to_json(one)))) == one
