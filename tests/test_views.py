"""What a view shows of items, and what it keeps back."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hansproof import views
from hansproof.choice_orders import find_fixed_reason, find_order
from hansproof.errors import BadInput, UnknownName
from hansproof.types import ChoiceOrder, Item, Items, OrderKind, View

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


# views with other orders of the choices, of random words, and of the question alone

KINDS: tuple[OrderKind, ...] = ("rotation", "permutation", "random")
orders = st.builds(ChoiceOrder, st.sampled_from(KINDS), st.integers(0, 30))
ordered_views = st.builds(
    View,
    st.sets(st.sampled_from(FIELDS), min_size=1).map(
        lambda names: (*(name for name in FIELDS if name in names), "choices")
    ),
    shuffled_fields=st.booleans(),
    order=orders,
)
random_word_views = st.builds(
    View,
    st.just((*FIELDS, "choices")),
    random_words=st.just(True),
    order=orders | st.none(),
)
# among them, items whose choices keep their order
choice_lists = st.lists(st.text("abc ", max_size=3), min_size=1, max_size=5).map(
    tuple
) | st.sampled_from(
    [
        ("a river", "a lake", "all of the above"),
        ("a sea", "a bay", "a fjord", "both A and B"),
        ("1 km", "2 km", "3 km"),
        ("9", "8", "7", "6", "5"),
    ]
)


def place_answer(id: str, texts: tuple[str, ...], choices: tuple[str, ...], answer: int) -> Item:
    """An item whose answer is one of its choices."""
    fields = dict(zip(FIELDS, texts, strict=True))
    return Item(id, fields, choices, answer % len(choices))


ordered_items = st.lists(
    st.builds(
        place_answer,
        st.text(max_size=3),
        st.tuples(*[st.text("abc ", max_size=6)] * len(FIELDS)),
        choice_lists,
        st.integers(0, 4),
    ),
    max_size=8,
).map(tuple)


def change_order(view: View, order: ChoiceOrder | None) -> View:
    """The view with another order of the choices."""
    return View(view.keep, view.side_by_side, view.shuffled_fields, view.random_words, order)


@given(ordered_views | random_word_views)
def test_names_of_orders_and_random_words_lead_back_to_their_view(view: View) -> None:
    name = views.view_name(view, FIELDS)
    assert views.parse_view(name, FIELDS) == view
    assert views.parse_view(views.without_order(name), FIELDS) == change_order(view, None)
    assert views.without_order(views.without_order(name)) == views.without_order(name)


@given(some_view())
def test_a_view_in_the_published_order_keeps_its_name(view: View) -> None:
    name = views.view_name(view, FIELDS)
    assert views.without_order(name) == name


def test_an_order_ends_the_name_of_a_view() -> None:
    view = views.parse_view("full/shuffled/random=03", FIELDS)
    assert view.order == ChoiceOrder("random", 3)
    assert view.shuffled_fields
    assert views.view_name(view, FIELDS) == "full/shuffled/random=3"
    assert views.without_order("full/shuffled/random=3") == "full/shuffled"
    assert not views.is_blind(views.parse_view("full/rotation=1", FIELDS), FIELDS)
    assert views.is_blind(views.parse_view("choices/rotation=1", FIELDS), FIELDS)


def test_fields_may_contain_slashes_and_equals_signs() -> None:
    fields = ("pro/con", "a=b", "rotation")
    for name in (*fields, "pro/con+a=b+choices", "rotation+choices/rotation=1"):
        assert views.view_name(views.parse_view(name, fields), fields) == name
    assert views.without_order("pro/con+a=b+choices/permutation=2") == "pro/con+a=b+choices"


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("full/rotation=1/shuffled", "unknown view"),
        ("full/rotation=1/rotation=1", "unknown view"),
        ("full/rotation=1/random=2", "unknown view"),
        ("full/rotation", "unknown view"),
        ("full/turn=1", "unknown view"),
        ("nonsense+choices", "unknown view 'nonsense'"),
        ("full/rotation=x", "'rotation=x' is not an order of the choices"),
        ("full/random=-1", "'random=-1' is not an order of the choices"),
        ("full/alone/rotation=1", "an order needs choices that are shown together"),
        ("claim/rotation=1", "an order needs choices that are shown together"),
        ("question/rotation=1", "an order needs choices that are shown together"),
        ("nonsense/shuffled", "random words cannot be those of another item"),
        ("question/alone", "/alone needs choices in the view"),
    ],
)
def test_names_that_make_no_sense_are_refused(name: str, error: str) -> None:
    with pytest.raises((BadInput, UnknownName)) as caught:
        views.parse_view(name, FIELDS)
    assert error in str(caught.value)


def test_the_question_is_all_fields_unless_one_of_them_has_this_name() -> None:
    assert views.parse_view("question", FIELDS) == View(FIELDS)
    assert views.view_name(views.parse_view("question", FIELDS), FIELDS) == "claim+reason+title"
    assert views.parse_view("question", ("question", "hint")) == View(("question",))
    assert views.parse_view("question/shuffled", FIELDS) == View(FIELDS, shuffled_fields=True)
    with pytest.raises(UnknownName, match="unknown view 'question'"):
        views.parse_view("question", ())


def test_a_field_called_nonsense_is_a_field() -> None:
    view = views.parse_view("nonsense", ("nonsense", "hint"))
    assert view == View(("nonsense",))
    assert not views.is_random(view)


@given(ordered_views, ordered_items, st.integers(0, 9))
def test_the_answer_moves_with_its_choice(view: View, items: Items, seed: int) -> None:
    visible_items = views.apply_view(view, items, seed)
    for item, visible in zip(items, visible_items, strict=True):
        assert visible.answer is not None
        assert item.answer is not None
        assert visible.choices[visible.answer] == item.choices[item.answer]
        assert sorted(visible.choices) == sorted(item.choices)
        assert visible.choices == views.shown_choices(view, item)
        assert views.place_choice(view, item, visible.answer) == item.answer
    hidden = views.apply_view(view, items, seed, answers=False)
    assert [item.choices for item in hidden] == [item.choices for item in visible_items]
    assert not any(item.answer is not None for item in hidden)


@given(ordered_views | random_word_views, ordered_items, st.integers(0, 9), st.data())
def test_any_scores_come_back_to_the_published_order(
    view: View, items: Items, seed: int, data: st.DataObject
) -> None:
    """Each choice as published gets the score of the place where the view shows it."""
    published = views.apply_view(change_order(view, None), items, seed)
    visible_items = views.apply_view(view, items, seed)
    rows = [
        tuple(data.draw(st.lists(st.floats(), min_size=n, max_size=n)))
        for n in (len(item.choices) for item in items)
    ]
    regrouped = views.regroup_scores(view, items, rows)
    for i, item in enumerate(items):
        for place, choice in enumerate(visible_items[i].choices):
            index = views.place_choice(view, item, place)
            assert choice == published[i].choices[index]
            assert regrouped[i][index] is rows[i][place]


@given(ordered_views | random_word_views, ordered_items)
def test_a_view_with_an_order_shows_the_same_texts_as_without(view: View, items: Items) -> None:
    published = views.apply_view(change_order(view, None), items, 1)
    visible_items = views.apply_view(view, items, 1)
    assert [item.fields for item in visible_items] == [item.fields for item in published]
    for item, visible, plain in zip(items, visible_items, published, strict=True):
        assert sorted(visible.choices) == sorted(plain.choices)
        if find_fixed_reason(item) or not views.is_shown(view, item):
            assert visible == plain


@given(ordered_views, ordered_items)
def test_an_item_is_shown_if_it_has_so_many_orders(view: View, items: Items) -> None:
    for item in items:
        is_shown = views.is_shown(view, item)
        assert is_shown == (find_order(view.order, item) is not None)
        if find_fixed_reason(item):
            assert is_shown
        elif view.order is not None and view.order.kind == "rotation":
            assert is_shown == (view.order.number < len(item.choices) or not view.order.number)


def test_choices_that_keep_their_order_keep_it_as_random_words() -> None:
    """The order is that of the item, whatever words are drawn."""
    texts = ("a river", "a lake", "all of the above")
    items = tuple(Item(str(i), {"claim": f"where {i}"}, texts, 2) for i in range(9))
    view = views.parse_view("nonsense/rotation=1", ("claim",))
    plain = views.parse_view("nonsense", ("claim",))
    assert views.apply_view(view, items, 3) == views.apply_view(plain, items, 3)
    rows: views.Scores = [(0.1, 0.2, 0.3)] * len(items)
    assert views.regroup_scores(view, items, rows) == rows


@given(ordered_items, st.integers(0, 9))
def test_random_words_keep_the_shape_of_items_and_are_words_of_them(
    items: Items, seed: int
) -> None:
    drawn = views.draw_words(items, seed)
    texts = [text for item in items for text in (*item.fields.values(), *item.choices)]
    words = {word for text in texts for word in text.split()}
    for item, random_item in zip(items, drawn, strict=True):
        assert (random_item.id, random_item.answer) == (item.id, item.answer)
        assert [*random_item.fields] == [*item.fields]
        pairs = [
            *zip(item.fields.values(), random_item.fields.values(), strict=True),
            *zip(item.choices, random_item.choices, strict=True),
        ]
        for text, random_text in pairs:
            assert len(random_text.split()) == len(text.split())
            assert {*random_text.split()} <= words
    assert drawn == views.draw_words(items, seed)


def test_random_words_depend_on_the_seed_and_the_view_shows_nothing_else() -> None:
    items = tuple(
        Item(
            str(i), {"claim": f"w{i} x{i}"}, (f"y{i} z{i}", f"v{i}"), 0, meta={"asks_for": "cause"}
        )
        for i in range(20)
    )
    view = views.parse_view("nonsense", ("claim",))
    visible_items = views.apply_view(view, items, 1)
    assert visible_items == views.apply_view(view, items, 1)
    assert visible_items != views.apply_view(view, items, 2)
    assert views.is_random(view)
    assert views.is_blind(view, ("claim",))
    unchanged = sum(
        visible.fields == item.fields for item, visible in zip(items, visible_items, strict=True)
    )
    assert unchanged <= 1
    alone = views.apply_view(views.parse_view("nonsense/alone", ("claim",)), items, 1)
    assert [item.choices for item in alone] == [
        (choice,) for item in visible_items for choice in item.choices
    ]


def test_texts_without_words_stay_empty() -> None:
    items = (Item("1", {"claim": ""}, ("", " "), 0),)
    (visible,) = views.apply_view(views.parse_view("nonsense", ("claim",)), items)
    assert (visible.fields, visible.choices) == ({"claim": ""}, ("", ""))
    assert views.draw_words((), 1) == ()


@pytest.mark.parametrize(
    ("name", "is_shown"),
    [
        ("full", True), ("choices", True), ("q+choices", True), ("unknown", True),
        ("nonsense", True), ("choices/alone", True), ("full/rotation=1", True), ("question", False),
        ("q", False), ("q+choices_seen", False), ("q/shuffled", False), ("a/b", False),
    ],
)  # fmt: skip
def test_some_views_show_no_choices(name: str, is_shown: bool) -> None:
    assert views.shows_choices(name) == is_shown
