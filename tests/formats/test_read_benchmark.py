"""Files, folders and hub datasets as benchmarks with splits."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hansproof.errors import BadInput, MissingExtra
from hansproof.formats import ColumnMapping, hub, read_benchmark, read_items

ITEM = {"question": "q", "choices": ["x", "y"], "answer": 0}


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("mine.jsonl", "all"),
        ("mine-dev.jsonl", "dev"),
        ("Mine_Test.jsonl", "test"),
        ("validation.jsonl", "validation"),
        ("training.jsonl", "all"),
    ],
)
def test_a_file_is_one_split(write: Callable[[str, object], str], name: str, split: str) -> None:
    benchmark = read_benchmark(write(name, [ITEM]))
    is_bare = name == "validation.jsonl"  # then the folder says what it is
    folder = Path(write(name, [ITEM])).parent.name
    assert benchmark.name == (folder if is_bare else name.removesuffix(".jsonl"))
    assert {split: items[0].id for split, items in benchmark.splits.items()} == {
        split: f"{split}-1"
    }


def test_a_folder_has_one_split_per_file(
    write: Callable[[str, object], str], tmp_path: Path
) -> None:
    write("b-train.jsonl", [ITEM])
    write("b-dev.csv", "question,A,B,answer\nq,x,y,A\n")
    write("b-test.jsonl", [{"question": "q", "choices": ["x", "y"]}])
    write("README.md", "not data")
    write(".hidden.jsonl", "not data")
    benchmark = read_benchmark(str(tmp_path))
    assert list(benchmark.splits) == ["dev", "test", "train"]
    assert benchmark.roles == {"train": "train", "test": "dev"}
    write("b-test.jsonl", [ITEM])
    roles = read_benchmark(str(tmp_path)).roles
    assert roles == {"train": "train", "select": "dev", "test": "test"}


def test_files_of_the_same_split_are_joined(
    write: Callable[[str, object], str], tmp_path: Path
) -> None:
    write("train.jsonl", [ITEM])
    write("train-more.jsonl", [ITEM])
    benchmark = read_benchmark(str(tmp_path))
    assert [item.id for item in benchmark.splits["train"]] == ["train-more-1", "train-1"]
    assert "files: 2 files are merged into the split train" in " ".join(
        note.text for note in benchmark.notes
    )
    by_file = read_benchmark(str(tmp_path), ColumnMapping(split_by="file"))
    assert list(by_file.splits) == ["train-more", "train"]


def test_folders_beside_files_are_left_out_aloud(
    write: Callable[[str, object], str], tmp_path: Path
) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "pictures").mkdir()
    write("one.jsonl", [ITEM])
    write("more/two.jsonl", [ITEM])
    benchmark = read_benchmark(str(tmp_path))
    assert len(benchmark.splits["all"]) == 1
    assert benchmark.notes[-1].text.startswith("subfolders were not read: more/ (name")
    both = read_benchmark(str(tmp_path / "**" / "*.jsonl"))
    assert [item.file for item in both.splits["all"]] == ["more/two.jsonl", "one.jsonl"]


def test_stems_with_signs_that_name_splits(
    write: Callable[[str, object], str], tmp_path: Path
) -> None:
    write("a+b.jsonl", [ITEM])
    write("c:d.jsonl", [ITEM])
    by_file = ColumnMapping(split_by="file")
    assert list(read_benchmark(str(tmp_path), by_file).splits) == ["a-b", "c-d"]


def test_pooled_is_taken(write: Callable[[str, object], str], tmp_path: Path) -> None:
    path = write("pooled.jsonl", [ITEM])
    assert list(read_benchmark(path).splits) == ["all"]
    write("other.jsonl", [ITEM])
    by_file = ColumnMapping(split_by="file")
    for read in (
        lambda: read_items(path, "pooled"),
        lambda: read_benchmark(str(tmp_path), by_file),
    ):
        with pytest.raises(BadInput, match=r"pooled\.jsonl: the split name 'pooled' is reserved"):
            read()


def test_pooled_is_taken_on_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    splits = {"pooled": hub.HubSplit(iter([(1, dict[str, object](ITEM))]))}
    monkeypatch.setattr("hansproof.formats.hub.read_splits", lambda source: splits)
    with pytest.raises(BadInput, match="hf:a/b:pooled: the split name 'pooled' is reserved"):
        read_benchmark("hf:a/b")


def test_folders_that_cannot_be_read(write: Callable[[str, object], str], tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="contains no file of items"):
        read_benchmark(str(tmp_path))
    write("a.jsonl", [ITEM])
    with pytest.raises(BadInput, match="--labels needs a single file"):
        read_benchmark(str(tmp_path), ColumnMapping(labels="x.lst"))


def test_an_unreadable_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> list[str]:  # tests may run as root, who reads everything
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr("os.scandir", refuse)
    with pytest.raises(BadInput, match=r"^.*: cannot be read: Permission denied$"):
        read_benchmark(str(tmp_path))


def test_ids_that_restart_in_every_split(
    write: Callable[[str, object], str], tmp_path: Path
) -> None:
    write("train.jsonl", [{**ITEM, "id": "1"}, {**ITEM, "id": "2"}])
    write("test.jsonl", [{**ITEM, "id": 1}])
    benchmark = read_benchmark(str(tmp_path))
    ids = {split: [item.id for item in items] for split, items in benchmark.splits.items()}
    assert ids == {"test": ["test/1"], "train": ["train/1", "train/2"]}
    assert benchmark.notes[-1].text == (
        "ids: several splits use the same ids, so each id is prefixed with its split: test/1 and "
        "train/1"
    )
    write("test.jsonl", [{**ITEM, "id": 3}])
    benchmark = read_benchmark(str(tmp_path))
    assert [item.id for item in benchmark.splits["train"]] == ["1", "2"]
    assert not any(note.text.startswith("ids:") for note in benchmark.notes)
    write("test.jsonl", [{**ITEM, "id": 1}, {**ITEM, "id": 1}])
    with pytest.raises(BadInput, match=r"test.jsonl:2: id: '1' already appears in line 1"):
        read_benchmark(str(tmp_path))


@pytest.fixture
def offline_hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The real `datasets`, off the network and with a cache of its own."""
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


@pytest.mark.usefixtures("offline_hub")
def test_a_local_dataset(
    write: Callable[[str, object], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    write("mine/train.jsonl", [{**ITEM, "answer": i} for i in (0, 1)])
    write("mine/test.jsonl", [{**ITEM, "answer": -1}])
    monkeypatch.chdir(tmp_path)
    benchmark = read_benchmark("hf:./mine")
    assert benchmark.name == "mine"
    answers = {name: [item.answer for item in s] for name, s in benchmark.splits.items()}
    assert answers == {"train": [0, 1], "test": [None]}
    assert benchmark.splits["train"] == read_benchmark("mine").splits["train"]


@pytest.mark.usefixtures("offline_hub")
@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("hf:./nowhere", "no such folder"),
        ("hf:a/b/c/d", "is not of the form hf:org/name"),
        ("hf:", "is not of the form hf:org/name"),
        ("hf:no-such-org/no-such-name", "hf:no-such-org/no-such-name: "),
    ],
)
def test_no_such_dataset(source: str, what: str) -> None:
    with pytest.raises(BadInput, match=what) as caught:
        read_benchmark(source)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("offline_hub")
@pytest.mark.parametrize(
    "card",
    [
        "dataset_info: [unclosed\nfoo: : bar",
        "a:\n\t- b",
        "a: !!python/object:os.system x",
        "configs: [1]",
        "dataset_info:\n  features: 3",
        "dataset_info:\n  splits: 3",
        "just text",
    ],
)
def test_a_broken_card(write: Callable[[str, object], str], tmp_path: Path, card: str) -> None:
    (tmp_path / "mine").mkdir()
    write("mine/train.jsonl", [ITEM])
    write("mine/README.md", f"---\n{card}\n---\n")
    with pytest.raises(BadInput, match=r"^hf:.*/mine: cannot be loaded: ") as caught:
        read_benchmark(f"hf:{tmp_path}/mine")
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("offline_hub")
def test_code_in_a_dataset_is_not_run(write: Callable[[str, object], str], tmp_path: Path) -> None:
    (tmp_path / "evil").mkdir()
    mark = tmp_path / "ran"
    write("evil/evil.py", f"open({str(mark)!r}, 'w')\n")
    with pytest.raises(BadInput):
        read_benchmark(f"hf:{tmp_path}/evil")
    assert not mark.exists()


def test_missing_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"hansproof\[hub\]"):
        read_benchmark("hf:a/b")
    with pytest.raises(MissingExtra, match=r"hansproof\[parquet\]"):
        read_benchmark("x.parquet")


def test_a_word_inside_a_name_is_not_a_split(tmp_path: Path) -> None:
    """A course has a chapter on its development environment, which is no development split."""
    line = '{"id": "%s", "question": "q", "choices": ["a", "b"], "answer": "A"}\n'
    for name in ("01-dev-environment", "02-gpu", "03-testing-models", "my-test"):
        (tmp_path / f"{name}.jsonl").write_text(line % name)
    (items,) = read_benchmark(str(tmp_path)).splits.values()
    assert [item.id for item in items] == [
        "01-dev-environment", "02-gpu", "03-testing-models", "my-test",
    ]  # fmt: skip
