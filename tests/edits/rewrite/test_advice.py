"""What writers are told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hansproof.edits.rewrite.advice import advise_length, advise_rule, choose_choice
from hansproof.rules.portable import PortableRule
from hansproof.types import Item

ITEM = Item("1", {"q": "Why?"}, ("Aha.", "Because of it", "So", "No"), 1)


def rule(*names: str, is_telling: bool = True, rung: str = "words") -> PortableRule:
    labels = tuple((rung, name) for name in names)
    return PortableRule(labels, (False,) * len(names), "and", is_telling)


@pytest.mark.parametrize(
    ("targets", "choice", "advice"),
    [
        ({0: 71}, 0, "Lengthen from 34 to about 71 characters, so that it is the longest choice."),
        ({1: 55}, 1, "Shorten from 64 to about 55 characters; it stays the longest choice."),
        (
            {1: 40},
            1,
            "Shorten from 64 to about 40 characters, so that it is the second longest choice.",
        ),
        (
            {1: 31, 3: 80},
            1,
            "Shorten from 64 to about 31 characters, so that it is the shortest choice.",
        ),
    ],
)
def test_lengths(targets: dict[int, int], choice: int, advice: str) -> None:
    assert advise_length(np.array([34, 64, 50, 20]), targets, choice) == advice


def test_of_two_choices_one_is_longer() -> None:
    advice = advise_length(np.array([20, 60]), {0: 70}, 0)
    assert advice == "Lengthen from 20 to about 70 characters, so that it is the longer choice."


def test_of_two_choices_the_wrong_one_gets_a_telling_word() -> None:
    word, item = rule("has “not”"), replace(ITEM, choices=ITEM.choices[:2])
    assert choose_choice(word, item, picked=1, is_relative=False, wrong=0) == 0
    assert advise_rule(word, item, 0, 1, is_relative=False) == (
        "Rewrite it so that it has “not”, or choice 2 (the right one) so that it does not have "
        "“not”."
    )


def test_of_more_choices_the_right_one_loses_a_telling_word() -> None:
    """If one of three wrong choices got it, too, two choices would be left to guess from."""
    word = rule("has “not”")
    assert choose_choice(word, ITEM, picked=1, is_relative=False, wrong=3) == 1
    assert advise_rule(word, ITEM, 1, 1, is_relative=False) == (
        "Rewrite it so that it does not have “not”."
    )


def test_nobody_is_asked_to_put_odd_spaces_into_a_text() -> None:
    spaces = rule("has two spaces in a row", rung="typography")
    item = replace(ITEM, choices=ITEM.choices[:2])
    assert choose_choice(spaces, item, picked=1, is_relative=False, wrong=0) == 1
    assert advise_rule(spaces, item, 1, 1, is_relative=False) == (
        "Rewrite it so that it does not have two spaces in a row."
    )


def test_a_word_that_rules_out_goes_out_of_the_wrong_choice() -> None:
    word = rule("has “new”", is_telling=False)
    assert choose_choice(word, ITEM, picked=2, is_relative=False, wrong=3) == 2
    assert advise_rule(word, ITEM, 2, 2, is_relative=False) == (
        "Rewrite it so that it does not have “new”, or choice 2 (the right one) so that it has "
        "“new”."
    )


def test_what_compares_choices_is_to_be_true_of_another() -> None:
    most = rule("has the most commas")
    assert choose_choice(most, ITEM, picked=1, is_relative=True, wrong=3) == 3
    assert advise_rule(most, ITEM, 3, 1, is_relative=True) == (
        "Rewrite it so that it, and not choice 2 (the right one), has the most commas."
    )
    fewest = rule("has the fewest commas", is_telling=False)
    assert choose_choice(fewest, ITEM, picked=0, is_relative=True, wrong=3) == 1
    assert advise_rule(fewest, ITEM, 1, 0, is_relative=True) == (
        "Rewrite it so that it, and not choice 1, has the fewest commas."
    )


def test_of_several_features_one_has_to_go() -> None:
    both = rule("is the longest", "has “not”")
    assert choose_choice(both, ITEM, picked=1, is_relative=False, wrong=3) == 1
    assert advise_rule(both, ITEM, 1, 1, is_relative=False) == (
        "Rewrite it so that this no longer describes it: the longest choice, if it has “not”."
    )
