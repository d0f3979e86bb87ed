from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.stats import assign_folds, group_numbers


@given(st.lists(st.sampled_from([None, "a", "b", "c", "d"]), min_size=1, max_size=60))
def test_folds_never_part_a_group(groups: list[str | None]) -> None:
    number = group_numbers(groups)
    fold = assign_folds(groups, 5, seed=1)
    for g in set(number.tolist()):
        assert len(set(fold[number == g].tolist())) == 1
    assert fold.tolist() == assign_folds(groups, 5, seed=1).tolist()


def test_folds_are_of_like_size() -> None:
    assert (
        sorted(np.bincount(assign_folds([None] * 103, 10, seed=0)).tolist()) == [10] * 7 + [11] * 3
    )


@given(st.lists(st.sampled_from([None, "a", "b", "c", "d"]), max_size=60))
def test_items_have_the_same_number_if_they_share_a_group(groups: list[str | None]) -> None:
    number = group_numbers(groups).tolist()
    for i, group in enumerate(groups):
        for j in range(i):
            assert (number[i] == number[j]) == (group is not None and group == groups[j])
    assert sorted(set(number)) == [*range(len(set(number)))]


def test_numbers_that_several_callers_get_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        group_numbers(["a", None])[0] = 5
