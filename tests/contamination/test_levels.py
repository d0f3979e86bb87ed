"""What makes a match, and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hansproof.contamination.levels import (
    ANSWER,
    CLEAN,
    COMMON,
    MATCH,
    NEAR,
    SHORT,
    ItemFinding,
    LevelRules,
    classify_items,
)
from hansproof.contamination.result import ScanResult
from hansproof.errors import BadInput
from hansproof.types import Benchmark, Item

from ..support.scan_factories import scan_of

QUESTION = "Why did the old fisherman carry seven red lanterns down to the frozen harbour at night?"
RIGHT, WRONG = "to signal his brother", "to warm the boats"
ASKED = "Which of the following is the best reason to do"


def item(id: str, question: str, right: str = RIGHT, group: str | None = None) -> Item:
    return Item(id, {"question": question}, (WRONG, right), 1, group)


def made(*more: Item) -> Benchmark:
    items = (item("a", QUESTION), item("short", "Why?", "so"), *more)
    return Benchmark("made", {"test": items})


def levels(
    benchmark: Benchmark,
    *scans: ScanResult,
    reference: ScanResult | None = None,
    rules: LevelRules | None = None,
) -> dict[str, ItemFinding]:
    known = [("scan.json", one) for one in scans]
    others = [("reference.json", reference)] if reference else []
    found = classify_items(benchmark, known, others, rules or LevelRules())
    return {one.item.id: one for one in found["test"]}


def level(*documents: str, **more: ItemFinding) -> str:
    return levels(made(), scan_of(made(), *documents))["a"].level


def test_an_item_of_which_nothing_stands_there_is_clean_but_a_short_one_is_not() -> None:
    found = levels(made(), scan_of(made(), "Nothing of the kind."))
    assert (found["a"].level, found["short"].level) == (CLEAN, SHORT)


def test_a_question_alone_is_a_match() -> None:
    found = levels(made(), scan_of(made(), f"He asked: {QUESTION} Nobody knew."))["a"]
    assert (found.level, found.right_nearby) == (MATCH, False)
    assert found.part_names() == ["question"]
    assert found.passage is not None
    assert [found.passage.text[a:b] for a, b in found.spans] == [QUESTION.rstrip("?")]


@pytest.mark.parametrize(
    "text",
    [
        f"{QUESTION} {RIGHT}",
        f"{QUESTION.upper()} -- {RIGHT.upper()}!",
        f"{QUESTION} Many have wondered. In the end we know that he went {RIGHT}, of course.",
        f"He went {RIGHT}. {QUESTION}",
    ],
)
def test_with_the_right_choice_near_it_is_a_match_with_answer(text: str) -> None:
    assert level(text) == ANSWER


def test_a_choice_far_away_is_not_near_and_a_wrong_one_is_counted() -> None:
    assert level(f"{QUESTION} {'so and so ' * 40} {RIGHT}") == MATCH
    found = levels(made(), scan_of(made(), f"{QUESTION} Perhaps {WRONG}."))["a"]
    assert (found.level, found.n_wrong_nearby) == (MATCH, 1)


def test_what_many_items_share_is_a_template_and_a_group_counts_once() -> None:
    apart = [item(f"t{at}", f"{ASKED} thing number {at} before the sun is up") for at in range(3)]
    text = f"{ASKED} nothing at all"
    found = levels(made(*apart), scan_of(made(*apart), text))
    assert {found[one.id].level for one in apart} == {COMMON}
    grouped = [replace(one, group="same") for one in apart]
    found = levels(made(*grouped), scan_of(made(*grouped), text))
    assert {found[one.id].level for one in grouped} == {MATCH}


def test_what_stands_there_often_is_a_common_phrase_unless_it_is_much_of_the_item() -> None:
    phrase = " ".join(QUESTION.split()[:9])
    found = levels(made(), scan_of(made(), *[f"{phrase} fell"] * 11))["a"]
    assert (found.level, max(one.count for one in found.matches)) == (COMMON, 11)
    assert level(*[f"{phrase} fell"] * 10) == MATCH
    assert level(*[QUESTION] * 50) == MATCH


def test_a_reference_says_what_is_to_be_expected() -> None:
    phrase = " ".join(QUESTION.split()[:9])
    scan, rest = scan_of(made(), f"{phrase} fell. " + "so " * 1000), "so " * 500
    often = scan_of(made(), f"{phrase} went. {rest}")
    found = levels(made(), scan, reference=often)["a"]
    assert found.level == COMMON
    assert found.matches[0].reference_count == 1
    assert found.matches[0].expected_count == pytest.approx(1010 / 510, abs=0.01)
    never = scan_of(made(), rest)
    assert levels(made(), scan, reference=never)["a"].level == MATCH


def test_other_words_make_a_near_duplicate() -> None:
    words = f"{QUESTION} {RIGHT}".split()
    words[6] = words[13] = "blue"
    changed = " ".join(words)
    found = levels(made(), scan_of(made(), changed))["a"]
    assert found.level == NEAR
    assert found.shingle_share == 6 / 16  # of 16 shingles, each of two words was in five
    assert levels(made(), scan_of(made(), changed, near=False))["a"].level == CLEAN
    assert (
        levels(made(), scan_of(made(), changed), rules=LevelRules(min_shingle_share=0.6))["a"].level
        == CLEAN
    )


def test_scans_add_up() -> None:
    phrase = " ".join(QUESTION.split()[:9])
    scans = [scan_of(made(), *[f"{phrase} fell"] * 6) for _ in range(2)]
    assert levels(made(), scans[0])["a"].level == MATCH
    assert levels(made(), *scans)["a"].level == COMMON


def test_scans_for_other_items_or_with_another_index_are_refused() -> None:
    other = Benchmark("other", {"test": (item("a", QUESTION, "otherwise"),)})
    with pytest.raises(BadInput, match=r"scan.json: is a scan for other items \(other:test\)"):
        levels(made(), scan_of(other, "x"))
    with pytest.raises(BadInput, match="use scans of the same index"):
        levels(made(), scan_of(made(), "x"), scan_of(made(), "x", n=9))
