"""What a view shows of items, and what it keeps back."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hansproof import views
from hansproof.errors import BadInput, UnknownName
from hansproof.types import Item, Items, View

FIELDS = ("claim", "reason", "title")

keeps = st.sets(st.sampled_from([*FIELDS, "choices"]), min_size=1).map(
    lambda names: tuple(name for name in (*FIELDS, "choices") if name in names)
)


@st.composite
def some_view(draw: st.DrawFn) -> View:
    """Any view there is."""
    keep = draw(keeps)
    alone = "choices" in keep and draw(st.booleans())
    return View(keep, not alone, keep != ("choices",) and draw(st.booleans()))


some_item = st.builds(
    Item,
    st.text(max_size=3),
    st.fixed_dictionaries({name: st.text(max_size=5) for name in FIELDS}),
    st.lists(st.text(max_size=5), min_size=1, max_size=5).map(tuple),
    st.just(0) | st.none(),
    st.sampled_from([None, "g", "h", "i"]),
    st.dictionaries(st.sampled_from(["asks_for", "source"]), st.text(max_size=3)),
)
some_items = st.lists(some_item, max_size=12).map(tuple)


@given(some_view())
def test_names_lead_back_to_their_view(view: View) -> None:
    assert views.parse_view(views.view_name(view, FIELDS), FIELDS) == view


@given(some_view())
def test_the_order_of_parts_does_not_matter(view: View) -> None:
    name = views.view_name(view, FIELDS)
    parts, slash, how = name.partition("/")
    for order in permutations(parts.split("+")):
        found = views.parse_view("+".join(order) + slash + how, FIELDS)
        assert views.view_name(found, FIELDS) == name


def test_full_is_all_fields_and_choices() -> None:
    full = views.parse_view("full", FIELDS)
    assert full == views.parse_view("+".join(["choices", *FIELDS]), FIELDS)
    assert full == View((*FIELDS, "choices"))
    assert views.view_name(full, FIELDS) == "full"
    assert not views.is_blind(full, FIELDS)
    assert not views.is_blind(views.parse_view("full/alone", FIELDS), FIELDS)
    for name in ("choices", "claim+choices", "claim", "full/shuffled", "choices/alone"):
        assert views.is_blind(views.parse_view(name, FIELDS), FIELDS)


def test_both_ways_at_once() -> None:
    view = views.parse_view(" full/shuffled/alone ", FIELDS)
    assert (view.side_by_side, view.shuffled_fields) == (False, True)


@pytest.mark.parametrize(
    "name", ["clam", "full+claim", "", "claim+", "choices/lone", "full/alone/shuffled"]
)
def test_an_unknown_part_is_met_with_those_there_are(name: str) -> None:
    with pytest.raises(UnknownName, match="unknown view"):
        views.parse_view(name, FIELDS)


def test_a_typo_is_met_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="unknown view 'choice'; did you mean choices"):
        views.parse_view("choice", FIELDS)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(BadInput, match="claim/alone: /alone needs choices"):
        views.parse_view("claim/alone", FIELDS)
    with pytest.raises(BadInput, match="choices/shuffled: /shuffled needs fields"):
        views.parse_view("choices/shuffled", FIELDS)


def test_fields_in_the_order_of_their_first_appearance() -> None:
    items = (Item("", {"b": ""}, (), 0), Item("", {"c": "", "a": ""}, (), 0))
    assert views.fields_of((*items, *items)) == ("b", "c", "a")


@given(some_view(), some_items, st.booleans())
def test_only_what_is_kept_is_shown(view: View, items: Items, answers: bool) -> None:
    shown = views.apply_view(view, items, answers=answers)
    for item in shown:
        assert set(item.fields) <= set(view.keep)
        assert item.group is None
        assert set(item.meta) <= ({"asks_for"} if item.fields else set())
        assert "choices" in view.keep or set(item.choices) <= {""}
        assert answers or item.answer is None
    if view.side_by_side:
        assert not any(item.id for item in shown)
        assert [len(item.choices) for item in shown] == [len(item.choices) for item in items]


@given(some_view(), some_items)
def test_what_is_kept_is_shown_as_it_is(view: View, items: Items) -> None:
    view = View(view.keep, side_by_side=True, shuffled_fields=False)
    for item, one in zip(items, views.apply_view(view, items), strict=True):
        assert one.fields == {name: item.fields[name] for name in FIELDS if name in view.keep}
        assert one.answer == item.answer
        if "choices" in view.keep:
            assert one.choices == item.choices
        if one.fields:
            assert one.meta.get("asks_for") == item.meta.get("asks_for")


@given(some_items)
def test_alone_there_is_a_question_for_every_choice(items: Items) -> None:
    shown = views.apply_view(views.parse_view("full/alone", FIELDS), items)
    expected = [(item, at) for item in items for at in range(len(item.choices))]
    assert len(shown) == len(expected)
    for one, (item, at) in zip(shown, expected, strict=True):
        assert one.choices == (item.choices[at],)
        assert one.fields == item.fields
        assert one.answer == (0 if item.answer == at else None)


@given(some_view(), some_items)
def test_scores_come_back_to_their_choices(view: View, items: Items) -> None:
    """Scores that are told from the choices themselves come back in their order."""
    view = View((*FIELDS, "choices"), view.side_by_side, view.shuffled_fields)

    def score(shown: Items) -> views.Scores:
        return [tuple(float(hash(choice) % 97) for choice in item.choices) for item in shown]

    seen = views.apply_view(view, items, answers=False)
    assert views.regroup_scores(view, items, score(seen)) == score(items)


def marked(groups: list[str | None]) -> Items:
    """Items whose fields say which they are."""
    return tuple(
        Item("", {"claim": str(at)}, ("a", "b"), 0, group, {"asks_for": f"of {at}"})
        for at, group in enumerate(groups)
    )


@given(st.lists(st.sampled_from([None, "g", "h", "i", "item 0"]), max_size=30), st.integers(0, 99))
def test_donors_are_of_another_group_and_each_gives_once(
    groups: list[str | None], seed: int
) -> None:
    sizes = Counter(groups)
    sizes[None] = min(sizes[None], 1)  # an item without a group is one of its own
    assume(not groups or 2 * max(sizes.values()) <= len(groups))
    shown = views.apply_view(views.parse_view("full/shuffled", ("claim",)), marked(groups), seed)
    donors = [int(item.fields["claim"]) for item in shown]
    assert sorted(donors) == list(range(len(groups)))
    for at, donor in enumerate(donors):
        assert donor != at
        assert groups[at] is None or groups[donor] != groups[at]
        assert shown[at].meta == {"asks_for": f"of {donor}"}


def test_one_seed_one_set_of_donors() -> None:
    view, items = views.parse_view("claim+choices/shuffled", ("claim",)), marked([None] * 20)
    assert views.apply_view(view, items, 1) == views.apply_view(view, items, 1)
    assert views.apply_view(view, items, 1) != views.apply_view(view, items, 2)


@given(st.lists(st.sampled_from([None, "g"]), min_size=1, max_size=9))
def test_where_one_group_is_most_of_all_there_are_still_donors(groups: list[str | None]) -> None:
    shown = views.apply_view(views.parse_view("full/shuffled", ("claim",)), marked(groups))
    assert sorted(int(item.fields["claim"]) for item in shown) == list(range(len(groups)))


def test_what_is_scored_does_not_show_the_answer_alone_either() -> None:
    items = (Item("", {"claim": "x"}, ("a", "b"), 1),)
    shown = views.apply_view(views.parse_view("choices/alone", ("claim",)), items, answers=False)
    assert [item.answer for item in shown] == [None, None]


def test_a_field_called_choices_is_never_shown() -> None:
    item = Item("1", {"choices": "the answer is b", "q": "why"}, ("a", "b"), 1)
    assert views.fields_of((item,)) == ("q",)
    for name in ("choices", "full", "q", "full/shuffled"):
        (seen,) = views.apply_view(views.parse_view(name, views.fields_of((item,))), (item,))
        assert "choices" not in seen.fields
