"""Mirroring: what partners are like, what is said of new texts, and Balanced COPA made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hansproof import load
from hansproof.cues.counts import build_layout, count_cues
from hansproof.edits.mirror import Mirror
from hansproof.edits.mirror.guidelines import (
    CHECKS,
    length_ratio,
    shared_with_choices,
    text_similarity,
    word_overlap,
)
from hansproof.edits.mirror.informality import informal_marks
from hansproof.errors import BadInput
from hansproof.probes.priority import Priority
from hansproof.records.spreadsheet import write_sheet
from hansproof.text.tokenizers import get_tokenizer
from hansproof.training import splits
from hansproof.training.leakage_groups import find_leakage_groups
from hansproof.types import Benchmark, EditResult, Item, Items

from ..support.markers import needs_data
from ..support.quiz_factories import uneven_quiz

SHADOW = Item(
    "1",
    {"premise": "My body cast a shadow over the grass."},
    ("The sun was rising.", "The grass was cut."),
    0,
    meta={"asks_for": "cause"},
)
COFFEE = Item(
    "2",
    {"premise": "The women met for coffee."},
    ("The cafe reopened.", "They wanted to talk."),
    1,
    group="g",
)
PAIR = Benchmark("b", {"dev": (SHADOW, COFFEE)}, {"train": "dev"})
NEW = {"1": "My body was covered with bits of grass.", "2": "The women met at a new place."}


def made(
    benchmark: Benchmark, texts: dict[str, str], folder: Path, edit: Callable[..., Mirror] = Mirror
) -> EditResult:
    """The benchmark edited by a worksheet on disk into which texts were written."""
    rows = edit().worksheet(benchmark)
    new = next(column for column in rows[0] if column.startswith("new_"))
    path = str(folder / "sheet.csv")
    write_sheet(path, [row | {new: texts.get(row["id"], "")} for row in rows])
    return edit(sheet=path)(benchmark)


def test_a_partner_follows_its_original(tmp_path: Path) -> None:
    edited = made(PAIR, NEW, tmp_path)
    one, mirrored, two, other = edited.benchmark.splits["dev"]
    assert (one, two) == (replace(SHADOW, group="1"), COFFEE)
    assert mirrored == Item(
        "1-mirrored", {"premise": NEW["1"]}, SHADOW.choices, 1, "1",
        {"asks_for": "cause", "mirrored_from": "1", "edit": "mirror"},
    )  # fmt: skip
    assert (other.id, other.group, other.answer) == ("2-mirrored", "g", 0)
    assert edited.benchmark.roles == {"train": "dev"}
    assert edited.report.summary.startswith("Added 2 mirrored items to 2 items; still to write: 0")


def test_what_is_not_done_stays_and_is_counted(tmp_path: Path) -> None:
    edited = made(PAIR, {"2": NEW["2"]}, tmp_path)
    assert edited.benchmark.splits["dev"][0] == SHADOW
    assert len(edited.benchmark.splits["dev"]) == 3
    assert edited.report.evidence["to do"] == ("1",)
    assert "rows: 1 accepted, 0 refused; 1 still to write" in edited.report.notes


def test_of_more_than_two_choices_every_wrong_one_becomes_right(tmp_path: Path) -> None:
    item = Item("q", {"question": "Which is red?"}, ("grass", "blood", "snow"), 1)
    rows = Mirror().worksheet(Benchmark("b", {"all": (item,)}))
    assert [row["must_become_right"] for row in rows] == ["choice 1: grass", "choice 3: snow"]
    path = str(tmp_path / "sheet.jsonl")
    write_sheet(path, [row | {"new_question": f"Which is {at}?"} for at, row in enumerate(rows)])
    found = Mirror(sheet=path)(Benchmark("b", {"all": (item,)})).benchmark.splits["all"]
    assert [(one.id, one.answer, one.group) for one in found] == [
        ("q", 1, "q"), ("q-mirrored-1", 0, "q"), ("q-mirrored-2", 2, "q")
    ]  # fmt: skip


def test_only_the_part_that_was_named(tmp_path: Path) -> None:
    both = Benchmark("b", {"dev": (SHADOW,), "test": (COFFEE,)})
    edited = made(both, NEW, tmp_path, lambda sheet=None: Mirror(sheet, split="test"))
    assert {name: len(items) for name, items in edited.benchmark.splits.items()} == {
        "dev": 1, "test": 2
    }  # fmt: skip


def test_the_field_must_be_known() -> None:
    item = Item("1", {"claim": "c", "reason": "r"}, ("a", "b"), 0)
    benchmark = Benchmark("b", {"all": (item,)})
    with pytest.raises(
        BadInput, match=r"--rewrite: name the field to rewrite, one of: claim, reason"
    ):
        Mirror().worksheet(benchmark)
    with pytest.raises(BadInput, match="item 1 has no field premise; it has: claim, reason"):
        Mirror(rewrite="premise").worksheet(benchmark)
    (row,) = Mirror(rewrite="reason").worksheet(benchmark)
    assert list(row) == ["id", "claim", "reason", "choice_1", "choice_2", "right_now",
                         "must_become_right", "new_reason", "guidelines"]  # fmt: skip


def test_a_sheet_is_needed_and_told_how_to_get() -> None:
    with pytest.raises(BadInput, match=r"--sheet: .*hansproof worksheet mirror BENCH -o sheet.csv"):
        Mirror()(PAIR)


def test_ids_stay_unique(tmp_path: Path) -> None:
    taken = replace(COFFEE, id="1-mirrored")
    with pytest.raises(BadInput, match="--suffix: an item with the id 1-mirrored already exists"):
        made(Benchmark("b", {"dev": (SHADOW, taken)}), NEW, tmp_path)
    with pytest.raises(BadInput, match="several items have the id 1: choose a split"):
        Mirror().worksheet(Benchmark("b", {"dev": (SHADOW,), "test": (SHADOW,)}))


def test_a_worksheet_for_people() -> None:
    first, second = Mirror(first="file").worksheet(Benchmark("b", {"dev": (COFFEE, SHADOW)}))
    assert list(first) == ["id", "asks_for", "premise", "choice_1", "choice_2", "right_now",
                           "must_become_right", "new_premise", "guidelines"]  # fmt: skip
    assert (first["id"], second["id"]) == ("2", "1")
    assert first["right_now"] == "choice 2: They wanted to talk."
    assert first["must_become_right"] == "choice 1: The cafe reopened."
    assert first["guidelines"].startswith("1. ")
    # fewer rows than guidelines: the last one has the rest
    assert [line[0] for line in second["guidelines"].splitlines()] == ["2", "3", "4", "5"]


def test_the_most_urgent_items_come_first() -> None:
    benchmark = load("toy:original")
    ids = [row["id"] for row in Mirror().worksheet(benchmark)]
    result = Priority()(benchmark)
    assert ids[:20] == [row[1] for row in result.tables["order"].rows[:20]]
    in_file = [row["id"] for row in Mirror(first="file").worksheet(benchmark)]
    assert sorted(ids) == sorted(in_file) != ids
    assert in_file == [item.id for item in benchmark.splits["original"]]


def test_items_that_rules_give_away_come_first() -> None:
    benchmark = Benchmark("b", {"all": uneven_quiz(1, 80, m=2)})
    rows = Mirror(first="rules").worksheet(benchmark)
    ranked = Priority(target="rules", shuffles=1, randomisations=99)(benchmark)
    order = [row[1] for row in ranked.tables["order"].rows]
    assert [row["id"] for row in rows][:20] == order[:20]


def test_without_a_rule_the_order_of_the_file_stays() -> None:
    items = uneven_quiz(9, 80, m=2, share=0.0)
    with pytest.warns(UserWarning, match="no rule was found, so the rows are in the order"):
        rows = Mirror(first="rules").worksheet(Benchmark("b", {"all": items}))
    assert [row["id"] for row in rows] == [item.id for item in items]


def test_what_stands_mirrored_already_is_not_asked_for_again(tmp_path: Path) -> None:
    assert Mirror().worksheet(load("toy")) == []
    half = load("toy:original+mirrored")
    items = half.splits["original+mirrored"][:130]  # 120 originals, ten partners
    assert len(Mirror().worksheet(Benchmark("b", {"dev": items}))) == 110


def test_uneven_groups_are_asked_to_be_made_even() -> None:
    items = tuple(
        Item(f"{i}", {"q": f"q{i}"}, ("yes", "no"), int(i == 3), "passage") for i in range(4)
    )
    rows = Mirror().worksheet(Benchmark("b", {"dev": items}))
    assert [row["must_become_right"] for row in rows] == ["choice 2: no"] * 2
    other = Item("9", {"q": "q9"}, ("up", "down"), 0, "passage")  # another question on the text
    rows = Mirror().worksheet(Benchmark("b", {"dev": (*items, other)}))
    assert [row["must_become_right"] for row in rows].count("choice 2: down") == 1


def test_of_three_choices_a_second_round_asks_for_what_is_missing(tmp_path: Path) -> None:
    item = Item("t", {"q": "what colour?"}, ("red", "green", "blue"), 0)
    first = Benchmark("b", {"dev": (item,)})
    rows = Mirror().worksheet(first)
    assert [row["must_become_right"] for row in rows] == ["choice 2: green", "choice 3: blue"]
    path = str(tmp_path / "sheet.csv")
    write_sheet(path, [rows[0] | {"new_q": "what grows?"}, rows[1]])
    second = Mirror(sheet=path)(first).benchmark
    (row,) = Mirror().worksheet(second)
    assert (row["id"], row["must_become_right"]) == ("t", "choice 3: blue")
    write_sheet(path, [row | {"new_q": "what is the sky?"}])
    last = Mirror(sheet=path)(second).benchmark
    assert sorted(i.answer or 0 for i in last.splits["dev"]) == [0, 1, 2]
    assert len({i.group for i in last.splits["dev"]}) == 1
    assert Mirror().worksheet(last) == []


def test_a_group_that_is_called_like_an_item_is_left_alone(tmp_path: Path) -> None:
    taken = replace(COFFEE, group="1")
    edited = made(Benchmark("b", {"dev": (SHADOW, taken)}), NEW, tmp_path)
    assert [i.group for i in edited.benchmark.splits["dev"]] == ["1+", "1+", "1", "1"]


def test_columns_of_the_worksheet_keep_their_names() -> None:
    named = replace(SHADOW, meta={"id": "same", "asks_for": "cause"})
    (row,) = Mirror().worksheet(Benchmark("b", {"dev": (named,)}))
    assert row["id"] == "1"
    odd = replace(SHADOW, fields={"premise": "a", "right_now": "b"})
    with pytest.raises(BadInput, match="right_now: is reserved for a column of worksheets"):
        Mirror(rewrite="premise").worksheet(Benchmark("b", {"dev": (odd,)}))


def test_what_remains_comes_with_its_problem(tmp_path: Path) -> None:
    rows = Mirror().worksheet(PAIR)
    old, rest = str(tmp_path / "old.csv"), str(tmp_path / "rest.csv")
    rows[0] |= {"new_premise": NEW["1"], "choice_2": "The lawn was mown."}
    rows[1] |= {"new_premise": "the women met at a new place lol"}
    write_sheet(old, rows)
    left = Mirror(sheet=old).worksheet(PAIR)
    assert [row["new_premise"] for row in left] == [row["new_premise"] for row in rows]
    assert left[0]["choice_2"] == "The grass was cut."
    assert left[0]["problem"].startswith('choice 2 was edited: "The lawn was mown."')
    assert left[1]["problem"].startswith("is informal: lol, no capital at the beginning, no")
    # mended on the second sheet, which comes after the first
    write_sheet(rest, [row | {"new_premise": NEW[row["id"]]} for row in left])
    both = Mirror(sheet=f"{old},{rest}")
    assert "rows" not in both(PAIR).report.tables
    assert "rows replaced by a later sheet: 1" in both(PAIR).report.notes
    assert both.worksheet(PAIR) == []


OLD = "The man lost the race."


@pytest.mark.parametrize(
    ("new", "check"),
    [
        pytest.param("Somebody sang.", "overlap", id="no word in common"),
        pytest.param("The man lost the trophy.", "choices", id="a word of a choice"),
        pytest.param("The man lost the race " + "and so on " * 3 + ".", "length", id="long"),
        pytest.param("Man lost.", "length", id="short"),
        pytest.param("The man gonna lose the race.", "register", id="slang"),
        pytest.param("The man lost, the race", "register", id="no full stop"),
        pytest.param("the man lost the race.", "likeness", id="the same"),
        pytest.param("The race lost the man.", "likeness", id="the same words"),
        pytest.param("The girl won the prize.", "likeness", id="that of another item"),
    ],
)
def test_what_can_be_counted_of_the_guidelines(new: str, check: str, tmp_path: Path) -> None:
    items = (
        Item("1", {"premise": OLD}, ("He wept.", "He had a trophy."), 0),
        Item("2", {"premise": "The girl won the prize."}, ("x", "y"), 0),
    )
    edited = made(Benchmark("b", {"all": items}), {"1": new}, tmp_path)
    assert len(edited.benchmark.splits["all"]) == 3  # listed, and brought in all the same
    assert "1" in edited.report.evidence[check]
    (row,) = (row for row in edited.report.tables["rows"].rows if row[3] == check)
    assert row[:3] == (2, "1", "read")
    assert isinstance(row[4], int | float)
    assert row[5] in {one.limit_text for one in CHECKS}


def test_measures() -> None:
    assert word_overlap("a b c", "a b d e e") == 2 * 2 / 8
    assert length_ratio("one two", "one two three") == 1.5
    given = shared_with_choices("The dog ran.", "The dog of the cat sat.", ["The cat sat", "a dog"])
    assert given == ["cat", "sat"]
    assert text_similarity("The dog, ran!", "the dog ran") == 1
    assert text_similarity("abc", "xyz") == 0


@pytest.mark.parametrize(
    ("new", "found"),
    [
        ("Sooo nice.", ["Sooo"]),
        ("It’s OK, y’all.", ["ok", "y'all"]),
        ("She was GREAT :)", ["GREAT", ":)", "no full stop at the end"]),
        ("Great 🎉!", ["🎉", "!"]),
        ("The DJ said: “no.”", []),
    ],
)
def test_marks_of_loose_writing(new: str, found: list[str]) -> None:
    assert informal_marks("She was here.", new) == found


def test_what_the_old_text_has_is_no_mark() -> None:
    assert informal_marks("dude, no", "dude, yes") == []


# --- Balanced COPA, made again from COPA and the published premises ---


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> EditResult:
    """COPA's development set with the published premises, through a worksheet on disk."""
    published = {item.id: item for item in load("balanced_copa:dev").splits["dev"]}
    texts = {str(i): published[str(i + 1000)].fields["premise"] for i in range(1, 501)}
    return made(load("copa:dev"), texts, tmp_path_factory.mktemp("again"))


def asked(item: Item) -> tuple[object, ...]:
    choices = [choice.strip() for choice in item.choices]
    assert item.answer is not None
    premise = item.fields["premise"].strip()
    return premise, frozenset(choices), choices[item.answer], item.meta["asks_for"]


@needs_data
def test_balanced_copa_comes_out_item_by_item(again: EditResult) -> None:
    published = {item.id: item for item in load("balanced_copa:dev").splits["dev"]}
    items = again.benchmark.splits["dev"]
    assert len(items) == 1000
    for item in items:
        number = item.id.removesuffix("-mirrored")
        other = published[number if item.id == number else str(int(number) + 1000)]
        assert asked(item) == asked(other)
        assert item.group == other.group


@needs_data
@pytest.mark.parametrize("order", [1, 2])
def test_no_word_or_pair_of_words_is_telling_any_more(again: EditResult, order: int) -> None:
    items = again.benchmark.splits["dev"]
    found = count_cues(items, get_tokenizer("word"), order, build_layout(items))[order - 1]
    assert found.applicability.sum() > 1000
    assert np.array_equal(2 * found.hits, found.applicability)


@pytest.mark.slow
@needs_data
def test_no_pair_is_parted_in_a_thousand_splits(
    again: EditResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = again.benchmark.splits["dev"]
    named = find_leakage_groups(items)  # the same for every seed, and most of the time
    monkeypatch.setattr(splits, "find_leakage_groups", lambda _: named)
    sizes = set()
    for seed in range(1000):
        learnt, held = splits.hold_out(items, seed)
        assert not _groups(learnt) & _groups(held)
        sizes.add((len(learnt), len(held)))
    assert sizes == {(900, 100)}


def _groups(items: Items) -> set[str | None]:
    return {item.group for item in items}


@needs_data
def test_published_premises_are_seldom_flagged(again: EditResult) -> None:
    account = again.report
    assert "rows: 500 accepted, 0 refused; 0 still to write" in account.notes
    assert all(row[2] == "read" for row in account.tables["rows"].rows)
    flagged = {row[0]: row[-1] for row in account.tables["guidelines"].rows}
    assert flagged == {"overlap": 22, "choices": 27, "length": 16, "register": 0, "likeness": 8}
    same = [row[1] for row in account.tables["rows"].rows if row[3] == "likeness" and row[4] == 1]
    assert same == ["381", "403"]  # not changed at all; that of another item
