"""What a rule picks is described so that a tired reader takes it in at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof import load
from hansproof.rules.climb import build_blocks
from hansproof.rules.encoder import ChoiceCoordinates
from hansproof.rules.features import choice_texts
from hansproof.rules.frequency import ChoiceLogs
from hansproof.rules.phrases import describe_choice, finish_subject, negate_phrase
from hansproof.types import Items

from ..support.rule_factories import WORD, odd_items

VERBS = {"is", "has", "begins", "ends", "shares", "contains", "resembles"}
NOT, A = "has “not”", "has “a”"
LONGEST, FIRST = "is the longest", "is the first"


@pytest.mark.parametrize(
    ("phrases", "negated", "description"),
    [
        ([NOT], [False], "the only choice with “not”"),
        ([LONGEST], [False], "the longest choice"),
        (["is the second longest"], [False], "the second longest choice"),
        (["has the most words"], [False], "the choice with the most words"),
        (["shares no words with the others"], [False],
         "the only choice that shares no words with the others"),
        (["is most like the others in its words"], [False],
         "the choice that is most like the others in its words"),
        (["is the odd one out in its length"], [False], "the odd one out in its length"),
        (["is the most likely per token"], [False], "the choice that is the most likely per token"),
        (["is at least twice as long as the others on average"], [False],
         "the only choice that is at least twice as long as the others on average"),
        (["begins with “a”"], [False], "the only choice that begins with “a”"),
        ([NOT, A], [False, False], "the only choice with “not” and “a”"),
        ([NOT, A], [False, True], "the only choice with “not” but without “a”"),
        ([NOT, A, "has a comma"], [False, False, True],
         "the only choice with “not” and “a” but without a comma"),
        ([NOT, LONGEST], [False, True], "the only choice that has “not” but is not the longest"),
        ([NOT, "has the most commas"], [False, True],
         "the only choice that has “not” but not the most commas"),
        ([NOT, "has no word as rare as the others have"], [False, True],
         "the only choice that has “not” but has a word as rare as the others have"),
        ([NOT, "has exactly 2 words"], [False, True],
         "the only choice that has “not” but not exactly 2 words"),
        (["begins with “a”", NOT], [False, False],
         "the only choice that begins with “a” and has “not”"),
        (["begins with “a”", "has a comma"], [False, True],
         "the only choice that begins with “a” but has no comma"),
        ([LONGEST, NOT], [False, False], "the longest choice, if it has “not”"),
        ([NOT, LONGEST], [False, False], "the longest choice, if it has “not”"),
        ([LONGEST, FIRST], [False, True], "the longest choice, if it is not the first"),
        ([LONGEST, NOT, FIRST], [False, False, True],
         "the longest choice, if it has “not” but is not the first"),
    ],
)  # fmt: skip
def test_rules_read_as_one_would_say_them(
    phrases: list[str], negated: list[bool], description: str
) -> None:
    assert describe_choice(phrases, negated) == description


def test_one_of_two_is_not_both() -> None:
    two = describe_choice([NOT, A], [False, False], is_xor=True)
    assert two == "the only choice that has “not” or “a”, but not both"
    mixed = describe_choice([LONGEST, A], [False, False], is_xor=True)
    assert mixed == "the only choice that is the longest or has “a”, but not both"
    assert finish_subject(two) == f"{two},"
    assert finish_subject("the longest choice, if it has “a”").endswith("”,")
    assert finish_subject("the longest choice") == "the longest choice"


@pytest.mark.parametrize(
    ("phrase", "negation"),
    [
        (NOT, "does not have “not”"), (LONGEST, "is not the longest"),
        ("has a comma", "has no comma"), ("has an en dash", "has no en dash"),
        ("has exactly 3 words", "does not have exactly 3 words"),
        ("begins with “a”", "does not begin with “a”"),
        ("shares no words with the others", "shares words with the others"),
        ("has no word as rare as the others have", "has a word as rare as the others have"),
        ("contains another choice", "does not contain another choice"),
    ],
)  # fmt: skip
def test_phrases_are_negated(phrase: str, negation: str) -> None:
    assert negate_phrase(phrase) == negation


def list_names(items: Items, with_models: bool) -> list[str]:
    """The names of the features of all rungs."""
    texts = choice_texts(items)
    rng = np.random.default_rng(0)
    logs = [ChoiceLogs(name, *rng.normal(size=(2, len(texts)))) for name in ("a", "b")]
    vectors = [ChoiceCoordinates("c", rng.normal(size=(len(texts), 3)).astype(np.float32), texts)]
    models = (logs, vectors) if with_models else ((), ())
    _, blocks = build_blocks(items, WORD, *models)
    return [block.name(feature) for block in blocks for feature in range(block.size)]


def test_no_two_features_have_one_name_and_all_can_be_negated() -> None:
    names = list_names(load("toy:original").splits["original"], with_models=True)
    assert len(names) > 500
    assert len(names) == len({*names})
    assert {name.split(" ", 1)[0] for name in names} == VERBS - {"contains"}  # none does here
    negations = [negate_phrase(name) for name in names]
    assert len({*names, *negations}) == 2 * len(names)


@settings(max_examples=25, deadline=None)
@given(odd_items(min_choices=2, most=12))
def test_neither_do_features_of_odd_texts(items: Items) -> None:
    names = list_names(items, with_models=False)
    assert len(names) == len({*names})
    assert {name.split(" ", 1)[0] for name in names} <= VERBS


@given(st.lists(st.sampled_from([NOT, A, LONGEST, FIRST, "has a comma", "begins with “a”"]),
                min_size=1, max_size=3, unique=True), st.data())  # fmt: skip
def test_every_feature_of_a_rule_is_named(phrases: list[str], data: st.DataObject) -> None:
    negated = [False, *(data.draw(st.booleans()) for _ in phrases[1:])]
    description = describe_choice(phrases, negated)
    for phrase in phrases:
        rest = phrase.split(" ", 1)[1].removeprefix("the ").removeprefix("a ")
        assert rest in description
    assert description.startswith("the ")
    assert "  " not in description
