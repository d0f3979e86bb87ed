"""An answer is a key, a letter, a text or a number, and all answers are read in one way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hansproof.formats import ColumnMapping
from hansproof.types import Items

AB = ["x", "y"]


def rows(*answers: object, choices: object = None) -> list[object]:
    return [{"question": "q", "choices": choices or AB, "answer": answer} for answer in answers]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((0, 1), [0, 1]),
        ((1, 2), [0, 1]),  # 2 proves it
        (("1", "2"), [0, 1]),
        (("1.0", "0.0"), [1, 0]),
        (("a", "B"), [0, 1]),
        ((" y ", "x"), [1, 0]),
        ((None, -1, "", "-1", []), [None] * 5),
    ],
)
def test_read(
    reads: Callable[..., Items], answers: tuple[object, ...], expected: list[int | None]
) -> None:
    assert [item.answer for item in reads(rows(*answers))] == expected


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ((0, 3), "x.jsonl:2: answer: 3 is out of range for 2 choices"),
        (
            (0, 1, 2),
            "x.jsonl:3: answer: 2 of 2 choices counts from 1, but 0 in x.jsonl:1 counts from 0: "
            "number all answers in the same way",
        ),
        (
            (1, 1),
            "x.jsonl:1: answer: 1 may be the first choice (--answers-from 1) or the second choice "
            "(--answers-from 0), and the data do not show which: add one of these flags",
        ),
        ((1, 2, 3), "x.jsonl:3: answer: 3 is out of range for 2 choices"),
        ((0, -2), "x.jsonl:2: answer: -2 is out of range for 2 choices"),
        (("A", "C"), "x.jsonl:2: answer: letter 'C' is out of range for 2 choices"),
        (("x", "z z"), "x.jsonl:2: answer: 'z z' is not among the choices"),
        (("x", "z" * 60), f"x.jsonl:2: answer: '{'z' * 37}...' is not among the choices"),
        ((10**400,), f"x.jsonl:1: answer: 1{'0' * 36}... is out of range for 2 choices"),
        ((-(10**400),), f"x.jsonl:1: answer: -1{'0' * 35}... is out of range for 2 choices"),
        ((True,), "x.jsonl:1: answer: is a boolean, not an index, a letter or a text"),
        ((0.5,), "x.jsonl:1: answer: is a number, not an index, a letter or a text"),
        (({"a": 1},), "x.jsonl:1: answer: is an object, not an index, a letter or a text"),
        (([0, 1],), "x.jsonl:1: answer: has 2 right choices; exactly one is needed"),
        (
            (0, None),
            "x.jsonl:2: answer: missing, although other items have one "
            "(--drop-unlabelled leaves such items out)",
        ),
    ],
)
def test_wrong(fails: Callable[..., str], answers: tuple[object, ...], error: str) -> None:
    assert fails(rows(*answers)) == error


def test_letters_among_the_choices_do_not_mislead(reads: Callable[..., Items]) -> None:
    items = reads(rows("A", choices=["B", "A"]) + rows("B"))
    assert [item.answer for item in items] == [0, 1]


def test_an_answer_with_two_meanings_is_refused(fails: Callable[..., str]) -> None:
    assert fails(rows("A", choices=["B", "A"])) == (
        "x.jsonl:1: answer: 'A' may be the first choice (--answers-from letters) or the second "
        "choice (--answers-from text), and the data do not show which: add one of these flags"
    )


def test_numbers_in_json_are_never_texts(reads: Callable[..., Items]) -> None:
    assert [item.answer for item in reads(rows(1, 0, choices=["1", "2"]))] == [1, 0]


def test_numbers_as_texts_are_refused_where_both_fit(fails: Callable[..., str]) -> None:
    error = fails(rows("1", choices=["1", "2"]))
    assert "first choice (--answers-from text) or the second choice (--answers-from 0)" in error


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_numbers_too_large_for_any_index(fails: Callable[..., str], name: str) -> None:
    record = f'{{"question": "q", "choices": ["x", "y"], "answer": {10**400}}}'
    content = record if name == "x.jsonl" else f"[{record}]"
    assert "0... is out of range for 2 choices" in fails(content, name)
    # more digits than Python writes out
    assert "broken JSON" in fails(content.replace("10", "1" * 5000, 1), name)


def test_minus_one_may_be_a_choice(reads: Callable[..., Items]) -> None:
    content = rows("-1", "1", choices=["1", "-1", "5 5"])
    assert [item.answer for item in reads(content)] == [1, 0]
    items = reads(content, mapping=ColumnMapping(drop_unlabelled=True))
    assert [item.answer for item in items] == [1, 0]
    keyed = {"text": ["bad", "fair", "good"], "label": ["-1", "0", "1"]}
    assert [item.answer for item in reads(rows("-1", 1, -1, choices=keyed))] == [0, 2, 0]


def test_minus_one_is_no_answer_elsewhere(reads: Callable[..., Items]) -> None:
    content = rows("-1", "x x", choices=["x x", "y"])
    items = reads(content, mapping=ColumnMapping(drop_unlabelled=True))
    assert [item.id for item in items] == ["all-2"]
    # a number is never a text, nor is the label of a shape that counts its choices
    assert reads(rows(-1, choices=["-1", "1"]))[0].answer is None
    assert reads([{"goal": "g", "sol1": "-1", "sol2": "1", "label": "-1"}])[0].answer is None


def test_minus_one_that_is_two_choices(fails: Callable[..., str]) -> None:
    error = fails(rows("-1", choices=["-1", "-1"]))
    assert error == "x.jsonl:1: answer: '-1' is the text of several choices"


def test_text_of_two_choices(fails: Callable[..., str]) -> None:
    error = fails(rows("x x", choices=["x x", "x x"]))
    assert error == "x.jsonl:1: answer: 'x x' is the text of several choices"


def test_shapes_that_count_from_one(reads: Callable[..., Items], fails: Callable[..., str]) -> None:
    record = {"sentence": "_", "option1": "1", "option2": "2", "answer": "1"}
    assert reads([record])[0].answer == 0
    assert "3 is out of range" in fails([{**record, "answer": "3"}])
    assert "0 is out of range" in fails([{**record, "answer": "0"}])
