"""What is no source of items is refused in a line that says what to give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest

import hansproof
from hansproof.errors import BadInput
from hansproof.records.column_mapping import ColumnMapping
from hansproof.types import Item

from ..support.report_sample import sample

RECORDS = [
    {
        "id": f"q{i}",
        "question": f"What is {i} + 1?",
        "choices": [str(i), str(i + 1)],
        "answer": str(i + 1),
    }
    for i in range(3)
]
COLUMNS = {name: [record[name] for record in RECORDS] for name in RECORDS[0]}
ITEM = Item("1", {"question": "Is ice cold?"}, ("yes", "no"), 0)


def write_items(path: Path) -> Path:
    path.write_text("\n".join(map(json.dumps, RECORDS)))
    return path


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (None, "is None, must be the name of a benchmark, a path, "),
        (3, "is of type int, must be the name of a benchmark"),
        (object(), "is of type object, must be the name of a benchmark"),
        (polars.DataFrame(RECORDS).lazy(), r"is a LazyFrame: give LazyFrame\.collect\(\)"),
        (["a.jsonl", RECORDS[0]], "is a list of paths and other things"),
        (RECORDS[0], r"is a single record: put it in a list, \[record\]"),
        (COLUMNS, "is a dict of columns: give a list of dicts, or pandas"),
        ([ITEM], r"is a list of Items: give hansproof\.Benchmark\("),
        ({"test": [ITEM]}, "is a list of Items"),
        ({}, "is an empty dict, must be"),
        ({"train": None}, "is None, must be"),
        ([], "contains no items"),
        ({"train": "nope.jsonl"}, "nope.jsonl: no such file"),
        (Path("nope"), "^nope: no such file"),
        (Path("toy"), "^toy: no such file"),
        (Path("toy:original"), "^toy:original: no such file"),
        (sample(), "is an Audit: give the benchmark that was audited"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else value[:20],
)
def test_other_objects_are_refused(source: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        hansproof.load(source)
    assert "\n" not in str(caught.value)


def test_a_mapping_is_for_files_and_tables() -> None:
    mapping: Any = {"answer": "key"}
    with pytest.raises(BadInput, match=r"write hansproof\.ColumnMapping\(answer='key'\)"):
        hansproof.load(RECORDS, mapping)
    with pytest.raises(BadInput, match="mapping: is of type int, must be a ColumnMapping"):
        hansproof.load(RECORDS, 3)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="is loaded already: a mapping or a folder applies only to"):
        hansproof.load(hansproof.load("toy"), ColumnMapping(answer="key"))
    with pytest.raises(BadInput, match="a mapping of columns applies only to files and tables"):
        hansproof.load("toy", ColumnMapping(answer="key"))


def test_paths_are_taken_for_splits_and_from_generators(tmp_path: Path) -> None:
    train, test = write_items(tmp_path / "a.jsonl"), write_items(tmp_path / "b.jsonl")
    benchmark = hansproof.load({"train": train, "test": str(test)})
    assert {split: len(items) for split, items in benchmark.splits.items()} == {
        "train": 3, "test": 3,
    }  # fmt: skip
    assert len(hansproof.load(path for path in (train,)).splits["all"]) == 3
    assert len(hansproof.load(iter(RECORDS)).splits["all"]) == 3


def test_a_path_is_a_file_although_a_benchmark_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("toy").mkdir()
    write_items(Path("toy") / "items.jsonl")
    assert len(hansproof.load(Path("toy")).splits["all"]) == 3
    assert len(hansproof.load("toy:original").splits["original"]) == 120


def test_named_levels_of_an_index_are_columns() -> None:
    frame = pandas.DataFrame(RECORDS)
    for table in (frame.set_index("id"), frame.set_index(["id", "answer"]), frame):
        items = hansproof.load(table).splits["all"]
        assert [item.id for item in items] == ["q0", "q1", "q2"]
        assert [item.answer for item in items] == [1, 1, 1]
    tables = {"dev": frame.set_index("id"), "test": pyarrow.Table.from_pylist(RECORDS)}
    assert list(hansproof.load(tables).splits) == ["dev", "test"]
