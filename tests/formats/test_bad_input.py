"""Broken files: one line that says where and what."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.formats import ColumnMapping, read_items
from hansproof.types import Items

GOOD = {"question": "q", "choices": ["x", "y"], "answer": 0}
LINE = '{"question": "q", "choices": ["x", "y"], "answer": 0}\n'


def test_truncated_json(fails: Callable[..., str]) -> None:
    assert fails(LINE + '{"question": "q", "cho') == (
        "x.jsonl:2: broken JSON: Input data was truncated"
    )
    assert fails("[" + LINE, "x.json") == "x.json:1: broken JSON: Input data was truncated"
    assert fails("[\n" + LINE + "x]", "x.json").startswith("x.json:3: broken JSON: JSON is malf")


def test_not_an_object(fails: Callable[..., str]) -> None:
    assert fails("1\n") == "x.jsonl:1: is a number, not an object"
    assert fails("[\n" + LINE + ",\n3]", "x.json") == "x.json:4: is a number, not an object"
    assert fails('{"a": 1}', "x.json") == "x.json: contains 0 lists of items; exactly one is needed"


def test_json_errors_name_the_line(fails: Callable[..., str]) -> None:
    bad = LINE.replace("0", "5")
    assert fails("[\n" + LINE + ",\n" + LINE + ",\n" + bad + "]", "x.json") == (
        "x.json:6: answer: 5 is out of range for 2 choices"
    )


@pytest.mark.parametrize("content", ["", "\n\n  \n", "\ufeff"])
@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.csv", "x.tsv", "x.xml"])
def test_empty(fails: Callable[..., str], content: str, name: str) -> None:
    if (name, content) == ("x.xml", "\ufeff"):
        assert "broken XML" in fails(content, name)
    else:
        assert fails(content, name) == f"{name}: contains no items"


def test_header_only(fails: Callable[..., str]) -> None:
    assert fails("question,A,B,answer\n", "x.csv") == "x.csv: contains no items"


@pytest.mark.parametrize("name", ["x.jsonl", "x.csv", "x.json", "x.xml"])
def test_200_mb_in_one_line_is_not_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        for _ in range(200):
            file.write(b"x" * 2**20)
    tracemalloc.start()
    with pytest.raises(BadInput, match=r"(:1: is longer than 16|: is larger than 128) MiB"):
        read_items(str(path), "all")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    path.unlink()
    assert peak < 64 * 2**20


def test_nul_bytes(fails: Callable[..., str]) -> None:
    assert fails(LINE + "{\0}") == "x.jsonl:2: contains a NUL byte in column 2"
    assert fails("[\n\0]", "x.json") == "x.json:2: contains a NUL byte in column 1"
    assert fails([{**GOOD, "question": "a\0"}]) == "x.jsonl:1: question: contains a NUL character"


def test_lone_surrogate(fails: Callable[..., str]) -> None:
    assert "x.jsonl:1: broken JSON" in fails('{"question": "\\ud800"}')


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_deeply_nested(fails: Callable[..., str], name: str) -> None:
    assert "JSON is nested too deeply" in fails("[" * 100_000 + "]" * 100_000, name)


def test_duplicate_ids(fails: Callable[..., str]) -> None:
    assert fails([{**GOOD, "id": "a"}, GOOD | {"id": 7}, {**GOOD, "id": "7"}]) == (
        "x.jsonl:3: id: '7' already appears in line 2"
    )


@pytest.mark.parametrize(("id", "what"), [(None, "is missing, not text"), ("", "is empty")])
def test_missing_id(fails: Callable[..., str], id: object, what: str) -> None:
    assert fails([{**GOOD, "id": id}]) == f"x.jsonl:1: id: {what}"


def test_choices(fails: Callable[..., str]) -> None:
    def choices(value: object) -> str:
        return fails([{**GOOD, "choices": value}])

    assert choices(["x"]) == "x.jsonl:1: choices: only one choice"
    assert choices([]) == "x.jsonl:1: choices: no choices"
    assert choices(None) == "x.jsonl:1: choices: is missing, not a list of choices"
    assert choices(["x", True]) == "x.jsonl:1: choices[1]: is a boolean, not text"
    assert choices(["x", None]) == "x.jsonl:1: choices[1]: is missing, not text"
    assert choices(["x", {"text": "y"}]) == (
        "x.jsonl:1: choices: choices must be texts, or objects with label and text"
    )
    assert choices({"text": ["x", "y"], "label": ["A"]}) == (
        "x.jsonl:1: choices: 2 texts with 1 labels"
    )
    assert choices("x or y").startswith("x.jsonl:1: choices: is text, not a list of choices: ")
    assert choices('["x", ').startswith("x.jsonl:1: broken JSON")
    assert fails("question,A,B,answer\nq,x,,A\n", "x.csv") == "x.csv:2: choices: only one choice"


def test_missing_columns(fails: Callable[..., str]) -> None:
    assert fails([GOOD, {"question": "q", "answer": 0}]) == (
        "x.jsonl:2: choices: missing column; found: question, answer"
    )
    assert fails([GOOD, {"choices": ["x", "y"], "answer": 0}]) == (
        "x.jsonl:2: question: missing column; found: choices, answer"
    )
    assert fails("goal,sol1,label\ng,x,0\n", "x.csv") == (
        "x.csv: columns not recognised (goal, sol1, label): name them with --choices"
    )


def test_names_of_columns_are_shown_short_and_in_one_line(fails: Callable[..., str]) -> None:
    assert fails([{"a\n\x1b[31m": 1}]).startswith("x.jsonl: columns not recognised (a??[31m):")
    assert fails([{**GOOD, "é\n": "\0"}]) == "x.jsonl:1: é?: contains a NUL character"
    assert "c29 and 70 more" in fails([{f"c{i}": 1 for i in range(100)}])
    assert "x" * 60 + "..." in fails([{"x" * 5000: 1}])


def test_text_must_be_text(fails: Callable[..., str]) -> None:
    assert fails([{**GOOD, "question": 3}]) == "x.jsonl:1: question: is a number, not text"
    assert fails([{**GOOD, "question": {"a": 1}}]) == (
        "x.jsonl:1: question: is an object without the key stem"
    )


def test_several_right_choices(fails: Callable[..., str]) -> None:
    targets = {"question": "q", "mc1_targets": {"choices": ["x", "y"], "labels": [1, 1]}}
    assert fails([targets]) == "x.jsonl:1: mc1_targets: has 2 right choices; exactly one is needed"
    targets = {"question": "q", "mc1_targets": {"choices": ["x", "y"], "labels": [1]}}
    assert fails([targets]) == "x.jsonl:1: mc1_targets: 2 choices with 1 labels"


def test_rows_and_cells(fails: Callable[..., str]) -> None:
    head = "question,A,B,answer\n"
    assert fails(head + "q,x,y,A,z\n", "x.csv") == (
        "x.csv:2: has 5 cells, but the header has 4: put texts that contain commas or other "
        "separators in quotes"
    )
    assert fails(head + "q,x,y\n", "x.csv") == "x.csv:2: has 3 cells, but the header has 4"
    assert fails("a\tb\ta\n1\t2\t3\n", "x.tsv") == (
        "x.tsv:1: a: appears twice in the header (if the first line is an item, add --no-header: "
        "its columns are then 1, 2, 3, ...)"
    )
    assert fails(head + 'q,x,"y"z,A\n', "x.csv").startswith("x.csv:2: ")
    assert fails(head + 'q,"x\n\ny\n', "x.csv") == "x.csv:2: unexpected end of data"


def test_line_of_a_row_after_one_with_line_breaks(fails: Callable[..., str]) -> None:
    content = 'question,A,B,answer\n"q\nq",x,y,A\n\nq,x,y,Z\n'
    assert fails(content, "x.csv") == "x.csv:5: answer: letter 'Z' is out of range for 2 choices"


def test_compressed(fails: Callable[..., str]) -> None:
    packed = gzip.compress(LINE.encode())
    assert fails(packed, "x.jsonl.gz") == ("x.jsonl.gz: is compressed: unpack it first")
    for name in ("x.jsonl", "x.json", "x.xml"):
        assert fails(packed, name) == f"{name}: is compressed: unpack it first (gunzip)"


def test_unknown_kind(fails: Callable[..., str]) -> None:
    assert fails("", "x.pdf") == (
        "x.pdf: unknown file format; supported: csv, gift, json, jsonl, ndjson, parquet, tsv, "
        "txt, xlsm, xlsx, xml"
    )


def test_no_such_file(tmp_path: Path) -> None:
    for name in ("x.jsonl", "x.json", "x.csv", "x.xml", "x.parquet"):
        with pytest.raises(BadInput, match="no such file"):
            read_items(str(tmp_path / name), "all")
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(BadInput, match="cannot be read: Is a directory"):
        read_items(str(tmp_path / "folder.jsonl"), "all")


def test_broken_parquet(fails: Callable[..., str]) -> None:
    assert fails("no table", "x.parquet").startswith("x.parquet: broken Parquet: ")


def test_drop_unlabelled(reads: Callable[..., Items], write: Callable[[str, object], str]) -> None:
    content = [GOOD, {**GOOD, "answer": None}, GOOD]
    items = reads(content, mapping=ColumnMapping(drop_unlabelled=True))
    assert [item.id for item in items] == ["all-1", "all-3"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("q1,Paris,Rome,,paris\nq2,Oslo,Bern,,Oslo\n",
         "x.csv:2: answer: 'paris' is not among the choices; did you mean 'Paris'?"),
        ("q1,Paris,Rome,,Pariss\nq2,Oslo,Bern,,Oslo\n",
         "x.csv:2: answer: 'Pariss' is not among the choices; did you mean 'Paris'?"),
        ("q1,x,y,,choice c\nq2,x,y,z,Choice A\n",
         "x.csv:2: answer: 'choice c' is not among the choices"),
    ],
)  # fmt: skip
def test_answers_are_shown_as_they_are_in_the_file(
    rows: str, message: str, fails: Callable[..., str]
) -> None:
    assert fails(f"question,Choice A,Choice B,Choice C,answer\n{rows}", "x.csv") == message


def test_a_letter_of_an_empty_choice_is_shown_as_it_is_in_the_file(
    fails: Callable[..., str],
) -> None:
    text = "question,A,B,C,answer\nq1,x,y,,C\nq2,x,y,z,A\n"
    assert "letter 'C' is out of range for 2 choices" in fails(text, "x.csv")


def test_the_text_of_a_table_that_is_not_utf8_says_how_to_save_it(
    fails: Callable[..., str],
) -> None:
    assert fails(b"question,A,B,answer\nq\xe9,x,y,A\n", "x.csv") == (
        "x.csv: is not UTF-8 at byte 2 of line 2: save it as UTF-8 (in Excel: Save as, CSV UTF-8)"
    )
