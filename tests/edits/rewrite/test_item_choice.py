"""Just enough items are chosen, also of many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.edits.rewrite.item_choice import SPARED, choose_by_gain
from hansproof.rules.features import Mask
from hansproof.stats import Floats

Case = tuple[Mask, Floats, Floats]  # given away and relief by rule and item, and excess by rule


@st.composite
def cases(draw: st.DrawFn) -> Case:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rules, n_items = draw(st.integers(1, 9)), draw(st.integers(1, 40))
    chance = 1 / rng.choice([2, 3, 4, 10], n_items)
    share = draw(st.sampled_from([0.2, 0.7, 1.0]))
    given_away = rng.random((n_rules, n_items)) < share
    rows = [[np.ones(n_items), chance, 1 - chance][kind] for kind in rng.integers(3, size=n_rules)]
    return given_away, np.stack(rows), rng.uniform(-2, share * n_items, n_rules)


def choose_item_by_item(
    given_away: Mask, relief: Floats, excess: Floats
) -> list[tuple[int, list[int]]]:
    """Compute the gains of all items for each choice."""
    given_away, excess = given_away.copy(), excess.copy()
    chosen: list[tuple[int, list[int]]] = []
    while True:
        gain = np.abs(excess)[:, None] - np.abs(excess[:, None] - relief)
        helps = given_away & (gain > 0)
        useful = np.where(helps, gain, 0.0).sum(axis=0)
        best = int(np.argmax(useful - SPARED * (given_away & ~helps).sum(axis=0)))
        if useful[best] <= 0:
            best = int(np.argmax(useful))
        if useful[best] <= 0:
            return chosen
        rows = np.flatnonzero(helps[:, best])
        chosen.append((best, rows.tolist()))
        excess[rows] -= relief[rows, best]
        given_away[:, best] = False


@settings(max_examples=300, deadline=None)
@given(cases())
def test_the_choice_is_that_of_gains_item_by_item(case: Case) -> None:
    chosen = choose_by_gain(*case)
    assert [*chosen.items()] == choose_item_by_item(*case)


def test_many_items_are_chosen_in_seconds() -> None:
    """Item by item, this took minutes."""
    n_items = 100_000
    given_away = np.ones((2, n_items), np.bool_)
    given_away[1, ::2] = False
    chosen = choose_by_gain(given_away, np.full((2, n_items), 0.75), np.array([6e4, 3e4]))
    assert len(chosen) == pytest.approx(6e4 / 0.75, abs=1)
