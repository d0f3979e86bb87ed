"""Answers are read in one way in all files of a benchmark, or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hansproof
from hansproof.errors import BadInput, HansproofError
from hansproof.formats import ColumnMapping, hub, read_benchmark
from hansproof.records.column_mapping import AnswersFrom
from hansproof.types import Benchmark

from ..support.markers import needs_data

HEAD = "question,A,B,C,answer\n"
TRAIN = HEAD + "sky?,red,blue,green,2\ngrass?,green,blue,red,1\nsun?,blue,green,red,3\n"
TEST = HEAD + "sea?,red,blue,green,2\nblood?,red,blue,green,1\n"


def read_folder(folder: Path, mapping: ColumnMapping | None = None, **files: str) -> Benchmark:
    """Read a folder with one CSV file per split."""
    for split, content in files.items():
        (folder / f"{split}.csv").write_text(content)
    return read_benchmark(str(folder), mapping)


def answers(benchmark: Benchmark) -> dict[str, list[int | None]]:
    return {name: [item.answer for item in items] for name, items in benchmark.splits.items()}


def read_error(folder: Path, mapping: ColumnMapping | None = None, **files: str) -> str:
    with pytest.raises(HansproofError) as caught:
        read_folder(folder, mapping, **files)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{folder}/", "")


def test_one_file_decides_for_all(tmp_path: Path) -> None:
    mix = read_folder(tmp_path, train=TRAIN, test=TEST)
    assert answers(mix) == {"test": [1, 0], "train": [1, 0, 2]}
    assert tuple(note.text for note in mix.notes) == (
        "columns: the question is in question, the choices are in A, B, C, the answer is in "
        "answer; equivalent flags: --field question --choices A --choices B --choices C --answer "
        "answer",
        "answers: numbers that count from 1; "
        'for example, 2 in test.csv line 2 is the second choice, "blue"',
    )
    mix = read_folder(tmp_path, train=TRAIN.replace(",3\n", ",0\n"))
    assert answers(mix) == {"test": [2, 1], "train": [2, 1, 0]}
    assert mix.take_split("test").notes == mix.notes


def test_no_file_decides(tmp_path: Path) -> None:
    message = (
        "test.csv:2: answer: 2 may be the second choice (--answers-from 1) or the third choice "
        "(--answers-from 0), and the data do not show which: add one of these flags"
    )
    assert read_error(tmp_path, test=TEST) == message
    assert read_error(tmp_path, dev=TEST).replace("dev", "test") == message


@pytest.mark.parametrize(
    ("answers_from", "expected"), [("0", [2, 1]), ("1", [1, 0]), (0, [2, 1]), (1, [1, 0])]
)
def test_the_user_decides(tmp_path: Path, answers_from: Any, expected: list[int]) -> None:
    (tmp_path / "test.csv").write_text(TEST)
    mapping = ColumnMapping(answers_from=answers_from)
    mix = hansproof.load(str(tmp_path), mapping)
    assert answers(mix) == {"test": expected}


@pytest.mark.parametrize(("answers_from", "expected"), [("letters", 0), ("text", 1)])
def test_letter_or_text(tmp_path: Path, answers_from: AnswersFrom, expected: int) -> None:
    mapping = ColumnMapping(answers_from=answers_from)
    assert answers(read_folder(tmp_path, mapping, all=HEAD + "q,B,A,C,A\n")) == {"all": [expected]}


def test_the_user_decides_against_what_a_schema_says(tmp_path: Path) -> None:
    content = "goal,sol1,sol2,label\ng,x,y,1\n"
    assert answers(read_folder(tmp_path, all=content)) == {"all": [1]}
    assert answers(read_folder(tmp_path, ColumnMapping(answers_from="1"))) == {"all": [0]}


def test_answers_that_are_not_as_the_user_says(tmp_path: Path) -> None:
    def error(answers_from: Any, answer: str) -> str:
        mapping = ColumnMapping(answers_from=answers_from)
        return read_error(tmp_path, mapping, all=f"{HEAD}q,x,y,z,{answer}\n")

    for answers_from, answer, message in (
        ("1", "0", "0 is out of range: with --answers-from 1, use 1 to 3"),
        ("0", "3", "3 is out of range: with --answers-from 0, use 0 to 2"),
        ("1", "B", "'B' is not a number, but --answers-from 1 was given"),
        ("letters", "2", "'2' is not a letter, but --answers-from letters was given"),
        ("letters", "D", "letter 'D' is out of range for 3 choices"),
        ("text", "B", "'B' is not the text of a choice, but --answers-from text was given"),
        ("text", "2", "'2' is not the text of a choice, but --answers-from text was given"),
    ):
        assert error(answers_from, answer) == f"all.csv:2: answer: {message}"
    assert error("2", "B").startswith("unknown answers_from '2'; known: 0, 1, letters, text")


def test_two_files_that_contradict_each_other(tmp_path: Path) -> None:
    assert read_error(tmp_path, train=TRAIN, test=TEST.replace(",2\n", ",0\n")) == (
        "train.csv:4: answer: 3 of 3 choices counts from 1, but 0 in test.csv:2 counts from 0: "
        "number all answers in the same way"
    )


def test_files_that_write_their_answers_in_two_ways(tmp_path: Path) -> None:
    mix = read_folder(tmp_path, train=TRAIN, test=f"{HEAD}sea?,red,blue,green,C\n")
    assert answers(mix) == {"test": [2], "train": [1, 0, 2]}
    assert [note.text.partition(";")[0] for note in mix.notes[1:]] == [
        "answers of test: letters",
        "answers of train: numbers that count from 1",
    ]
    mix = read_folder(tmp_path, dev=f"{HEAD}sea?,red,blue,green,blue\n")
    assert answers(mix) == {"dev": [1], "test": [2], "train": [1, 0, 2]}


def test_a_letter_that_is_a_choice_is_decided_by_another_file(tmp_path: Path) -> None:
    mix = read_folder(tmp_path, train=HEAD + "q,B,A,C,A\n", test=HEAD + "q,x,y,z,B\n")
    assert answers(mix) == {"test": [1], "train": [0]}


def test_files_with_keys_define_their_answers(
    write: Callable[[str, object], str], tmp_path: Path
) -> None:
    keyed = {"question": "q", "choices": {"text": ["x", "y"], "label": ["2", "1"]}}
    write("train.jsonl", [{**keyed, "answer": 1}])
    write("test.csv", TEST.replace(",2\n", ",3\n"))
    assert answers(read_benchmark(str(tmp_path))) == {"test": [2, 0], "train": [1]}


def test_hansproofs_own_format_counts_from_0(
    write: Callable[[str, object], str], tmp_path: Path
) -> None:
    record = {"id": "1", "fields": {"q": "q"}, "choices": ["x", "y"], "answer": 1}
    path = write("all.jsonl", [record])
    for answers_from in (None, "0"):
        assert answers(read_benchmark(path, ColumnMapping(answers_from=answers_from))) == {
            "all": [1]
        }
    with pytest.raises(BadInput, match="own format, where answers count from 0: leave out"):
        read_benchmark(path, ColumnMapping(answers_from="1"))


def test_labels_in_a_second_file(write: Callable[[str, object], str]) -> None:
    path = write("items.csv", "question,A,B,C\nq,x,y,z\nr,x,y,z\n")
    labels = write("labels.lst", "1\n2\n")
    with pytest.raises(BadInput, match=r"labels.lst:1: label: 1 may be .*--answers-from 1"):
        read_benchmark(path, ColumnMapping(labels=labels))
    mapping = ColumnMapping(labels=labels, answers_from="1")
    assert answers(read_benchmark(path, mapping)) == {"all": [0, 1]}


def test_class_labels_of_the_hub_count_from_0(tmp_path: Path, monkeypatch: Any) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "mine").mkdir()
    record = {"question": "q", "choices": ["x", "y", "z"], "answer": 1}
    (tmp_path / "mine" / "train.jsonl").write_text(json.dumps(record))
    source = f"hf:{tmp_path}/mine"
    with pytest.raises(BadInput, match="answer: 1 may be the first choice"):
        read_benchmark(source)
    (tmp_path / "mine" / "README.md").write_text(
        "---\ndataset_info:\n  features:\n"
        "  - name: question\n    dtype: string\n"
        "  - name: choices\n    sequence: string\n"
        "  - name: answer\n    dtype:\n      class_label:\n"
        "        names:\n          '0': A\n          '1': B\n          '2': C\n---\n"
    )
    assert hub.read_splits(source)["train"].class_columns == {"answer"}
    assert answers(read_benchmark(source)) == {"train": [1]}


def test_places_beyond_the_tenth(tmp_path: Path) -> None:
    choices = [f"c{i}" for i in range(30)]
    for answer, ordinal in ((10, "11th"), (11, "12th"), (20, "21st"), (21, "22nd"), (29, "30th")):
        records = [{"question": "q", "choices": choices, "answer": i} for i in (answer, 0)]
        (tmp_path / "x.json").write_text(json.dumps(records))
        note = read_benchmark(str(tmp_path / "x.json")).notes[1]
        assert f'is the {ordinal} choice, "c{answer}"' in note.text


@needs_data
def test_real_quizzes_are_decided_together() -> None:
    folder = Path(os.environ["HANSPROOF_DATA"], "quizzes")
    quizzes = read_benchmark(str(folder))
    assert len(quizzes.splits["all"]) == 1011
    notes = " ".join(note.text for note in quizzes.notes)
    assert "answers: numbers that count from 0; for example, 1 in 00-setup" in notes
    name = "00-setup-and-tooling__03-gpu-setup-and-cloud.json"  # has no 0
    items = [item for item in quizzes.splits["all"] if item.file == name]
    path = str(folder / name)
    with pytest.raises(BadInput, match="--answers-from 0"):
        read_benchmark(path)
    mapping = ColumnMapping(answers_from="0")
    assert [item.answer for item in read_benchmark(path, mapping).splits["all"]] == [
        item.answer for item in items
    ]
