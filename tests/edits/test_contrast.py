from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof import load
from hansproof.edits.contrast import MAX_NAMED_PARTNERS, Contrast
from hansproof.text.ngrams import normalise_text
from hansproof.training.leakage_groups import MAX_COPIES
from hansproof.types import Benchmark, EditResult, Item, Items

from ..support.markers import needs_data


def item(id: str, *choices: str, answer: int = 0, q: str | None = None, **more: str) -> Item:
    return Item(id, {"q": q or f"why {id}"}, choices, answer, **more)  # type: ignore[arg-type]


def mined(*items: Item) -> EditResult:
    return Contrast()(Benchmark("b", {"all": items}))


def kept(edited: EditResult) -> dict[str, Item]:
    return {item.id: item for items in edited.benchmark.splits.values() for item in items}


def test_partners_are_found_whatever_case_order_and_punctuation() -> None:
    found = kept(mined(
        item("1", "It rains.", "it shines", "x"),
        item("2", "It shines!", "it rains", "y"),
        item("3", "it snows", "it rains"),
    ))  # fmt: skip
    assert set(found) == {"1", "2"}
    assert found["1"].group == found["2"].group == "contrast-1"
    assert found["1"].meta == {"edit": "contrast", "contrast_with": "2"}


def test_sharing_wrong_choices_or_the_answer_is_no_contrast() -> None:
    assert not kept(mined(item("1", "a", "x", "y"), item("2", "b", "x", "y")))
    assert not kept(mined(item("1", "a", "x", "y"), item("2", "a", "x", "z")))
    assert not kept(mined(item("1", "a", "b"), item("2", "b", "x")))


def test_pairs_that_ask_the_same_are_contradictions() -> None:
    edited = mined(item("1", "a", "b", q="Why?"), item("2", "b", "a", q="why"))
    assert not kept(edited)
    assert edited.report.evidence == {"same question, different answers": ("1", "2")}
    assert "(contradictions): 1" in edited.report.notes[0]


def test_what_asks_for_the_cause_and_for_the_effect_does_not_ask_the_same() -> None:
    both = [
        Item(asks, {"p": "x"}, ("a", "b"), at, meta={"asks_for": asks})
        for at, asks in enumerate(("cause", "effect"))
    ]
    assert set(kept(mined(*both))) == {"cause", "effect"}


def test_a_form_is_no_contrast() -> None:
    few = [item(f"{i}", "Yes", "No", answer=i % 2) for i in range(MAX_COPIES)]
    assert len(kept(mined(*few))) == MAX_COPIES
    many = mined(*few, item("more", "yes", "no"))
    assert not kept(many)
    assert many.report.notes == (
        f"Left out pairs of choices shared by more than {MAX_COPIES} items (such as yes and no): "
        f"1, the most frequent “no / yes” in {MAX_COPIES + 1} items",
    )


def test_items_that_hang_together_are_one_group_and_old_groups_are_joined() -> None:
    chain = (
        item("1", "a", "b"), item("2", "b", "a", "c"), item("3", "c", "b"),
        item("4", "p", "q", group="old"), item("5", "q", "p"), item("6", "r", "s", group="old"),
        item("7", "s", "r"), item("8", "u", group="old", answer=0),
    )  # fmt: skip
    found = kept(mined(*chain))
    groups = defaultdict(set)
    for one in found.values():
        groups[one.group].add(one.id)
    assert dict(groups) == {"contrast-1": {"1", "2", "3"}, "old": {"4", "5", "6", "7"}}
    assert found["2"].meta["contrast_with"] == "1 3"


def test_only_the_first_partners_are_named() -> None:
    hub = item("hub", "b", "a")
    found = kept(mined(hub, *(item(f"{i}", "a", "b") for i in range(MAX_COPIES - 1))))
    assert str(found["hub"].meta["contrast_with"]).split() == [
        f"{i}" for i in range(MAX_NAMED_PARTNERS)
    ]


def test_the_same_again_changes_no_group() -> None:
    once = Contrast()(load("toy")).benchmark
    assert Contrast()(once).benchmark == once


def slowly(items: Items) -> set[tuple[str, str]]:
    """Every pair looked at, as the definition has it; forms counted the same way."""

    def turns(i: Item, a: str, b: str) -> bool:
        texts = [normalise_text(choice) for choice in i.choices]
        right = texts[i.answer or 0]
        return right == a and b in texts[: i.answer] + texts[(i.answer or 0) + 1 :]

    pairs = set()
    for i in items:
        for j in items:
            a, b = (normalise_text(one.choices[one.answer or 0]) for one in (i, j))
            if not a or not b or a == b or not (turns(i, a, b) and turns(j, b, a)):
                continue
            sharing = sum(turns(one, a, b) or turns(one, b, a) for one in items)
            if sharing <= MAX_COPIES and i.fields != j.fields:
                pairs.add((i.id, j.id))
    return pairs


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from("abcdef!"), min_size=2, max_size=4),
            st.integers(0, 1),
            st.sampled_from(["x", "y", "z"]),
        ),
        max_size=14,
    )
)
def test_all_partners_are_found_and_no_other(drawn: list[tuple[list[str], int, str]]) -> None:
    items = tuple(item(f"{at}", *c, answer=a, q=q) for at, (c, a, q) in enumerate(drawn))
    if not items:
        return
    expected: dict[str, set[str]] = defaultdict(set)
    for one, other in slowly(items):
        expected[one].add(other)
    edited = mined(*items)
    found = kept(edited)
    assert set(found) == set(expected)
    assert sum(int(row[2] or 0) for row in edited.report.tables["shared"].rows) * 2 == sum(
        map(len, expected.values())
    )
    for id, partners in expected.items():
        named = str(found[id].meta["contrast_with"]).split()
        assert set(named) <= partners
        assert len(named) == min(MAX_NAMED_PARTNERS, len(partners))
        assert {found[other].group for other in partners} == {found[id].group}


@needs_data
@pytest.mark.parametrize(
    ("name", "items", "pairs", "clashes"),
    [
        ("copa", 0, 0, 0),
        ("balanced_copa:dev", 998, 499, 1),
        ("arct", 0, 0, 0),
        ("arct_adversarial", 3860, 1934, 40),
        ("piqa", 48, 24, 0),
        ("csqa", 10262, 11853, 0),
    ],
)
def test_what_public_benchmarks_hold(name: str, items: int, pairs: int, clashes: int) -> None:
    edited = Contrast()(load(name))
    assert len(kept(edited)) == items
    assert f" {pairs:,} pairs in " in edited.report.summary
    clash = edited.report.evidence.get("same question, different answers", ())
    assert len(clash) == 2 * clashes
