"""Groups that no fold may separate, view by view."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from hansproof.models.bow import Bow
from hansproof.probes.partial_input.cross_validation import CrossValidation, parse_views
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Item, Items
from hansproof.views import apply_view, fields_of

words = st.sampled_from(["", "a", "b", "c", "A."])
items_of = st.lists(
    st.builds(
        lambda fields, choices, group: Item("", fields, tuple(choices), 0, group),
        st.dictionaries(st.sampled_from(["claim", "reason", "choices"]), words),
        st.lists(words, min_size=2, max_size=4),
        st.sampled_from([None, "g"]),
    ),
    min_size=1,
    max_size=8,
).map(tuple)


@given(items_of)
def test_units_of_a_view_are_those_of_all_items_as_it_shows_them(items: Items) -> None:
    validation = CrossValidation(Bow(), items, 5, 1, 0, 0.05)
    for view in parse_views(None, fields_of(items)):
        shown = apply_view(replace(view, side_by_side=True, shuffled_fields=False), items)
        expected, units = find_leakage_groups(items, shown), validation._view_units(view)
        pairs = {*zip(expected, units, strict=True)}  # the same groups, whatever their names
        assert len(pairs) == len(set(expected)) == len(set(units))
