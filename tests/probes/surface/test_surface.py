from __future__ import annotations

import os
import tracemalloc

import numpy as np
import pytest
from scipy.stats import norm

from hansproof import load
from hansproof.probes.surface import Surface
from hansproof.probes.surface.slices import slice_items
from hansproof.probes.surface.tells import build_tells
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Benchmark, Item, Result

from ...support.markers import needs_data


def picked(tell: str, *choices: str, **fields: str) -> list[int]:
    item = Item("1", fields, choices, 0)
    longer = Item("2", fields, (*choices, "x"), 0)  # so that positions are tells
    return build_tells((item, longer), get_tokenizer("word"))[tell](item)


@pytest.mark.parametrize(
    ("tell", "choices", "expected"),
    [
        ("longest choice", ("a", "bbb", "cc"), [1]),
        ("longest choice", ("aaa", "bbb", "cc"), [0, 1]),
        ("longest choice", ("aa ", "bb"), [0, 1]),
        ("shortest choice", ("a", "bbb", "cc"), [0]),
        ("first choice", ("a", "b"), [0]),
        ("last choice", ("a", "b", "c"), [2]),
        ("odd capitalisation", ("a", "B", "c"), [1]),
        ("odd capitalisation", ("A", "b", "C"), [1]),
        ("odd capitalisation", ("a", "B"), [1]),
        ("odd capitalisation", ("a", "b"), [0, 1]),
        ("odd capitalisation", ("A", "B", "c", "d"), [0, 1, 2, 3]),
        ("digit", ("in 1999", "then"), [0]),
        ("punctuation inside", ("a.", "a, b."), [1]),
        ("punctuation inside", ("他来了。", "他来了，走了。", "好"), [1]),
        ("punctuation inside", ("वह आया।", "वह आया؛ गया।"), [1]),
        ("punctuation inside", ("“it” – is", "it, is"), [1]),
        ("digit", ("１９９９年", "那年"), [0]),
        ("negation", ("He does not.", "He does."), [0]),
        ("negation", ("He won't.", "He cannot.", "He can."), [0, 1]),
        ("negation", ("a knot", "an ant"), [0, 1]),
    ],
)
def test_what_a_tell_points_at(tell: str, choices: tuple[str, ...], expected: list[int]) -> None:
    assert picked(tell, *choices) == expected


def test_overlap_is_in_distinct_words_of_each_field() -> None:
    fields = {"premise": "The dog barked.", "hint": "cat"}
    choices = ("the Dog ran", "a cat, the cat")
    assert picked("most overlap with premise", *choices, **fields) == [0]
    assert picked("least overlap with premise", *choices, **fields) == [1]
    assert picked("most overlap with hint", *choices, **fields) == [1]


def accuracy(result: Result, tell: str, part: str = "") -> tuple[object, ...]:
    return next(r for r in result.tables["tells"].rows if r[1:3] == (part, tell))


def test_ties_count_by_expectation_and_are_reported() -> None:
    items = (
        Item("1", {}, ("aa", "bb", "c"), 0),  # one of two longest: 1/2
        Item("2", {}, ("aa", "bb", "cc"), 0),  # all tie: 1/3
        Item("3", {}, ("aaa", "bb", "cc"), 0),  # right
        Item("4", {}, ("aaa", "bb", "cc"), 1),  # wrong
    )
    row = accuracy(Surface()(Benchmark("b", {"all": items})), "longest choice")
    assert row[3] == pytest.approx((1 / 2 + 1 / 3 + 1 + 0) / 4)
    assert (row[6], row[7], row[8], row[9]) == (pytest.approx(1 / 3), 4, 0.75, 0.5)


def test_a_tell_is_flagged_with_its_items_and_read_backwards_below_chance() -> None:
    items = tuple(Item(str(i), {}, ("long one", "short"), int(i < 50)) for i in range(60))
    result = Surface()(Benchmark("b", {"all": items}))
    assert result.verdict == "exposed"
    assert result.evidence["all: shortest choice"] == tuple(str(i) for i in range(50))
    assert result.evidence["all: longest choice"] == tuple(str(i) for i in range(50))
    assert "chance 50.0%" in result.summary


def test_slices_of_meta_have_few_values_and_enough_items() -> None:
    items = tuple(
        Item(str(i), {}, ("a", "b"), 0, meta={"half": i % 2, "unique": str(i), "same": 1})
        for i in range(60)
    )
    assert [part.name for part in slice_items(items)] == ["", "half=0", "half=1"]
    few = items[:30]
    assert [part.name for part in slice_items(few)] == [""]


def test_what_an_edit_changed_is_no_slice() -> None:
    """Items are rewritten because the longest choice was right, so there it is wrong."""
    items = tuple(
        Item(f"{i}", {}, ("a", "b"), 0, meta={"edit": "rewrite", "rewritten_choices": "1"} if i % 2
             else {})
        for i in range(60)
    )  # fmt: skip
    assert [part.name for part in slice_items(items)] == [""]


def test_a_tell_may_hide_in_a_slice() -> None:
    items = tuple(
        Item(str(i), {}, ("long one", "short"), i % 2, meta={"half": i % 2}) for i in range(80)
    )
    result = Surface()(Benchmark("b", {"all": items}))
    assert accuracy(result, "longest choice")[3] == 0.5
    assert accuracy(result, "longest choice", "half=0")[3] == 1.0
    assert result.verdict == "exposed"
    assert "half=" in result.summary


def test_items_of_a_group_are_not_independent_evidence() -> None:
    """Ten groups of twenty items that share one answer: chance alone makes large swings."""
    flagged = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        answers = np.repeat(rng.integers(0, 2, 10), 20)
        items = tuple(
            Item(str(i), {}, ("long one", "short"), int(a), group=str(i // 20))
            for i, a in enumerate(answers)
        )
        flagged += Surface()(Benchmark("b", {"all": items})).verdict in ("caution", "exposed")
    assert flagged <= 6


def test_the_group_null_is_enumeration() -> None:
    items = tuple(
        Item(str(i), {}, ("long one", "short"), a, group=str(i // 2))
        for i, a in enumerate([0, 0, 0, 1, 0, 0, 1, 0] * 4)
    )
    row = accuracy(Surface()(Benchmark("b", {"all": items})), "longest choice")
    # groups with equal answers swing by two, groups with both cannot: eight of sixteen swing
    distance, variance = sum(2 * (i.answer == 0) - 1 for i in items) / 2, 8 * 1.0
    assert row[10] == pytest.approx(2 * norm.sf(distance / variance**0.5))


def test_avoiding_a_choice_of_five_gains_little() -> None:
    items = tuple(
        Item(str(i), {}, ("the longest", "b", "c", "d", "e"), 0 if i % 8 == 0 else 1 + i % 4)
        for i in range(800)
    )
    result = Surface()(Benchmark("b", {"all": items}))
    row = accuracy(result, "longest choice")
    assert row[3] == 0.125
    assert row[-1] == "tell"
    # 12.5 % instead of 20 %: guessing among the other four gives 21.9 %
    assert result.verdict == "caution"


def test_halves_of_mirrored_pairs_are_listed_but_not_judged() -> None:
    items = tuple(
        Item(f"{i}{half}", {}, ("long one", "short"), half, group=str(i), meta={"mirrored": half})
        for i in range(60)
        for half in (0, 1)
    )
    result = Surface()(Benchmark("b", {"all": items}))
    assert accuracy(result, "longest choice", "mirrored=0")[3] == 1.0
    assert result.verdict == "clear"
    assert any("mirrored" in note for note in result.notes)


def make_items(n: int, n_longest: int, choices: int = 4) -> Benchmark:
    """Make items of which the first `n_longest` have the longest choice as their answer."""
    rng = np.random.default_rng(0)
    items = []
    for i in range(n):
        longest = int(rng.integers(choices))
        answer = (
            longest if i < n_longest else (longest + 1 + int(rng.integers(choices - 1))) % choices
        )
        words = rng.permutation(["text", "texts", "textss", "textsss"])
        texts = tuple("a long text" if c == longest else str(words[c]) for c in range(choices))
        items.append(Item(str(i), {"q": f"question {i}"}, texts, answer))
    return Benchmark("b", {"all": tuple(items)})


def test_the_summary_names_the_rule_in_plain_words() -> None:
    result = Surface()(make_items(200, 184))
    assert result.headline == "Taking the longest choice answers 92.0% of all items (chance 25.0%)."
    assert result.gain == pytest.approx(0.67)
    assert result.summary.startswith(result.headline)


def test_avoiding_a_choice_is_named_with_what_it_gains() -> None:
    items = []
    for i in range(2000):
        answer = 0 if i < 100 else 1 + i % 3  # the choice with a negation is right in 5%
        items.append(Item(str(i), {}, (f"not {i}", f"and {i}", f"but {i}", f"yet {i}"), answer))
    result = Surface()(Benchmark("b", {"all": tuple(items)}))
    # guessing among the other three is right in 31.7%
    assert result.headline == (
        "Avoiding the choice with a negation and guessing among the others answers 31.7% of all "
        "items (chance 25.0%)."
    )
    assert result.gain == pytest.approx(0.95 / 3 - 0.25)


def test_a_slice_is_worth_its_share_of_the_split() -> None:
    """A tell that answers a tenth of the items gains a tenth of that over the split."""
    items = []
    for i in range(800):
        longest, in_slice = i % 2, i % 10 == 0
        choices = ("aa", "bbb") if longest else ("aaa", "bb")
        answer = longest if in_slice else int(i % 4 < 2)
        items.append(Item(str(i), {}, choices, answer, meta={"tenth": in_slice}))
    result = Surface()(Benchmark("b", {"all": tuple(items)}))
    (estimate,) = (e for e in result.estimates if e.name == result.key)
    assert estimate.name.endswith("tenth=True")
    assert estimate.value == 1.0
    assert result.gain == pytest.approx(0.05)


@pytest.mark.parametrize(("n", "verdict"), [(1, "undecided"), (400, "undecided"), (3000, "clear")])
def test_too_few_items_are_undecided(n: int, verdict: str) -> None:
    result = Surface()(make_items(n, n // 4))
    assert result.verdict == verdict
    assert result.power is not None
    assert (result.power >= 0.8) == (verdict == "clear")
    assert ("would be found" in result.summary) == (verdict == "undecided")
    if verdict == "undecided":
        assert 900 < (result.n_needed or 0) < 1500  # 610 for one test, more for all tells


@pytest.mark.slow
def test_the_power_is_that_of_the_corrected_test() -> None:
    """Where the longest choice is right 5 points more often, the probe objects that often."""
    n, n_found, runs = 1100, 0, 60
    powers = []
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        items = []
        for i in range(n):
            longest = int(rng.integers(4))
            is_right = rng.random() < 0.30
            answer = longest if is_right else (longest + 1 + int(rng.integers(3))) % 4
            words = rng.permutation(["aa", "bb", "cc", "dd"])
            texts = tuple(f"{w} {w} {i}" if c == longest else str(w) for c, w in enumerate(words))
            items.append(Item(str(i), {"q": f"question {i}"}, texts, answer))
        result = Surface()(Benchmark("b", {"all": tuple(items)}))
        n_found += result.verdict in ("caution", "exposed")
        powers.append(result.power or 0.0)
    assert n_found / runs == pytest.approx(float(np.mean(powers)), abs=0.15)


def test_what_is_balanced_by_construction_is_clear_at_any_n() -> None:
    items = tuple(
        Item(f"{i}{half}", {}, ("long one", "short"), half, group=str(i))
        for i in range(4)
        for half in (0, 1)
    )
    assert Surface()(Benchmark("b", {"all": items})).verdict == "clear"


def test_overlap_is_counted_in_the_tokens_of_the_script() -> None:
    items = tuple(
        Item(str(i), {"question": f"公园{i}发生了什么事"}, ("公园很热闹", "我们喝牛奶"), 0)
        for i in range(40)
    )
    result = Surface()(Benchmark("b", {"all": items}))
    assert result.params["tokenizer"] == "chars"
    table = result.tables["tells"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    accuracy = {row["tell"]: row["accuracy"] for row in rows}
    assert accuracy["most overlap with question"] == 1
    as_words = Surface(tokenizer="word")(Benchmark("b", {"all": items}))
    assert 0.5 in [row[3] for row in as_words.tables["tells"].rows if "most overlap" in str(row[2])]


@needs_data
def test_overlap_in_hellaswag_is_tested_by_its_accuracy() -> None:
    """The p is that of a simulation: answers drawn at random, each choice picked counts 1/t."""
    path = os.path.join(os.environ["HANSPROOF_DATA"], "benchmarker", "HellaSwag_test.jsonl")
    items = load(path).splits["test"]
    table = Surface()(Benchmark("hellaswag", {"test": items})).tables["tells"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    (row,) = (row for row in rows if row["tell"] == "most overlap with question")
    pick = build_tells(items, get_tokenizer("word"))["most overlap with question"]
    credit = np.zeros((len(items), 4))
    for i, item in enumerate(items):
        picks = pick(item)
        credit[i, picks] = 1 / len(picks)
    answers = np.random.default_rng(0).integers(0, 4, (4000, len(items)))
    simulated = credit[np.arange(len(items)), answers].mean(axis=1)
    p = 2 * float((simulated >= row["accuracy"]).mean())
    assert row["p"] == pytest.approx(p, abs=0.004)
    assert p < 0.01


def test_groups_of_items_with_many_numbers_of_choices_need_little_memory() -> None:
    items = tuple(
        Item(str(i), {"question": f"q{i}"}, tuple(f"{'c' * (k % 5)}{k}" for k in range(2 + i % 12)),
             0, group=str(i // 2) if i < 40 else None)
        for i in range(2400)
    )  # fmt: skip
    tracemalloc.start()
    result = Surface()(Benchmark("many", {"all": items}))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert result.tables["tells"].rows
    assert peak < 200e6
