"""Which changes of lengths an item offers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hansproof.edits.rewrite.length_options import (
    LENGTHENED,
    MIN_CHARACTERS,
    SHORTENED,
    LengthChange,
    list_changes,
)

LENGTHS = st.lists(st.integers(0, 300), min_size=1, max_size=7)


@given(lengths=LENGTHS, data=st.data())
def test_changes_are_within_limits(lengths: list[int], data: st.DataObject) -> None:
    answer = data.draw(st.integers(0, len(lengths) - 1))
    changeable = data.draw(st.lists(st.booleans(), min_size=len(lengths), max_size=len(lengths)))
    first, *changes = list_changes(np.array(lengths), answer, np.array(changeable))
    assert first == LengthChange()
    for change in changes:
        targets = dict(change.targets)
        assert 1 <= len(targets) == len(change.targets) <= 2
        assert change.effort > len(targets)
        for choice, target in targets.items():
            assert changeable[choice]
            assert target != lengths[choice]
            assert target >= min(MIN_CHARACTERS, *lengths)
            assert SHORTENED <= target / lengths[choice] <= LENGTHENED


def test_a_choice_can_have_every_rank() -> None:
    lengths = np.array([80, 30, 45, 60])
    changes = list_changes(lengths, 0, np.ones(4, np.bool_))
    ranks = {
        sum(target > other for other in (30, 45, 60))
        for change in changes
        if len(change.targets) == 1
        for choice, target in change.targets
        if choice == 0
    }
    assert ranks == {0, 1, 2, 3}


def test_the_right_choice_can_swap_with_another() -> None:
    changes = list_changes(np.array([80, 30]), 0, np.ones(2, np.bool_))
    assert {((0, 30), (1, 80))} <= {change.targets for change in changes}


def test_what_is_beyond_the_others_is_clearly_so() -> None:
    """Writers meet a length only about, so a target is never right beside another choice."""
    for change in list_changes(np.array([50, 52, 90]), 2, np.ones(3, np.bool_)):
        if len(change.targets) == 1:
            ((choice, target),) = change.targets
            others = [length for k, length in enumerate((50, 52, 90)) if k != choice]
            assert all(abs(np.log(target / other)) > 0.1 for other in others)
