"""Choices that are numbers are read as their texts, and an answer may be one of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.formats import read_items
from hansproof.types import Items


def rows(choices: object, *answers: object) -> list[object]:
    return [{"question": "q", "choices": choices, "answer": answer} for answer in answers]


def test_their_texts(reads: Callable[..., Items]) -> None:
    assert reads(rows([1, 2, 3.5], "B"))[0].choices == ("1", "2", "3.5")
    assert reads(rows(["none", -7], "A"))[0].choices == ("none", "-7")
    assert reads(rows({"A": 1.0, "B": 10**30}, "A"))[0].choices == ("1.0", f"1{'0' * 30}")
    labelled = [{"label": "A", "text": 5}, {"label": "B", "text": 6}]
    assert reads(rows(labelled, "B"))[0].choices == ("5", "6")
    columns = {"question": "q", "A": 1, "B": 2.5, "C": None, "answer": "B"}
    assert reads([columns])[0].choices == ("1", "2.5")
    cell = reads('question,choices,answer\nq,"[1, 2.5]",2.5\n', "x.csv")
    assert (cell[0].choices, cell[0].answer) == (("1", "2.5"), 1)


@pytest.mark.parametrize(
    ("choices", "answers", "expected"),
    [
        ([1, 2, 3.5], (3.5, "3.5"), [2, 2]),
        ([10, 20, 30], (20, "30", 10.0), [1, 2, 0]),
        ([10, 20, 30], (0, 1, "2"), [0, 1, 2]),
        ([10.0, 20.0], (20, "10.0"), [1, 0]),
        ([0, 1, 2], (0, 2), [0, 2]),  # text and index agree
        ([-1, 1, 5], (-1, 5), [0, 2]),
        (["none", 3], ("none", 3), [0, 1]),
    ],
)
def test_answers(
    reads: Callable[..., Items], choices: object, answers: tuple[object, ...], expected: list[int]
) -> None:
    assert [item.answer for item in reads(rows(choices, *answers))] == expected


@pytest.mark.parametrize(
    ("choices", "answer"), [([1, 2, 3.5], 1), ([1, 2], "1"), ([1.0, 2.0], 1), ([1.0, 2.0], "1")]
)
def test_text_or_index(fails: Callable[..., str], choices: object, answer: object) -> None:
    assert fails(rows(choices, answer)) == (
        f"x.jsonl:1: answer: {answer} may be the first choice (--answers-from text) or the second "
        "choice (--answers-from 0), and the data do not show which: add one of these flags"
    )


def test_wrong_answers(fails: Callable[..., str]) -> None:
    assert fails(rows([0.5, 0.7], 0.6)) == "x.jsonl:1: answer: '0.6' is not among the choices"
    assert fails(rows([10, 20], 15)) == "x.jsonl:1: answer: 15 is out of range for 2 choices"
    assert fails(rows([7, 7.0], 7)) == "x.jsonl:1: answer: '7' is the text of several choices"


def test_the_true_one_of_mc1_targets_is_an_index(reads: Callable[..., Items]) -> None:
    targets = {"choices": [1, 0], "labels": [1, 0]}
    (item,) = reads([{"question": "q", "mc1_targets": targets}])
    assert (item.choices, item.answer) == (("1", "0"), 0)


def test_not_numbers(fails: Callable[..., str], tmp_path: Path) -> None:
    assert fails([{"question": "q", "A": "x", "B": True, "answer": "A"}]) == (
        "x.jsonl:1: B: is a boolean, not text"
    )
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = str(tmp_path / "x.parquet")
    parquet.write_table(arrow.Table.from_pylist(rows([1.5, float("nan")], "A")), path)
    with pytest.raises(BadInput, match=r"x.parquet:1: choices\[1\]: is NaN, not text"):
        read_items(path, "all")
