"""A benchmark and a split in one word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hansproof import benchmarks
from hansproof.errors import BadInput, UnknownName
from hansproof.formats import ColumnMapping
from hansproof.types import Items

ITEM = {"question": "q", "choices": ["x", "y"], "answer": 0}


def split_of(spec: str) -> tuple[str, Items]:
    ((name, items),) = benchmarks.load(spec).splits.items()
    return name, items


def test_toy() -> None:
    toy = benchmarks.load("toy")
    assert {name: len(items) for name, items in toy.splits.items()} == {
        "original": 120,
        "mirrored": 120,
    }
    first, partner = toy.splits["original"][0], toy.splits["mirrored"][0]
    assert (first.id, partner.id) == ("toy-001", "toy-001-mirrored")
    assert first.group == partner.group == "toy-001"
    assert first.choices == partner.choices
    assert {first.answer, partner.answer} == {0, 1}
    assert first.fields != partner.fields
    assert first.meta == partner.meta == {"asks_for": "effect"}


@pytest.mark.parametrize(
    ("split", "count"),
    [("original", 120), ("balanced", 240), ("mirrored+original", 240), ("pooled", 240)],
)
def test_parts(split: str, count: int) -> None:
    name, items = split_of(f"toy:{split}")
    assert (name, len(items)) == (split, count)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tooy", "unknown benchmark 'tooy'; did you mean toy?"),
        ("balanced-cop", "unknown benchmark 'balanced-cop'; did you mean balanced_copa"),
        ("toy:orignal", "unknown split 'orignal'; did you mean original?"),
        ("toy:original+x", "unknown split 'x'"),
        ("toy:", "unknown split ''"),
    ],
)
def test_typing_errors(spec: str, message: str) -> None:
    with pytest.raises(UnknownName) as caught:
        benchmarks.load(spec)
    assert message in str(caught.value)


@pytest.mark.parametrize("spec", ["mine.jsonl", "./mine", "data/mine.csv:dev", "./mine.py"])
def test_no_such_file(spec: str) -> None:
    with pytest.raises(BadInput, match="no such file"):
        benchmarks.load(spec)


def test_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("train", "dev"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(ITEM))
    (tmp_path / "odd:name.jsonl").write_text(json.dumps(ITEM))
    monkeypatch.chdir(tmp_path)
    assert split_of("train.jsonl")[0] == "train"
    assert split_of("./train.jsonl:train")[0] == "train"
    assert split_of("odd:name.jsonl")[0] == "all"
    (tmp_path / "odd:name.jsonl").unlink()
    assert list(benchmarks.load(".").splits) == ["dev", "train"]
    assert split_of(f"{tmp_path}:pooled")[1][1].id == "train-1"


def test_pooled_needs_answers(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps({**ITEM, "answer": None}))
    with pytest.raises(BadInput, match="no split has answers"):
        benchmarks.load(f"{path}:pooled")


def test_hub_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "train.jsonl").write_text(json.dumps(ITEM))
    assert split_of(f"hf:{tmp_path}/mine:train")[0] == "train"


def test_flags_are_for_files(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a mapping of columns applies only to files and tables"):
        benchmarks.load("toy", ColumnMapping(answer="x"))
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({"q": "q", "choices": ["x", "y"], "key": 2}))
    items = benchmarks.load(str(path), ColumnMapping(answer="key", fields=("q",))).splits["all"]
    assert items[0].answer == 1


def test_a_benchmark_in_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from hansproof.types import Benchmark, Item\n"
        "def load(folder=None):\n"
        "    return Benchmark('mine', {'all': (Item('1', {'q': 'q'}, ('x', 'y'), 0),)})\n"
    )
    assert split_of(f"{path}:all")[1][0].id == "1"


def test_version_of_ones_own(tmp_path: Path) -> None:
    from hansproof.benchmarks import toy

    pair = {"id": "p", "premise": "a", "mirrored": "b", "asks_for": "cause"}
    record = {**pair, "choices": ["x", "y"], "answer": 1}
    (tmp_path / "toy.jsonl").write_text(json.dumps(record))
    with pytest.warns(UserWarning, match="differ from the published version"):
        benchmark = toy.load(str(tmp_path))
    assert benchmark.splits["mirrored"][0].fields == {"premise": "b"}


def test_of_several_benchmarks_columns_are_for_files_and_folders_for_names(tmp_path: Path) -> None:
    path = tmp_path / "open.csv"
    path.write_text("question,A,B,C,answer\nq,x,y,z,1\nr,s,t,u,2\n")
    specs = ("toy:original", str(path))
    with pytest.raises(BadInput, match="--answers-from"):
        benchmarks.load_all(specs)
    toy, mine = benchmarks.load_all(specs, ColumnMapping(answers_from="1"))
    assert toy == benchmarks.load("toy:original")
    assert [item.answer for item in mine.splits["all"]] == [0, 1]
    with pytest.raises(BadInput, match="has a fixed format"):
        benchmarks.load_all(("toy",), ColumnMapping(answers_from="1"))
    with pytest.raises(BadInput, match="a data folder applies only to"):
        benchmarks.load_all((str(path),), ColumnMapping(answers_from="1"), str(tmp_path))
