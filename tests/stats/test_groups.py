from __future__ import annotations

import numpy as np
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
