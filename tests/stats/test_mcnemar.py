from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from hansproof.stats import mcnemar_test, paired_randomisation_test

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=80)


@given(PAIRS)
def test_it_is_statsmodels(pairs: list[tuple[bool, bool]]) -> None:
    one, other = zip(*pairs, strict=True)
    table = [[sum((a, b) == pair for pair in pairs) for b in (True, False)] for a in (True, False)]
    only_one, only_other, p = mcnemar_test(one, other)
    assert (only_one, only_other) == (table[0][1], table[1][0])
    assert p == pytest.approx(min(1.0, statsmodels_mcnemar(table, exact=True).pvalue))


@given(PAIRS)
def test_for_right_or_wrong_the_randomisation_test_is_mcnemars(
    pairs: list[tuple[bool, bool]],
) -> None:
    one, other = np.array(pairs, float).T
    assert paired_randomisation_test(one, other).p == pytest.approx(mcnemar_test(one, other)[2])
