from __future__ import annotations

import numpy as np
import pytest

from hansproof import load
from hansproof.models.longest import Longest
from hansproof.scoring import baseline_credits
from hansproof.types import Item


def test_characters_without_the_blanks_around() -> None:
    item = Item("0", {"q": "a long question"}, (" four ", "fours", "", "a b\n"), 0)
    assert Longest().score((item,)) == [(4.0, 5.0, 0.0, 3.0)]


def test_it_earns_what_the_baseline_of_that_name_earns() -> None:
    benchmark = load("toy:original")
    (items,) = benchmark.splits.values()
    credit = [
        (row[item.answer or 0] == max(row)) / row.count(max(row))
        for row, item in zip(Longest().score(items), items, strict=True)
    ]
    expected = baseline_credits(benchmark, next(iter(benchmark.splits)), items)["longest"]
    assert credit == pytest.approx(np.asarray(expected))
