"""The choice that the text of an answer names, beside scores from the probabilities of letters."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.errors import BadInput
from hansproof.predictions import (
    BenchmarkSplits,
    IncompleteRun,
    check_answers,
    read,
    to_bytes,
    write,
    write_new,
    write_partial,
)
from hansproof.types import Benchmark, Item, NoAnswer, Predictions

ITEMS = tuple(Item(id, {"q": id}, ("yes", "no", "maybe"), 0) for id in "abcd")
BENCHMARK = Benchmark("b", {"test": ITEMS})
SPLITS = BenchmarkSplits(BENCHMARK)
RUN = Predictions(
    "b", "test", BENCHMARK.sha256()["test"], "m", "full",
    dict.fromkeys("abc", (0.1, 0.6, 0.3)), unanswered={"d": "ambiguous"},
    text_answers={"a": 2, "b": "ambiguous", "d": 0},
)  # fmt: skip

reasons = st.sampled_from(get_args(NoAnswer))


@settings(max_examples=40)
@given(
    st.dictionaries(st.sampled_from("abcd"), st.integers(0, 2) | reasons),
    st.dictionaries(st.sampled_from("abcd"), reasons),
)
def test_text_answers_are_read_as_they_were_written(
    text_answers: dict[str, int | NoAnswer], unanswered: dict[str, NoAnswer]
) -> None:
    scores = {id: RUN.scores["a"] for id in "abcd" if id not in unanswered}
    run = replace(RUN, scores=scores, unanswered=unanswered, text_answers=text_answers)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/p.jsonl"
        write(path, run)
        assert read(path, SPLITS) == run
        write_new(path, run)  # the same bytes
    assert check_answers(run, ITEMS, "p") == run


def test_a_line_says_what_the_text_names_and_the_header_says_nothing(tmp_path: Path) -> None:
    write(str(tmp_path / "p.jsonl"), RUN)
    header, *lines = map(json.loads, (tmp_path / "p.jsonl").read_text().splitlines())
    assert "text_answers" not in header
    by_id = {line.pop("id"): line for line in lines}
    assert by_id["a"] == {"scores": [0.1, 0.6, 0.3], "text_answer": 2}
    assert by_id["b"]["text_answer"] == "ambiguous"
    assert by_id["c"] == {"scores": [0.1, 0.6, 0.3]}
    assert by_id["d"] == {"no_answer": "ambiguous", "text_answer": 0}


def test_text_answers_stand_beside_folds(tmp_path: Path) -> None:
    run = replace(RUN, folds=dict.fromkeys("abcd", 1), protocol="cv")
    write(str(tmp_path / "p.jsonl"), run)
    assert read(str(tmp_path / "p.jsonl"), SPLITS) == run


def test_text_answers_are_in_the_order_of_the_items(tmp_path: Path) -> None:
    run = replace(RUN, text_answers={"d": 0, "b": "cut off", "a": 2})
    write(str(tmp_path / "p.jsonl"), run)
    assert [*read(str(tmp_path / "p.jsonl"), SPLITS).text_answers] == ["a", "b", "d"]


def change_line(folder: Path, text_answer: Any) -> str:
    """A file whose second item has another text answer."""
    header, *lines = to_bytes(RUN, {}).decode().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), "text_answer": text_answer})
    (folder / "p.jsonl").write_text("\n".join([header, *lines]) + "\n")
    return str(folder / "p.jsonl")


@pytest.mark.parametrize(
    ("text_answer", "error"),
    [
        (3, "text_answer: b: choice 3 is out of range"),
        (-1, "text_answer: b: choice -1 is out of range"),
        (10**40, "out of range"),
        (1.0, "p.jsonl:3: text_answer: 1.0 is not a known reason; use one of: unparsed, ambiguous"),
        (True, "p.jsonl:3: text_answer: True is not a known reason"),
        ("B", "p.jsonl:3: text_answer: B is not a known reason"),
        ("", "p.jsonl:3: text_answer:  is not a known reason"),
        ([1], "p.jsonl:3: text_answer: [1] is not a known reason"),
        ({"a": "\n"}, "p.jsonl:3: text_answer: "),
    ],
)
def test_text_answers_that_are_no_choice_and_no_reason(
    tmp_path: Path, text_answer: Any, error: str
) -> None:
    with pytest.raises(BadInput) as caught:
        read(change_line(tmp_path, text_answer), SPLITS)
    assert error in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_text_answer_of_null_is_unknown(tmp_path: Path) -> None:
    assert read(change_line(tmp_path, None), SPLITS).text_answers == {"a": 2, "d": 0}


def test_ambiguous_is_a_reason_without_an_answer(tmp_path: Path) -> None:
    lines = to_bytes(RUN, {}).decode()
    assert '{"id": "d", "no_answer": "ambiguous"' in lines
    assert check_answers(RUN, ITEMS, "p").unanswered == {"d": "ambiguous"}
    (tmp_path / "p.jsonl").write_text(lines.replace('"no_answer": "amb', '"no_answer": "Amb'))
    with pytest.raises(BadInput, match=r"p\.jsonl:5: no_answer: Ambiguous is not a known reason"):
        read(str(tmp_path / "p.jsonl"), SPLITS)


def test_text_answers_of_given_predictions_are_checked_and_become_plain_numbers() -> None:
    text_answers: Any = {"d": np.int64(2), "a": np.int32(0), "b": "refused"}
    run = check_answers(replace(RUN, text_answers=text_answers), ITEMS, "p")
    assert [*run.text_answers.items()] == [("a", 0), ("b", "refused"), ("d", 2)]
    assert {type(value) for value in run.text_answers.values()} == {int, str}
    assert to_bytes(run, {}).count(b'"text_answer"') == 3


@pytest.mark.parametrize(
    ("text_answers", "error"),
    [
        ({"a": 3}, "p: text_answer: a: choice 3 is out of range"),
        ({"a": "B"}, "p: text_answer: B is not a known reason"),
        ({"a": 0.5}, "p: text_answer: 0.5 is not a known reason"),
        ({"a": True}, "p: text_answer: True is not a known reason"),
        ([1, 2], "`text_answers` and `folds` must be dicts by the id of the item"),
    ],
)
def test_given_text_answers_that_are_no_choice_and_no_reason(text_answers: Any, error: str) -> None:
    with pytest.raises(BadInput) as caught:
        check_answers(replace(RUN, text_answers=text_answers), ITEMS, "p")
    assert error in str(caught.value)


def test_an_incomplete_run_keeps_its_text_answers_and_folds(tmp_path: Path) -> None:
    path = str(tmp_path / "p.jsonl")
    run = replace(RUN, folds={"a": 1, "b": 0}, protocol="cv", unanswered={})
    first = replace(run, scores={"a": (0.0, 1.0, 0.0)}, text_answers={"a": 2}, folds={"a": 1})
    second = replace(run, scores={"b": (0.0, 0.0, 1.0)}, text_answers={"b": 1}, folds={"b": 0})
    write_partial(path, first)
    part = write_partial(path, second)  # of the same run: what the file has stays
    _, *lines = [json.loads(line) for line in Path(part).read_text().splitlines()]
    assert lines == [
        {"id": "a", "scores": [0.0, 1.0, 0.0], "fold": 1, "text_answer": 2},
        {"id": "b", "scores": [0.0, 0.0, 1.0], "fold": 0, "text_answer": 1},
    ]
    with Path(part).open("a") as file:
        file.write('{"id": "c", "sco')  # as if its writer had been killed
    with pytest.raises(IncompleteRun, match="interrupted after 2 of 4 items") as caught:
        read(part, SPLITS)
    assert caught.value.run.text_answers == {"a": 2, "b": 1}
    assert caught.value.run.folds == {"a": 1, "b": 0}
