"""Every shape that is recognised by itself, and the flags for the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hansproof.formats import ColumnMapping
from hansproof.types import Item, Items

ABC = ["red", "green", "blue"]


@pytest.mark.parametrize(
    ("record", "fields", "choices", "answer"),
    [
        ({"question": "q", "choices": ABC, "answer": 3}, {"question": "q"}, ABC, 2),
        ({"question": "q", "choices": ABC, "answer": "B"}, {"question": "q"}, ABC, 1),
        ({"question": "q", "choices": ABC, "answer": "(c)"}, {"question": "q"}, ABC, 2),
        ({"question": "q", "choices": ABC, "answer": "blue"}, {"question": "q"}, ABC, 2),
        ({"question": "q", "choices": ABC, "answer": [0]}, {"question": "q"}, ABC, 0),
        ({"stem": "q", "options": ABC, "label": 0}, {"question": "q"}, ABC, 0),
        ({"question": "q", "options": ABC, "gold": 3.0}, {"question": "q"}, ABC, 2),
        ({"question": "q", "options": ABC, "target": "0"}, {"question": "q"}, ABC, 0),
        ({"question": "q", "options": ABC, "correct": "green"}, {"question": "q"}, ABC, 1),
        (
            {"question": "q", "options": dict(zip("ABC", ABC, strict=True)), "answer": "C"},
            {"question": "q"},
            ABC,
            2,
        ),
        (
            {
                "question": "q",
                "choices": [{"label": str(i + 1), "text": t} for i, t in enumerate(ABC)],
                "answerKey": "1",
            },
            {"question": "q"},
            ABC,
            0,
        ),
        (
            {
                "question": {
                    "stem": "q",
                    "choices": [{"text": t, "label": k} for t, k in zip(ABC, "ABC", strict=True)],
                },
                "answerKey": "C",
            },
            {"question": "q"},
            ABC,
            2,
        ),
        (
            {
                "question": "q",
                "choices": {"text": ABC, "label": ["1", "2", "3"]},
                "answerKey": "3",
            },
            {"question": "q"},
            ABC,
            2,
        ),
        (
            {"question": "q", "A": "red", "B": "green", "C": "blue", "D": "", "answer": "C"},
            {"question": "q"},
            ABC,
            2,
        ),
        ({"goal": "g", "sol1": "x", "sol2": "y", "label": 1}, {"goal": "g"}, ["x", "y"], 1),
        (
            {"premise": "p", "choice1": "x", "choice2": "y", "question": "cause", "label": 1},
            {"premise": "p"},
            ["x", "y"],
            1,
        ),
        (
            {
                "warrant0": "x",
                "warrant1": "y",
                "correctLabelW0orW1": "1",
                "reason": "r",
                "claim": "c",
            },
            {"claim": "c", "reason": "r"},
            ["x", "y"],
            1,
        ),
        ({"ctx": "c", "endings": ABC, "label": "2"}, {"ctx": "c"}, ABC, 2),
        (
            {"sentence": "s", "option1": "x", "option2": "y", "answer": "1"},
            {"sentence": "s"},
            ["x", "y"],
            0,
        ),
        (
            {"question": "q", "mc1_targets": {"choices": ABC, "labels": [0, 1, 0]}},
            {"question": "q"},
            ABC,
            1,
        ),
        (
            {"question": "q", "mc1_targets": {"red": 0, "green": 0, "blue": 1}},
            {"question": "q"},
            ABC,
            2,
        ),
    ],
)
def test_recognised(
    reads: Callable[..., Items],
    record: dict[str, object],
    fields: dict[str, str],
    choices: list[str],
    answer: int,
) -> None:
    (item,) = reads([record])
    assert (item.fields, item.choices, item.answer) == (fields, tuple(choices), answer)


def test_what_else_is_known_goes_to_meta(reads: Callable[..., Items]) -> None:
    (item,) = reads(
        [
            {
                "id": 7,
                "group": "g",
                "question": {"stem": "q", "choices": ABC, "concept": "colour"},
                "answer": 0,
                "year": 2020,
                "hard": True,
                "nothing": None,
                "tags": ["a"],
                "long": "x" * 1001,
            }
        ]
    )
    assert (item.id, item.group) == ("7", "g")
    assert item.meta == {"concept": "colour", "year": 2020, "hard": True}


def test_number_of_choices_may_vary(reads: Callable[..., Items]) -> None:
    items = reads("question,A,B,C,answer\nq,x,y,,B\nr,x,y,z,C\n", "x.csv")
    assert [(item.choices, item.answer) for item in items] == [
        (("x", "y"), 1),
        (("x", "y", "z"), 2),
    ]


def test_a_list_may_stand_in_a_cell(reads: Callable[..., Items]) -> None:
    items = reads('question,choices,answer\nq,"[""x"", ""y""]",0\n', "x.csv")
    assert items[0].choices == ("x", "y")


def test_flags_name_the_columns(reads: Callable[..., Items]) -> None:
    mapping = ColumnMapping(("w", "r"), "ok", ("ask", "about"), id="key", group="pair")
    record = {"w": "x", "r": "y", "ok": "y", "ask": "q", "about": "z", "key": "k", "pair": 3}
    (item,) = reads([record], mapping=mapping)
    assert item == Item("k", {"ask": "q", "about": "z"}, ("x", "y"), 1, "3")


def test_one_flag_leaves_the_rest_recognised(reads: Callable[..., Items]) -> None:
    record = {"question": "q", "choices": ABC, "solution": "C"}
    assert reads([record], mapping=ColumnMapping(answer="solution"))[0].answer == 2


def test_unknown_shape_names_columns_and_flags(fails: Callable[..., str]) -> None:
    assert fails([{"ask": "q", "w": "x", "r": "y"}]) == (
        "x.jsonl: columns not recognised (ask, w, r): name them with --choices, --field, --answer"
    )


def test_flag_with_a_missing_column(fails: Callable[..., str]) -> None:
    error = fails([{"question": "q", "choices": ABC}], mapping=ColumnMapping(answer="key"))
    assert error == "x.jsonl: key: missing column; found: question, choices"


def test_no_answers_outside_test(fails: Callable[..., str]) -> None:
    assert fails([{"question": "q", "choices": ABC, "answr": 1}]) == (
        "x.jsonl: no column of answers found among question, choices, answr: name it with --answer"
    )
