from __future__ import annotations

import pytest
from scipy.stats import chisquare

from hansproof.probes.class_balance import ClassBalance
from hansproof.types import Benchmark, Item


def benchmark(*answers: int, m: int = 2) -> Benchmark:
    items = [Item(str(i), {}, tuple("abcde"[:m]), a) for i, a in enumerate(answers)]
    return Benchmark("b", {"all": tuple(items)})


def test_the_test_is_scipys() -> None:
    answers = [0] * 30 + [1] * 20 + [2] * 25
    result = ClassBalance()(benchmark(*answers, m=3))
    expected = chisquare([30, 20, 25])
    (row,) = result.tables["tests"].rows
    assert row[:2] == ("all", 75)
    assert row[2:] == pytest.approx((expected.statistic, 2, expected.pvalue))


def test_uneven_positions_are_exposed_and_slightly_uneven_ones_a_caution() -> None:
    assert ClassBalance()(benchmark(*[0] * 80, *[1] * 20)).verdict == "exposed"
    assert ClassBalance()(benchmark(*[0] * 5300, *[1] * 4700)).verdict == "caution"
    assert ClassBalance()(benchmark(*[0] * 55, *[1] * 45)).verdict == "clear"


def test_positions_that_few_items_have_are_expected_less_often() -> None:
    items = [Item(str(i), {}, ("a", "b"), i % 2) for i in range(40)]
    items += [Item(str(40 + i), {}, ("a", "b", "c", "d"), i % 4) for i in range(8)]
    result = ClassBalance()(Benchmark("b", {"all": tuple(items)}))
    expected = [row[3] for row in result.tables["positions"].rows]
    assert expected == [22, 22, 2, 2]
    assert result.tables["tests"].rows[0][3] == 3


def test_a_handful_of_items_is_tested_by_simulation() -> None:
    # five of five at position 0: 2 * (1/2)**5 exactly, where chi-squared would say .025
    (row,) = ClassBalance()(benchmark(0, 0, 0, 0, 0)).tables["tests"].rows
    assert row[4] == pytest.approx(2 * 0.5**5, abs=0.01)
    assert ClassBalance()(benchmark(0, 0, 0, 0, 0)).verdict == "clear"


def test_a_named_part_is_looked_at_alone() -> None:
    items = benchmark(0, 1).splits["all"]
    both = Benchmark("b", {"x": items, "y": items})
    assert [r[0] for r in ClassBalance(split="y")(both).tables["tests"].rows] == ["y"]
