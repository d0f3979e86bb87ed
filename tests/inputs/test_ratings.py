"""What people said, one row for each item and rater."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.errors import BadInput
from hansproof.inputs.ratings import read_all, read_ratings
from hansproof.types import Benchmark, Item

from ..support.log_factories import BENCH, write_file


def fails(path: str, benchmark: Benchmark = BENCH) -> str:
    with pytest.raises(BadInput) as caught:
        read_ratings(path, benchmark)
    return str(caught.value).rpartition("/")[2]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.csv", "item,rater,choice\na,ann,A\n1,ann,B\na,bob,\nb,bob,B\n"),
        ("r.csv", "annotator,id,answer\nann,a,0\nann,1,1\nbob,a,-1\nbob,b,1\n"),
        ("r.tsv", "item_id\tworker\trating\na\tann\t1\n1\tann\t2\nb\tbob\t2\n"),
        (
            "r.jsonl",
            [
                {"item": "a", "user": "ann", "label": "yes a"},
                {"item": 1, "user": "ann", "label": "no 1"},
                {"item": "b", "user": "bob", "label": "no b"},
            ],
        ),
    ],
)
def test_forms(tmp_path: Path, name: str, content: object) -> None:
    path = write_file(tmp_path, name, content)
    found = read_ratings(path, BENCH)
    assert found.rows == (("a", "ann", 0), ("1", "ann", 1), ("b", "bob", 1))
    assert found.source == path


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("item,rater,choice\na,x,A\na,x,B\n", "r.csv:3: item: x rates a twice"),
        (
            "item,rater,choice\nz,x,A\n",
            "r.csv:2: item: z is not an item of the benchmark (6 items)",
        ),
        ("item,rater,choice\na,,A\n", "r.csv:2: rater: is empty"),
        ("item,rater,choice\na,x,C\n", "r.csv:2: choice: letter 'C' is out of range for 2 choices"),
        ("item,rater,choice\n", "r.csv: contains no ratings"),
        ("item,choice\na,1\n", "r.csv: no column for the rater (rater); found: item, choice"),
        ("item,rater\na,1\n", "r.csv: no column for the choice (choice); found: item, rater"),
        ("rater,choice\na,1\n", "r.csv: no column for the item (item_id); found: rater, choice"),
    ],
)
def test_bad(tmp_path: Path, content: str, what: str) -> None:
    assert fails(write_file(tmp_path, "r.csv", content)) == what


def test_numbers_that_may_count_from_0_or_1(tmp_path: Path) -> None:
    path = write_file(tmp_path, "r.csv", "item,rater,choice\na,x,1\nb,x,1\n")
    message = "may count from 0 or from 1, and no line shows which: write A, B, C"
    assert fails(path).endswith(message)
    assert read_ratings(path, BENCH, first_number=1).rows == (("a", "x", 0), ("b", "x", 0))


def test_an_id_in_two_splits(tmp_path: Path) -> None:
    path = write_file(tmp_path, "r.csv", "item,rater,choice\na,x,A\n")
    same = Item("a", {}, ("x", "y"), 0)
    twice = Benchmark("b", {"one": (same,), "two": (Item("a", {}, ("p", "q"), 0),)})
    assert fails(path, twice) == "r.csv:2: item: a is in several splits: load only one of them"
    assert read_ratings(path, Benchmark("b", {"one": (same,), "two": (same,)})).rows == (
        ("a", "x", 0),
    )


def test_several_files_are_one_crowd(tmp_path: Path) -> None:
    one, other = tmp_path / "r1.csv", tmp_path / "r2.csv"
    one.write_text("item,rater,choice\na,ann,A\n")
    other.write_text("item,rater,choice\na,bob,B\n")
    found = read_all([f"{tmp_path}/r*.csv", str(one)], BENCH)
    assert [r.rows for r in found] == [(("a", "ann", 0),), (("a", "bob", 1),)]
    other.write_text("item,rater,choice\na,ann,B\n")
    with pytest.raises(BadInput, match=r"r2.csv: ann also rates a in .*r1.csv"):
        read_all([f"{tmp_path}/r*.csv"], BENCH)
    other.write_text("item,rater,choice\na,bob,\n")
    with pytest.raises(BadInput, match="contains no ratings: every cell is empty"):
        read_all([str(other)], BENCH)
