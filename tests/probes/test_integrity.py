from __future__ import annotations

from hansproof.probes.integrity import Integrity
from hansproof.types import Benchmark, Item, Result


def item(name: str, question: str, choices: tuple[str, ...], answer: int | None = 0) -> Item:
    return Item(name, {"q": question}, choices, answer)


def findings(*splits: tuple[Item, ...]) -> tuple[Result, dict[tuple[object, ...], object]]:
    result = Integrity()(Benchmark("b", dict(zip(("train", "test"), splits, strict=False))))
    return result, {row[:2]: row[2] for row in result.tables["findings"].rows}


def test_nothing_to_find() -> None:
    result, found = findings((item("1", "why", ("a", "b")), item("2", "how", ("a", "b"))))
    assert (result.verdict, found) == ("clear", {})


def test_duplicates_exact_and_normalised_whatever_the_order_of_choices() -> None:
    _, found = findings((
        item("1", "why", ("a", "b"), 0),
        item("2", " why", ("b", "a"), 1),
        item("3", "Why?", ("A", "b"), 0),
    ))  # fmt: skip
    assert found == {
        ("duplicate items (exact)", "train"): 1,
        ("duplicate items (normalised)", "train"): 1,
    }


def test_a_duplicate_across_splits_exposes_the_test_item() -> None:
    result, found = findings((item("1", "why", ("a", "b")),), (item("2", "why", ("a", "b")),))
    assert found == {("duplicate items (exact)", "train + test"): 1}
    assert result.verdict == "exposed"
    assert result.evidence == {"duplicate items (exact): train + test": ("1", "2")}


def test_a_part_called_a_plus_b_is_one_split() -> None:
    items = (item("1", "why", ("a", "b")), item("2", "why", ("a", "b")))
    assert Integrity()(Benchmark("b", {"train+dev": items})).verdict == "clear"


def test_what_differs_in_signs_only_may_be_meant_to_differ() -> None:
    result, found = findings((
        item("1", "is a < b", ("yes", "no"), 0),
        item("2", "is a > b", ("yes", "no"), 1),
        item("3", "what is it", ("3", "-3"), 0),
        item("4", "which sign", ("+", "-"), 0),
    ))  # fmt: skip
    assert result.verdict == "clear"
    assert found == {
        ("same input, different answers (normalised)", "train"): 1,
        ("equal choices, the right choice among them (normalised)", "train"): 1,
    }


def test_the_same_input_with_two_answers() -> None:
    result, found = findings((item("1", "why", ("a", "b"), 0), item("2", "why", ("b", "a"), 0)))
    assert found == {("same input, different answers (exact)", "train"): 1}
    assert result.verdict == "caution"


def test_an_unlabelled_copy_contradicts_nothing() -> None:
    _, found = findings((item("1", "why", ("a", "b"), 0),), (item("2", "why", ("a", "b"), None),))
    assert found == {("duplicate items (exact)", "train + test"): 1}


def test_equal_choices_with_and_without_the_answer() -> None:
    _, found = findings((
        item("1", "1", ("a", "a", "b"), 0),
        item("2", "2", ("a", "b", "b"), 0),
        item("3", "3", ("a.", "A", "b"), 0),
    ))  # fmt: skip
    assert found == {
        ("equal choices, the right choice among them (exact)", "train"): 1,
        ("equal choices, wrong choices only (exact)", "train"): 1,
        ("equal choices, the right choice among them (normalised)", "train"): 1,
    }


def test_empty_texts() -> None:
    _, found = findings((item("1", " ", ("a", "b")), item("2", "x", ("a", " "))))
    assert found == {("empty q", "train"): 1, ("empty choice", "train"): 1}


def test_a_group_torn_over_splits() -> None:
    one, two = (Item(i, {"q": i}, ("a", "b"), 0, group="g") for i in "12")
    _, found = findings((one,), (two,))
    assert found == {("group in several splits", "train + test"): 1}
