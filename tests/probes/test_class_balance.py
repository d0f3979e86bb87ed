from __future__ import annotations

import numpy as np
import pytest

from hansproof.probes.class_balance import ClassBalance
from hansproof.types import Benchmark, Item


def benchmark(*answers: int, m: int = 2) -> Benchmark:
    items = [Item(str(i), {}, tuple(f"{c}{i}" for c in "abcde"[:m]), a)
             for i, a in enumerate(answers)]  # fmt: skip
    return Benchmark("b", {"all": tuple(items)})


def test_uneven_positions_are_exposed_and_slightly_uneven_ones_a_caution() -> None:
    assert ClassBalance()(benchmark(*[0] * 80, *[1] * 20)).verdict == "exposed"
    assert ClassBalance()(benchmark(*[0] * 5300, *[1] * 4700)).verdict == "caution"
    assert ClassBalance()(benchmark(*[0] * 55, *[1] * 45)).verdict == "undecided"
    assert ClassBalance()(benchmark(*[0] * 1010, *[1] * 1000)).verdict == "clear"


def test_two_choices_are_tested_exactly() -> None:
    """40 of 60: chi-squared says .0098, the binomial test .0135, four times that is above .05."""
    result = ClassBalance()(benchmark(*[0] * 40, *[1] * 20))
    assert result.p == pytest.approx(0.013489, abs=1e-6)


def test_the_sentence_names_the_position_from_one() -> None:
    result = ClassBalance()(benchmark(*[2] * 60, *[0] * 20, *[1] * 20, m=3))
    assert (
        result.summary
        == "Always taking the third choice answers 60.0% of all items (chance 33.3%)."
    )
    assert [row[1] for row in result.tables["positions"].rows] == [1, 2, 3]
    assert result.gain == pytest.approx(0.6 - 1 / 3)


def test_positions_that_few_items_have_are_expected_less_often() -> None:
    items = [Item(str(i), {}, (f"a{i}", f"b{i}"), i % 2) for i in range(40)]
    items += [Item(str(40 + i), {}, tuple(f"{c}{i}" for c in "cdef"), i % 4) for i in range(8)]
    result = ClassBalance()(Benchmark("b", {"all": tuple(items)}))
    expected = [row[3] for row in result.tables["positions"].rows]
    assert expected == [22, 22, 2, 2]
    assert result.tables["tests"].rows[0][3] == 3


def test_a_handful_of_items_is_undecided() -> None:
    result = ClassBalance()(benchmark(0, 0, 0, 0, 0))
    (row,) = result.tables["tests"].rows
    assert row[4] == pytest.approx(2 * 0.5**5)
    assert result.verdict == "undecided"
    assert "With 5 items," in result.summary
    assert "about 790 items are needed" in result.summary


def test_mirrored_pairs_are_even_by_construction_at_any_n() -> None:
    items = tuple(
        Item(f"{i}{half}", {"q": str(half)}, (f"a{i}", f"b{i}"), half, group=str(i))
        for i in range(3)
        for half in (0, 1)
    )
    result = ClassBalance()(Benchmark("b", {"all": items}))
    assert result.verdict == "clear"
    assert result.summary == "Every position is right equally often by design."


def test_items_of_a_group_count_as_one_unit() -> None:
    """Ten groups of twenty items that share one answer: chance alone makes large swings."""
    flagged = 0
    for seed in range(40):
        answers = np.repeat(np.random.default_rng(seed).integers(0, 2, 10), 20)
        items = tuple(
            Item(str(i), {}, (f"a{i}", f"b{i}"), int(a), group=str(i // 20))
            for i, a in enumerate(answers)
        )
        flagged += ClassBalance()(Benchmark("b", {"all": items})).verdict in ("caution", "exposed")
    assert flagged <= 6


def test_an_interval_includes_chance_where_the_test_does_not_reject() -> None:
    """The most frequent of four positions looks better than it is, since it was picked."""
    result = ClassBalance()(benchmark(*[0] * 122, *[1] * 93, *[2] * 93, *[3] * 92, m=4))
    assert result.p is not None
    assert result.p > 0.05
    (estimate,) = result.estimates
    assert estimate.low == 0.25
    (row, *_) = result.tables["positions"].rows
    assert float(row[5] or 0) > 0.25  # of this number alone


def test_a_named_part_is_looked_at_alone() -> None:
    items = benchmark(0, 1).splits["all"]
    both = Benchmark("b", {"x": items, "y": items})
    assert [r[0] for r in ClassBalance(split="y")(both).tables["tests"].rows] == ["y"]
