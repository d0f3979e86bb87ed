from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof import load
from hansproof.probes.balance import Balance
from hansproof.probes.balance.cue_balance import find_unbalanced
from hansproof.text.ngrams import extract_ngrams
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Benchmark, Item, Items, Result

from ..support.markers import needs_data

WORD = get_tokenizer("word")


def pair(group: str, *answers: int, choices: tuple[str, ...] = ("it rains", "it shines")) -> Items:
    return tuple(
        Item(f"{group}{at}", {"q": f"why {group}{at}"}, choices, answer, group)
        for at, answer in enumerate(answers)
    )


def ask(*parts: Items, **flags: int) -> Result:
    return Balance(**flags)(Benchmark("b", {"all": tuple(i for part in parts for i in part)}))  # type: ignore[arg-type]


GOOD = (pair("a", 0, 1), pair("b", 1, 0, choices=("he ran", "he sat")))


def test_whole_groups_are_clear() -> None:
    result = ask(*GOOD)
    assert result.verdict == "clear"
    assert result.summary == (
        "All 2 mirrored groups are complete, and all 8 cues (words and phrases) are exactly "
        "balanced."
    )
    assert [row[2] for row in result.tables["cuts"].rows] == [0, 0, 0]


@pytest.mark.parametrize(
    ("wrong", "why", "cues"),
    [
        (pair("c", 0), "no partner in its group", 4),
        (pair("c", 0, 0), "answers uneven", 4),
        (pair("c", 0, 1, 1), "answers uneven", 4),
        (
            (pair("c", 0)[0], *pair("c", 0, 1, choices=("it pours", "it snows"))[1:]),
            "choices differ",
            8,
        ),
        (
            tuple(replace(item, fields={"q": "why"}) for item in pair("c", 0, 1)),
            "same input with different answers",
            0,
        ),
    ],
)
def test_what_breaks_a_group(wrong: Items, why: str, cues: int) -> None:
    result = ask(*GOOD, wrong)
    assert result.verdict == "caution"
    assert result.evidence == {why: tuple(item.id for item in wrong)}
    assert result.tables["groups"].rows == (("c", " ".join(i.id for i in wrong), why),)
    off = result.tables["cues"].rows if cues else ()
    assert len(off) == cues
    assert {row[-1] for row in off} <= {"c"}
    assert result.summary.startswith("1 of 3 groups ")


def test_another_order_of_choices_is_no_harm() -> None:
    first, other = pair("a", 0, 1)
    turned = replace(other, choices=other.choices[::-1], answer=0)
    assert ask((first, turned)).verdict == "clear"


def test_the_same_premise_that_asks_for_something_else_is_no_contradiction() -> None:
    asks = zip(pair("c", 0, 1), ("cause", "effect"), strict=True)
    items = tuple(replace(i, fields={"p": "x"}, meta={"asks_for": a}) for i, a in asks)
    assert ask(items).verdict == "clear"


def test_groups_that_share_no_choices_are_tied_by_something_else() -> None:
    text = tuple(Item(f"{i}", {"q": "why"}, (f"a{i}", f"b{i}"), 0, "text") for i in range(3))
    assert ask(text).verdict == "skipped"
    assert ask(text).tables == {}
    assert ask(text).summary == (
        "Skipped: no mirrored pairs (items with the same choices and different answers)."
    )
    more = tuple(replace(item, id=f"x{item.id}", group="more") for item in text)
    result = ask(text, more, pair("a", 0, 1))
    assert result.verdict == "clear"
    assert result.notes == ("Left out 2 groups whose items do not share their choices.",)


def test_splits_for_training_and_testing_must_not_part_a_group() -> None:
    (one, other), (third, fourth) = GOOD
    splits: dict[str, Items] = {"x": (one, third), "y": (other, fourth)}
    assert Balance()(Benchmark("b", splits)).verdict == "clear"
    parted = Balance()(Benchmark("b", splits, {"train": "x", "test": "y"}))
    assert parted.verdict == "caution"
    assert "2 groups are divided by the training and test splits" in parted.summary


def test_folds_of_the_items_must_not_part_a_group() -> None:
    one, other = GOOD[0]
    items = (replace(one, meta={"fold": 1}), replace(other, meta={"fold": 2}))
    assert "1 group is divided by the items' own fold" in ask(items).summary


def test_items_without_a_group_are_passed_over_aloud() -> None:
    free = tuple(replace(item, group=None, id=f"x{item.id}") for item in pair("c", 0, 0))
    result = ask(*GOOD, free)
    assert result.verdict == "clear"
    assert result.notes == ("all: left out 2 items without a group.",)


def without_groups(benchmark: Benchmark) -> Benchmark:
    parts = {s: tuple(replace(i, group=None) for i in p) for s, p in benchmark.splits.items()}
    return replace(benchmark, splits=parts)


def test_pairs_are_found_without_a_group() -> None:
    items = tuple(replace(item, group=None) for part in GOOD for item in part)
    result = ask(items)
    assert result.verdict == "clear"
    assert result.summary.startswith("All 2 mirrored groups are complete")
    assert result.notes == (
        "2 groups found without a column `group`: items with the same choices, each of which is "
        "right exactly once.",
    )
    same = tuple(replace(item, fields={"q": "why"}) for item in items[:2])
    assert ask(same).evidence == {"same input with different answers": ("a0", "a1")}


@pytest.mark.parametrize("n", [3, 4, 500])
def test_choices_that_many_items_share_make_no_pair(n: int) -> None:
    items = tuple(Item(f"{i}", {"q": f"{i}"}, ("yes", "no"), i % 2) for i in range(n))
    assert ask(items).verdict == "skipped"


def test_the_same_choices_with_the_same_answer_are_not_mirrored() -> None:
    items = tuple(Item(f"{i}", {"q": f"{i}"}, ("yes", "no"), 0) for i in range(2))
    equal = tuple(Item(f"e{i}", {"q": f"{i}"}, ("same", "same"), i) for i in range(2))
    three = tuple(Item(f"t{i}", {"q": f"{i}"}, ("a", "b", "c"), i) for i in range(2))
    assert ask(items, equal, three).verdict == "skipped"


def test_a_few_pairs_do_not_make_a_mirrored_benchmark() -> None:
    plain = tuple(Item(f"{i}", {"q": f"{i}"}, (f"a{i}", f"b{i}"), 0) for i in range(9))
    mirrored = tuple(replace(item, group=None) for item in pair("a", 0, 1))
    result = ask(plain, mirrored)
    assert result.verdict == "skipped"
    assert result.summary == (
        "Skipped: only 2 of 11 items share their choices with another item but not the answer, "
        "too few for a mirrored benchmark."
    )
    assert result.notes == ()


def slowly(items: Items, order: int) -> dict[str, Fraction]:
    """Hits less those expected, by cue, as the definition has it."""
    over: dict[str, Fraction] = {}
    for item in items:
        having = [set(extract_ngrams(WORD.split(choice), order)) for choice in item.choices]
        for cue in set().union(*having):
            owners = [at for at, some in enumerate(having) if cue in some]
            if len(owners) == 1:
                hit = Fraction(owners[0] == item.answer) - Fraction(1, len(item.choices))
                over[cue] = over.get(cue, Fraction(0)) + hit
    return over


texts = st.text("ab ", min_size=1, max_size=6)


@st.composite
def items_of_all_sizes(draw: st.DrawFn) -> Items:
    made = []
    for at in range(draw(st.integers(1, 8))):
        choices = tuple(draw(st.lists(texts, min_size=2, max_size=5)))
        made.append(Item(f"{at}", {}, choices, draw(st.integers(0, len(choices) - 1)), f"{at % 3}"))
    return tuple(made)


@given(items_of_all_sizes())
def test_excess_is_that_of_fractions(items: Items) -> None:
    found = find_unbalanced("all", items, WORD, 2)
    slow = {(order, cue): much for order in (1, 2) for cue, much in slowly(items, order).items()}
    off = {key: much for key, much in slow.items() if much}
    assert (found.n_unbalanced, found.n_cues) == (len(off), len(slow))
    shown = {(row[1], row[2]): float(row[4] or 0) - float(row[5] or 0) for row in found.rows}
    assert shown == pytest.approx({key: float(much) for key, much in off.items()})


def test_sums_that_64_bits_do_not_hold_are_exact() -> None:
    """Choices by primes: their least common multiple is beyond any machine word."""
    primes = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
    items = tuple(
        Item(f"{m}-{at}", {}, ("cue", *(f"w{i}" for i in range(1, m))), at, f"{m}")
        for m in primes
        for at in range(m)
    )
    assert find_unbalanced("all", items, WORD, 1).n_unbalanced == 0
    worse = find_unbalanced("all", items[1:], WORD, 1)
    assert worse.rows[0][2] == "cue"
    assert worse.rows[0][4:6] == (len(primes) - 1, len(primes) - 0.5)


@given(st.integers(2, 5), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_mirrored_groups_are_balanced_whatever_they_say(m: int, groups: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    items = []
    for group in range(groups):
        choices = tuple(" ".join(draw.choice(list("abcdef"), 3)) + f" {c}" for c in range(m))
        for answer in range(m):
            order = draw.permutation(m).tolist()
            turned = tuple(choices[o] for o in order)
            q = {"q": f"{group} {answer}"}
            items.append(Item(f"{group}-{answer}", q, turned, order.index(answer), f"{group}"))
    assert ask(tuple(items)).verdict == "clear"


def test_toy_is_balanced_as_a_whole_and_lies_in_two_splits() -> None:
    result = Balance()(load("toy"))
    assert result.verdict == "clear"
    assert result.tables["cuts"].rows[0] == ("all splits", 120, 120)
    assert Balance(split="original")(load("toy")).verdict == "skipped"


@needs_data
@pytest.mark.parametrize(
    ("name", "groups", "cues", "clash"),
    [
        ("balanced_copa:dev", 500, 4388, 1),
        ("arct_adversarial:train", 1210, None, 12),
        ("arct_adversarial:dev", 316, None, 0),
        ("arct_adversarial:test", 444, None, 28),
        ("arct_adversarial", 1970, 8770, 40),
    ],
)
def test_published_mirrored_benchmarks(
    name: str, groups: int, cues: int | None, clash: int
) -> None:
    result = Balance()(load(name))
    assert result.verdict == ("caution" if clash else "clear")
    assert "cues" not in result.tables
    assert len(result.evidence.get("same input with different answers", ())) == 2 * clash
    assert {row[1:] for row in result.tables["cuts"].rows} == {(groups, 0)}
    if cues:
        assert f"all {cues:,} cues" in result.summary


@needs_data
def test_the_contradiction_of_balanced_copa() -> None:
    evidence = Balance()(load("balanced_copa:dev")).evidence
    assert evidence == {"same input with different answers": ("381", "1381")}


@needs_data
def test_balanced_copa_without_its_groups_has_the_same_pairs() -> None:
    marked, unmarked = (Balance()(b(load("balanced_copa:dev"))) for b in (replace, without_groups))
    assert marked.verdict == unmarked.verdict == "caution"
    assert marked.evidence == unmarked.evidence
    assert marked.tables["cuts"] == unmarked.tables["cuts"]  # 500 groups, none of them parted
    assert marked.summary == unmarked.summary


@needs_data
@pytest.mark.parametrize(("name", "n"), [("arct_adversarial", 1966), ("toy", 120)])
def test_groups_that_are_found(name: str, n: int) -> None:
    result = Balance()(without_groups(load(name)))
    assert {row[1] for row in result.tables["cuts"].rows} == {n}


@needs_data
@pytest.mark.parametrize("name", ["copa", "arct", "piqa", "csqa", "arc_easy"])
def test_benchmarks_that_nobody_mirrored(name: str) -> None:
    result = Balance()(load(name))
    assert (result.verdict, result.tables) == ("skipped", {})
