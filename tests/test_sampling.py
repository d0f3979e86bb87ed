from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hansproof.sampling import sample_items
from hansproof.types import Item

ITEMS = tuple(Item(str(at), {}, ("a", "b"), 0) for at in range(50))


@given(st.integers(0, 60), st.integers(0, 100))
def test_so_many_in_their_order_and_the_same_for_a_seed(most: int, seed: int) -> None:
    found = sample_items(ITEMS, most, seed)
    assert len(found) == (min(most, 50) or 50)
    assert list(found) == sorted(found, key=ITEMS.index)
    assert found == sample_items(ITEMS, most, seed)


def test_another_seed_draws_others() -> None:
    assert sample_items(ITEMS, 10, 0) != sample_items(ITEMS, 10, 1)
