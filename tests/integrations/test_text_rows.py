"""Items as rows of texts, and back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof import BadInput, Item, load
from hansproof.integrations.text_rows import RowShape, common_shape, group_by_shape, item_texts
from hansproof.types import FULL
from hansproof.views import apply_view, fields_of, parse_view

from ..support.markers import needs_data

items = st.builds(
    Item,
    st.text(),
    st.dictionaries(st.sampled_from(["premise", "claim", "reason"]), st.text()),
    st.lists(st.text(), min_size=2, max_size=5).map(tuple),
    st.none(),
    meta=st.sampled_from([{}, {"asks_for": "cause"}, {"asks_for": "effect"}]),
)


@given(items)
def test_a_row_and_its_shape_are_all_that_a_model_sees(item: Item) -> None:
    back = RowShape.from_item(item).to_item(item_texts(item))
    view = parse_view(FULL, fields_of([item]))
    assert apply_view(view, (back,), answers=False) == apply_view(view, (item,), answers=False)


@given(st.lists(items, max_size=6))
def test_every_item_stands_in_one_table_in_its_order(some: list[Item]) -> None:
    tables = group_by_shape(some)
    assert sum(map(len, tables.values())) == len(some)
    for shape, part in tables.items():
        assert common_shape(part) == shape
        assert list(part) == [item for item in some if RowShape.from_item(item) == shape]
        assert all(len(item_texts(item)) == len(shape.columns) for item in part)


@needs_data
def test_copa_has_two_tables_and_arc_one_for_each_number_of_choices() -> None:
    copa, arc = load("copa").splits["test"], load("arc_challenge").splits["test"]
    assert {shape.asks_for for shape in group_by_shape(copa)} == {"cause", "effect"}
    assert {shape.choices for shape in group_by_shape(arc)} == {len(item.choices) for item in arc}
    assert next(iter(group_by_shape(copa))).columns == ["premise", "choice 1", "choice 2"]


def test_a_row_of_another_length_and_items_of_two_shapes_are_refused() -> None:
    item = Item("1", {"premise": "a"}, ("b", "c"), 0)
    with pytest.raises(BadInput, match="row: has 2 texts, must have 3: premise, choice 1, choice"):
        RowShape.from_item(item).to_item(("a", "b"))
    with pytest.raises(BadInput, match="have 2 different shapes"):
        common_shape([item, replace(item, choices=("b", "c", "d"))])
    with pytest.raises(BadInput, match="there are none"):
        common_shape([])


def test_without_textattack_the_bridge_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib
    import sys

    from hansproof import MissingExtra

    monkeypatch.setitem(sys.modules, "textattack.datasets", None)
    monkeypatch.delitem(sys.modules, "hansproof.integrations.textattack", raising=False)
    with pytest.raises(MissingExtra, match=r"TextAttack needs an extra: .*hansproof\[attack\]"):
        importlib.import_module("hansproof.integrations.textattack")
