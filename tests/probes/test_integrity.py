from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof import load
from hansproof.gates.limits import MEASURES
from hansproof.probes.integrity import Integrity
from hansproof.types import Benchmark, Item, Items, Result

from ..support.cli_runner import run_here
from ..support.markers import needs_data


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
    assert Integrity()(Benchmark("b", {"train+dev": items})).verdict == "caution"


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


def copies(n: int, split: str) -> Items:
    return tuple(item(f"{split}{i}", f"why {i}", ("a", "b"), i % 2) for i in range(n))


def join_splits(benchmark: Benchmark) -> Benchmark:
    return Benchmark("one", {"all": tuple(i for part in benchmark.splits.values() for i in part)})


def count(result: Result, measure: str) -> float:
    (measurement,) = MEASURES[measure].extract(result)
    return measurement.excess.value


def test_one_file_and_a_folder_of_splits_have_as_many_duplicates() -> None:
    clash = item("clash", "why 0", ("a", "b"), 1)  # with train0 and test0
    parts: dict[str, Items] = {
        "train": (*copies(30, "train"), *copies(20, "again")[10:]),
        "test": (*copies(5, "test"), clash),
    }
    folder, file = (
        Integrity()(b) for b in (Benchmark("b", parts), join_splits(Benchmark("b", parts)))
    )
    assert folder.verdict == "exposed"
    assert folder.summary == (
        "14 duplicate items: 10 in train, 4 in train + test; "
        "1 group of items with the same input and different answers in train + test."
    )
    assert file.verdict == "caution"
    assert file.summary == (
        "14 duplicate items; 1 group of items with the same input and different answers."
    )
    for measure, n in (("duplicates", 14), ("contradictions", 1)):
        assert count(folder, measure) == count(file, measure) == n
    ids = [{i for found in r.evidence.values() for i in found} for r in (folder, file)]
    assert ids[0] == ids[1]


def test_many_splits_are_not_all_named() -> None:
    parts: dict[str, Items] = {
        f"s{k}": tuple(item(f"{k}{copy}", f"{k}", ("a", "b")) for copy in "xy") for k in range(9)
    }
    assert Integrity()(Benchmark("b", parts)).summary == (
        "9 duplicate items: 1 in s0, 1 in s1, 1 in s2, 6 elsewhere."
    )


@needs_data
@pytest.mark.parametrize(("name", "n"), [("piqa", 6), ("arc_challenge", 1), ("copa", 0)])
def test_duplicates_of_real_benchmarks_as_one_file(name: str, n: int) -> None:
    benchmark = load(name)
    for result in (Integrity()(benchmark), Integrity()(join_splits(benchmark))):
        assert count(result, "duplicates") == n
        assert (f"{n} duplicate item" in result.summary) == (n > 0)


def test_the_terminal_names_the_items(tmp_path: Path) -> None:
    items = (*copies(106, "x"), *copies(106, "y"))
    rows = [
        {"id": i.id, "question": i.fields["q"], "choices": i.choices, "answer": i.answer}
        for i in items
    ]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run_here("run", "integrity", "items.jsonl", cwd=tmp_path)
    said = " ".join(done.stdout.split())
    assert "106 duplicate items." in said
    assert "x0, y0, x1, y1, x2, y2, x3, y3, x4, y4 … and 202 more" in said
    assert "--json has them all" in said
    every = json.loads(run_here("run", "integrity", "items.jsonl", "--json", cwd=tmp_path).stdout)
    assert "y105" in json.dumps(every)


def summary(*items: Item) -> str:
    return Integrity()(Benchmark("b", {"all": items})).summary


def test_the_summary_says_what_is_wrong_with_how_many_items() -> None:
    one, same = item("1", "why", ("a", "b"), 0), item("2", "why", ("a", "b"), 1)
    assert summary(one, same) == "1 pair of items with the same input and different answers."
    assert summary(one, item("2", "why", ("a", "b"), 0)) == "1 duplicate item."
    assert summary(one, item("2", "how", ("", "b"), 1)) == "1 item with an empty choice."
    assert summary(one, item("2", "how", ("c", "c"), 1)) == (
        "1 item with equal choices, the right choice among them."
    )


def test_minor_flaws_are_named() -> None:
    one = item("1", "why", ("a", "b"), 0)
    assert summary(one, item("2", "", ("a", "b"), 0)) == (
        "No serious flaws in 2 items; minor flaws: 1 item with an empty q."
    )
    assert summary(one, item("2", "Why?", ("A", "b"), 0)) == (
        "No serious flaws in 2 items; minor flaws: 1 duplicate item (normalised)."
    )
