from __future__ import annotations

from hansproof.models.majority import Majority
from hansproof.types import Item, Items


def made(*answers: tuple[int, int | None]) -> Items:
    """Items by number of choices and answer."""
    return tuple(Item(f"{i}", {}, ("x",) * m, a) for i, (m, a) in enumerate(answers))


def test_how_often_each_position_is_right_among_items_that_have_it() -> None:
    model = Majority().fit(made((2, 0), (2, 1), (3, 0), (3, 2)), (), 0)
    assert model.score(made((2, None), (3, None))) == [(0.5, 0.25), (0.5, 0.25, 0.5)]


def test_a_position_never_seen_is_never_right() -> None:
    model = Majority().fit(made((2, 0), (2, 1)), (), 0)
    assert model.score(made((4, None))) == [(0.5, 0.5, 0, 0)]


def test_one_choice_at_a_time_all_tie() -> None:
    model = Majority().fit(made((1, 0), (1, None), (1, None)), (), 0)
    assert model.score(made((1, None), (1, None))) == [(1 / 3,), (1 / 3,)]


def test_without_training_items_nothing_is_preferred() -> None:
    assert Majority().fit((), (), 0).score(made((2, None))) == [(0.0, 0.0)]
