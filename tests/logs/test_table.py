"""Tables of anybody's: which column, which choice, which run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.logs import LogOverrides, read
from hansproof.types import Benchmark

from ..support.log_factories import BENCH, chosen_indices, fails, make_item, read_one, write_file

THREE = Benchmark("three", {"test": tuple(make_item(f"q{i}", 0, "x", "y", "z") for i in range(3))})
NUMBERS = Benchmark(
    "numbers", {"test": tuple(make_item(f"q{i}", 0, "1", "2", "3") for i in range(3))}
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", "id,choice\na,0\nb,1\nc,0\n"),
        ("x.csv", "Question ID\tPrediction\na\t0\nb\t1\nc\t0\n"),
        ("x.tsv", "item\tpred\nc\tA\nb\tB\na\tA\n"),
        ("x.csv", "id,choice\na,1\nb,2\nc,1\n"),
        ("x.csv", "id,choice\na,yes a\nb,no b\nc,yes c\n"),
        ("x.csv", "id,answer\na,(A)\nb,b.\nc,A)\n"),
        ("x.csv", "id,prob0,prob1\na,.9,.1\nb,.2,.8\nc,1,0\n"),
        ("x.csv", "id,score_B,score_A\na,1,2\nb,2,1\nc,-3,-2\n"),
        ("x.csv", 'id,scores\na,"[2, 1]"\nb,"[1, 2]"\nc,"[1, 0]"\n'),
        ("x.csv", "\ufeffid,choice\r\na,0\r\nb,1\r\nc,0\r\n"),
        ("x.json", json.dumps([{"id": "abc"[i], "label": [0, 1, 0.0][i]} for i in range(3)])),
        ("x.jsonl", [{"qid": i, "scores": [float(i != "b"), 0.5]} for i in "abc"]),
    ],
)
def test_forms(tmp_path: Path, name: str, content: object) -> None:
    run = read_one(write_file(tmp_path, name, content))
    assert chosen_indices(run) == {"a": 0, "b": 1, "c": 0}
    assert (run.model, run.split, run.view, run.protocol) == ("x", "test", "unknown", "given")
    assert run.sha256 == BENCH.sha256()["test"]


def test_utf_16(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", "id,choice\na,0\nb,1\nc,0\n".encode("utf-16"))
    assert chosen_indices(read_one(path)) == {"a": 0, "b": 1, "c": 0}


def test_numbers_that_may_count_from_0_or_1(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", "id,choice\na,1\nb,1\nc,1\n")
    assert fails(path) == (
        "x.csv:2: choice: 1 may count from 0 or from 1, and no line shows which: "
        "convert the log with `hansproof convert --first 0` or `--first 1`, or write A, B, C"
    )
    assert set(chosen_indices(read_one(path, overrides=LogOverrides(first=0))).values()) == {1}
    assert set(chosen_indices(read_one(path, overrides=LogOverrides(first=1))).values()) == {0}
    path = write_file(tmp_path, "x.csv", "id,choice\nq0,1\nq1,2\nq2,2\n")
    assert "may count from 0 or from 1" in fails(path, THREE)


def test_all_0_count_from_0(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", "id,choice\na,0\nb,0\nc,0\n")
    assert set(chosen_indices(read_one(path)).values()) == {0}


def test_the_right_answer_shows_how_choices_count(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", "id,choice,gold\na,1,1\nb,1,2\nc,1,2\n")
    assert set(chosen_indices(read_one(path)).values()) == {0}
    path = write_file(
        tmp_path, "x.csv", "id,choice,gold\na,1,A\nb,1,B\nc,2,B\n"
    )  # not in one script
    assert chosen_indices(read_one(path)) == {"a": 0, "b": 0, "c": 1}


def test_choices_that_are_numbers(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.jsonl", [{"id": f"q{i}", "choice": 1 + i} for i in range(3)])
    assert chosen_indices(read_one(path, NUMBERS)) == {
        "q0": 0,
        "q1": 1,
        "q2": 2,
    }  # by text and from 1 alike
    path = write_file(tmp_path, "x.jsonl", [{"id": f"q{i}", "choice": i} for i in range(3)])
    assert chosen_indices(read_one(path, NUMBERS)) == {"q0": 0, "q1": 1, "q2": 2}
    path = write_file(tmp_path, "x.jsonl", [{"id": f"q{i}", "choice": 1 + i % 2} for i in range(3)])
    assert "may count from 0 or from 1" in fails(path, NUMBERS)


@pytest.mark.parametrize("column", ["gold", "answer", "Correct Answer", "target", "label"])
def test_answers_are_compared(tmp_path: Path, column: str) -> None:
    assert read_one(write_file(tmp_path, "x.csv", f"id,pred,{column}\na,A,A\nb,A,B\nc,B,B\n"))
    assert fails(write_file(tmp_path, "x.csv", f"id,pred,{column}\na,A,A\nb,A,A\nc,B,B\n")) == (
        "x.csv:3: says choice 0 is right for b, but the benchmark says 1: "
        "the log was made with another version, or with another order of choices"
    )


def test_correct_may_be_a_flag(tmp_path: Path) -> None:
    assert read_one(
        write_file(tmp_path, "x.csv", "id,pred,correct\na,A,True\nb,A,False\nc,B,True\n")
    )
    assert read_one(write_file(tmp_path, "x.csv", "id,pred,correct\na,A,1\nb,A,0\nc,B,1\n"))
    assert "says choice 1 is right for a" in fails(
        write_file(tmp_path, "x.csv", "id,pred,correct\na,A,B\nb,A,B\nc,B,B\n")
    )


def test_scores_and_choice_must_agree(tmp_path: Path) -> None:
    head = "id,pred,prob0,prob1\n"
    assert read_one(write_file(tmp_path, "x.csv", head + "a,0,.9,.1\nb,1,.5,.5\nc,1,.2,.8\n"))
    assert fails(write_file(tmp_path, "x.csv", head + "a,0,.1,.9\nb,0,.1,.9\nc,1,.8,.2\n")) == (
        "x.csv:2: scores: a: the picked choice does not have the highest score"
    )


def test_runs_of_their_own(tmp_path: Path) -> None:
    rows = [f"{i},{m},{s},{p}" for m in "xy" for s in (3, 4) for i, p in ("aA", "bB", "cA")]
    path = write_file(tmp_path, "x.csv", "id,model,seed,choice\n" + "\n".join(rows))
    runs = read([path], BENCH)
    assert [(run.model, run.seed) for run in runs] == [("x", 3), ("x", 4), ("y", 3), ("y", 4)]
    given = LogOverrides(model="z", view="choices", seed=7, trained_on="dev", protocol="train-test")
    run = read([path], BENCH, overrides=given)[0]
    assert (run.model, run.view, run.seed, run.trained_on) == ("z", "choices", 7, "dev")
    assert run.protocol == "train-test"


def test_a_run_about_other_items_is_not_left_out(tmp_path: Path) -> None:
    rows = "a,x,A\nb,x,A\nc,x,A\nq,y,A\nr,y,A\n"
    path = write_file(tmp_path, "x.csv", "id,model,choice\n" + rows)
    assert fails(path) == "x.csv:5: id: q is not an item of dev (2 items)"


def test_run_is_the_seed_if_there_is_no_other(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", "id,run,choice\na,5,A\nb,5,A\nc,5,A\n")
    assert read_one(path).seed == 5
    path = write_file(tmp_path, "x.csv", "id,run,choice\na,five,A\nb,five,A\nc,five,A\n")
    assert (read_one(path).seed, read_one(path).params) == (None, {"run": "five"})
    path = write_file(tmp_path, "x.csv", "id,seed,choice\na,five,A\nb,five,A\nc,five,A\n")
    assert fails(path) == "x.csv:2: seed: 'five' is not a whole number"


def test_splits(tmp_path: Path) -> None:
    rows = "1,dev,A\n2,dev,B\na,test,A\nb,test,B\nc,test,A\n"
    path = write_file(tmp_path, "x.csv", "id,split,choice\n" + rows)
    assert [run.split for run in read([path], BENCH)] == ["dev", "test"]
    assert read_one(path, overrides=LogOverrides(split="test")).split == "test"
    other = write_file(tmp_path, "y.csv", "id,split,choice\n1,validation,A\n2,validation,B\n")
    assert read_one(other).split == "dev"  # found by its ids
    assert fails(other, overrides=LogOverrides(split="test")).startswith(
        "y.csv:2: id: 1 is not an item of test"
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.csv", "id,choice\na,0\nb,\nc,1\n"),
        ("x.csv", "id,choice\na,0\nb,-1\nc,1\n"),
        ("x.csv", "id,choice\na,A\nb,-1\nc,B\n"),
        ("x.csv", "id,prob0,prob1\na,1,0\nb,,\nc,0,1\n"),
        ("x.csv", 'id,scores\na,"[1, 0]"\nb,\nc,"[0, 1]"\n'),
        ("x.jsonl", [{"id": i, "choice": c} for i, c in zip("abc", (0, None, 1), strict=True)]),
        ("x.jsonl", [{"id": i, "choice": c} for i, c in zip("abc", (0, -1, 1), strict=True)]),
        (
            "x.jsonl",
            [
                {"id": "a", "scores": [1, 0]},
                {"id": "b", "scores": None},
                {"id": "c", "scores": [0, 1]},
            ],
        ),
        (
            "x.jsonl",
            [
                {"id": "a", "scores": [1, 0]},
                {"id": "b", "scores": [None, None]},
                {"id": "c", "scores": [0, 1]},
            ],
        ),
        ("x.csv", "id,prob0,prob1\na,1,0\nb,nan,nan\nc,0,1\n"),
        ("x.csv", 'id,scores\na,"[1, 0]"\nb,None\nc,"[0, 1]"\n'),
    ],
)
def test_no_answer_is_an_outcome(tmp_path: Path, name: str, content: object) -> None:
    run = read_one(write_file(tmp_path, name, content))
    assert chosen_indices(run) == {"a": 0, "c": 1}
    assert run.unanswered == {"b": "unparsed"}


@pytest.mark.parametrize("cell", ["None", "nan", "null", "N/A", "I refuse"])
@pytest.mark.parametrize("answers", [("0", "1"), ("1", "2"), ("A", "B"), ("yes a", "no c")])
def test_text_that_names_no_choice_is_unparsed(
    tmp_path: Path, cell: str, answers: tuple[str, str]
) -> None:
    first, last = answers
    run = read_one(write_file(tmp_path, "x.csv", f"id,choice\na,{first}\nb,{cell}\nc,{last}\n"))
    assert chosen_indices(run) == {"a": 0, "c": 1}
    assert run.unanswered == {"b": "unparsed"}
    rows = [{"id": i, "choice": c} for i, c in zip("abc", (first, cell, last), strict=True)]
    assert read_one(write_file(tmp_path, "x.jsonl", rows)).unanswered == {"b": "unparsed"}


def test_a_run_that_is_mostly_other_text_is_refused(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", "id,choice\na,I refuse\nb,No idea\nc,B\n")
    assert fails(path) == "x.csv:2: choice: 'I refuse' is not among the choices"
    half = write_file(tmp_path, "y.csv", "id,choice\na,-1\nb,No idea\nc,B\n")
    assert read_one(half).unanswered == {"a": "unparsed", "b": "unparsed"}
    runs = "a,x,A\nb,x,B\nc,x,A\na,y,none\nb,y,none\nc,y,A\n"  # each run counts alone
    path = write_file(tmp_path, "z.csv", "id,model,choice\n" + runs)
    assert fails(path) == "z.csv:5: choice: 'none' is not among the choices"


def test_the_right_answer_must_name_a_choice(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", "id,choice,gold\na,A,A\nb,A,none\nc,B,B\n")
    assert fails(path) == "x.csv:3: answer: 'none' is not among the choices"


def test_the_reason_for_no_answer(tmp_path: Path) -> None:
    def write_rows(**record: object) -> str:
        rows = [{"id": "a", "choice": 0}, {"id": "b", **record}, {"id": "c", "choice": 1}]
        return write_file(tmp_path, "x.jsonl", rows)

    for record in ({}, {"choice": None}, {"choice": -1}, {"choice": "I can't say"}):
        run = read_one(write_rows(no_answer="refused", **record))
        assert (chosen_indices(run), run.unanswered) == ({"a": 0, "c": 1}, {"b": "refused"})
    assert fails(write_rows(no_answer="bored")).startswith(
        "x.jsonl:2: no_answer: bored is not a known reason; use one of: unparsed, "
    )
    assert fails(write_rows(no_answer="refused", choice=1)) == (
        "x.jsonl:2: no_answer: b also has an answer: remove one of the two"
    )
    path = write_file(tmp_path, "x.csv", "id,choice,no_answer\na,I won't,refused\nb,,error\nc,A,\n")
    assert read_one(path).unanswered == {"a": "refused", "b": "error"}


def test_a_choice_counts_where_its_scores_are_missing(tmp_path: Path) -> None:
    head = "id,pred,prob0,prob1\n"
    run = read_one(write_file(tmp_path, "x.csv", head + "a,0,.9,.1\nb,1,,\nc,1,.2,.8\n"))
    assert chosen_indices(run) == {"a": 0, "b": 1, "c": 1}


def test_items_that_are_absent_were_not_asked(tmp_path: Path) -> None:
    run = read_one(write_file(tmp_path, "x.csv", "id,choice\na,0\nb,1\n"))
    assert (set(run.scores), run.unanswered) == ({"a", "b"}, {"c": "not asked"})


def test_a_run_without_any_answer_is_refused(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", "id,choice\na,-1\nb,\nc,-1\n")
    assert fails(path) == "x.csv: x has no answer to any item (3 unparsed)"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("id,choice\na,0\nb,1\nc,0\nd,1\n", "x.csv:5: id: d is not an item of test (3 items)"),
        ("id,choice\na,0\nb,1\nc,0\na,1\n", "x.csv:5: id: a occurs twice"),
        ("id,choice\na,0\nb,2\nc,1\n", "x.csv:3: choice: 2 is out of range for 2 choices"),
        ("id,choice\na,A\nb,1\nc,B\n", "x.csv:3: choice: '1' is not among the choices"),
        ("id,choice\na,A\nb,C\nc,B\n", "x.csv:3: choice: letter 'C' is out of range for 2 choices"),
        ("id,choice\n,A\n", "x.csv:2: id: is empty"),
        ("id,choice\n", "x.csv: contains no rows"),
        ("id,prob0,prob1\na,1,\n", "x.csv:2: scores: a has 1 scores for 2 choices"),
        ("id,prob0,prob1,prob2\na,1,2,3\n", "x.csv:2: scores: a has 3 scores for 2 choices"),
        ("id,prob0,prob1\na,1,nan\n", "x.csv:2: scores: a: a score is nan"),
        ("id,prob0,prob1\na,1,inf\n", "x.csv:2: scores: a: a score is inf"),
        ("id,prob0,prob1\na,1,much\n", "x.csv:2: prob1: 'much' is not a number"),
        ("id,scores\na,1\n", "x.csv:2: scores: is a number, not a list of scores"),
        ("id,scores\na,[\n", "x.csv:2: broken JSON: Input data was truncated"),
        ("id,scores\na,[true]\n", "x.csv:2: scores: is a boolean, not a number"),
        (
            "id,pred,choice\na,1,0\n",
            "x.csv: the columns pred and choice have the same role: remove all but one",
        ),
        ("id,choice\nz,0\n", "x.csv:2: id: z is not an item of dev (2 items)"),
    ],
)
def test_bad(tmp_path: Path, content: str, what: str) -> None:
    assert fails(write_file(tmp_path, "x.csv", content)) == what


def test_columns_that_are_missing(tmp_path: Path) -> None:
    path = write_file(tmp_path, "x.csv", "name,choice\na,0\n")
    assert "x.csv: is not a supported predictions file; supported: arct2," in fails(path)
    with pytest.raises(Exception, match=r"no column for the id of the item .*found: name, choice"):
        read([path], BENCH, kind="table")
    path = write_file(tmp_path, "y.csv", "id,guess\na,0\n")
    with pytest.raises(Exception, match=r"no column for the choice \(choice\); found: id, guess"):
        read([path], BENCH, kind="table")


def test_the_folder_names_nothing(tmp_path: Path) -> None:
    path = write_file(tmp_path, "bert/predictions.csv", "id,choice\na,A\nb,B\nc,A\n")
    assert read_one(path).model == "predictions"


def test_items_with_their_answers_are_no_predictions(tmp_path: Path) -> None:
    row = '{"id": "a", "question": "why", "choices": ["x", "y"], "answer": 0}\n'
    path = write_file(tmp_path, "items.jsonl", row)
    assert fails(path) == "items.jsonl: contains items and their answers, not a model's predictions"


def test_the_same_run_twice(tmp_path: Path) -> None:
    text = "id,model,choice\na,m,A\nb,m,B\nc,m,A\n"
    paths = [write_file(tmp_path, name, text) for name in ("x.csv", "y.csv")]
    with pytest.raises(
        BadInput, match=r"y.csv: contains the same run as .*x.csv: give only one of them"
    ):
        read(paths, BENCH)
