"""`hansproof list`, `show` and `validate`, and the flags that name columns."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ..support.cli_runner import expect_one_line_error, run_here
from ..support.markers import needs_data


def test_list_show_and_validate(tmp_path: Path) -> None:
    assert (
        run_here("list", "probes")
        .stdout.splitlines()[0]
        .startswith("accuracy          How accurate are")
    )
    assert "benchmarks:" in run_here("list").stdout
    shown = run_here("show", "toy").stdout
    assert "balanced = original + mirrored" in shown
    assert "Ivan skipped his piano lessons" in shown
    (tmp_path / "q.jsonl").write_text('{"question": "why", "choices": ["a", "b"], "answer": "B"}\n')
    done = run_here("validate", "q.jsonl", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "all: 1 item, 2 choices, labelled; fields: question",
        "columns: the question is in question, the choices are in choices, the answer is in "
        "answer; equivalent flags: --field question --choices choices --answer answer",
        'answers: letters; for example, B in q.jsonl line 1 is the second choice, "b"',
    ]


def test_columns_by_flag(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("frage,eins,zwei,loesung\nwarum,a,b,1\nwie,c,d,0\n")
    flags = ("--choices", "eins", "--choices", "zwei", "--answer", "loesung", "--field", "frage")
    done = run_here("validate", "q.csv", *flags, cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "all: 2 items, 2 choices, labelled; fields: frage",
        "columns: the question is in frage, the choices are in eins, zwei, the answer is in "
        "loesung; equivalent flags: --field frage --choices eins --choices zwei --answer loesung",
        "answers: numbers that count from 0; "
        'for example, 1 in q.csv line 2 is the second choice, "b"',
    ]


@needs_data
def test_a_named_benchmark_from_a_folder(tmp_path: Path) -> None:
    source = Path(os.environ["HANSPROOF_DATA"], "copa")
    for name in ("copa-dev.xml", "copa-test.xml"):
        (tmp_path / name).write_bytes((source / name).read_bytes())
    done = run_here("validate", "copa", "--data", str(tmp_path))
    assert done.stdout.startswith("dev: 500 items, 2 choices, labelled; fields: premise")


TABLE = "question,A,B,C,answer\nWhat is blue?,milk,the sky,coal,2\nWhat is white?,milk,x,y,1\n"


@pytest.mark.parametrize("command", [("validate",), ("show",), ("run", "surface")])
def test_every_loading_command_takes_answers_from(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "q.csv").write_text(TABLE)
    error = expect_one_line_error(run_here(*command, "q.csv", cwd=tmp_path))
    assert error == (
        "hansproof: q.csv:2: answer: 2 may be the second choice (--answers-from 1) or the third "
        "choice (--answers-from 0), and the data do not show which: add one of these flags\n"
    )
    assert run_here(*command, "q.csv", "--answers-from", "1", cwd=tmp_path).returncode == 0


def test_validate_says_how_answers_were_read(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text(TABLE)
    for first, choice in (("1", 'second choice, "the sky"'), ("0", 'third choice, "coal"')):
        done = run_here("validate", "q.csv", "--answers-from", first, cwd=tmp_path)
        assert done.stdout.splitlines()[2] == (
            f"answers: numbers that count from {first}; "
            f"for example, 2 in q.csv line 2 is the {choice}"
        )


def test_a_table_without_a_header(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("What is blue?,milk,the sky,B\nWhat is white?,milk,coal,A\n")
    automatic = run_here("validate", "q.csv", cwd=tmp_path).stdout.splitlines()
    names = ("--choices", "milk", "--choices", "the sky", "--answer", "B")
    done = run_here("validate", "q.csv", "--field", "What is blue?", *names, cwd=tmp_path)
    assert "q.csv:1: looks like an item, not a header" in expect_one_line_error(done)
    columns = ("--field", "1", "--choices", "2", "--choices", "3", "--answer", "4")
    done = run_here("validate", "q.csv", "--no-header", *columns, cwd=tmp_path)
    assert "equivalent flags: --no-header " + " ".join(columns) in automatic[1]
    assert done.stdout.splitlines() == automatic
    assert automatic[::2] == [
        "all: 2 items, 2 choices, labelled; fields: question",
        'answers: letters; for example, B in q.csv line 1 is the second choice, "the sky"',
    ]


def test_plain_ids_still_match(tmp_path: Path) -> None:
    """Ids that restart in each split are told apart; logs and ratings may use them as they are."""
    for split in ("train", "test"):
        rows = "".join(f"{i},{split} {i}?,x{i},y{i},{'AB'[i % 2]}\n" for i in range(4))
        (tmp_path / f"{split}.csv").write_text("id,question,A,B,answer\n" + rows)
    notes = run_here("validate", ".", cwd=tmp_path).stdout.splitlines()[2:]
    assert (
        notes[2] == "ids: several splits use the same ids, so each id is prefixed with its split: "
        "test/0 and train/0"
    )
    (tmp_path / "answers").mkdir()
    log = tmp_path / "answers" / "log.csv"
    log.write_text("id,split,choice\n" + "".join(f"{i},test,{'AB'[i % 2]}\n" for i in range(4)))
    done = run_here("run", "accuracy", ".:test", "--predictions", str(log), "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    ratings = tmp_path / "answers" / "ratings.csv"
    ratings.write_text(
        "item,rater,choice\n" + "".join(f"{i},r{r},A\n" for i in range(4) for r in "ab")
    )
    done = run_here("run", "agreement", ".:test", "--ratings", str(ratings), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    error = run_here("run", "agreement", ".", "--ratings", str(ratings), cwd=tmp_path)
    assert "0 is in several splits: load only one of them" in expect_one_line_error(error)


@pytest.mark.parametrize(
    ("specs", "hint"),
    [
        (("toy:original", "q.jsonl"), "splits as toy:original+mirrored"),
        (("toy:original", "toy:mirrored"), "splits as toy:original+mirrored"),
        (("toy:mirrored", "toy:original"), "splits as toy:mirrored+original"),
        (("q.jsonl", "toy"), "splits as toy:original+mirrored"),
    ],
)
def test_several_benchmarks_are_refused(specs: tuple[str, ...], hint: str, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "q", "choices": ["a", "b"], "answer": 0}\n')
    error = expect_one_line_error(run_here("validate", *specs, cwd=tmp_path))
    assert "several benchmarks are given: name files of one benchmark, or " + hint in error
