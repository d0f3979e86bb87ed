"""Benchmarks of which no copy is at hand, read from small files in their published shape."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from hansproof import auditing, benchmarks
from hansproof.benchmarks import hellaswag, mmlu, openbookqa, socialiqa, winogrande
from hansproof.errors import BadInput
from hansproof.probes.class_balance import ClassBalance
from hansproof.report.headline import audit_title
from hansproof.types import Benchmark, Item

from ..support.cli_runner import run_here
from ..support.public_benchmark_files import FILES, NAMES, write_public_files


def load(name: str, folder: Path) -> Benchmark:
    write_public_files(name, folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return benchmarks.load(name, folder=str(folder))


def load_error(name: str, folder: Path) -> str:
    with pytest.raises(BadInput) as caught:
        benchmarks.load(name, folder=str(folder))
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "sizes", "roles", "last_item"),
    [
        (
            "hellaswag",
            {"train": 2, "val": 2},
            {"train": "train", "test": "val"},
            Item(
                "val-2",
                {"ctx": "A man kneads. he"},
                ("sings.", "sleeps.", "swims.", "bakes."),
                0,
                meta={
                    "activity_label": "Baking",
                    "split_type": "indomain",
                    "source_id": "activitynet~v_1",
                },
            ),
        ),
        (
            "mmlu",
            {"dev": 57, "val": 57, "test": 57},
            {"select": "val", "test": "test"},
            Item(
                "test/world_religions/1",
                {"question": 'What is "it",\r\nthen?'},
                ("1", "0.5", "A", "None, or all"),
                3,
                meta={"subject": "world_religions"},
            ),
        ),
        (
            "mmlu_pro",
            {"validation": 2, "test": 2},
            {"test": "test"},
            Item(
                "3",
                {"question": "What is red?"},
                ("blood", "snow", "tar", "milk"),
                0,
                meta={"category": "other", "src": "ori_mmlu-colours"},
            ),
        ),
        (
            "openbookqa",
            {"train": 1, "dev": 1, "test": 1},
            {"train": "train", "select": "dev", "test": "test"},
            Item("2-1", {"question": "What purrs?"}, ("a stone", "a cat", "the sun", "a lamp"), 1),
        ),
        (
            "socialiqa",
            {"train": 2, "dev": 2},
            {"train": "train", "test": "dev"},
            Item(
                "dev-2",
                {"context": "Ann fell.", "question": "How does Ann feel?"},
                ("hurt", "proud", "full"),
                2,
            ),
        ),
        (
            "truthfulqa",
            {"test": 1},
            {"test": "test"},
            Item("test-1", {"question": "What is the sky?"}, ("Air.", "A dome.", "A sea."), 0),
        ),
        (
            "winogrande",
            {"train": 1, "dev": 2},
            {"train": "train", "test": "dev"},
            Item(
                "3Q-2",
                {"sentence": "Ann thanked Bea because _ had helped."},
                ("Ann", "Bea"),
                0,
            ),
        ),
    ],
)
def test_shape(
    tmp_path: Path, name: str, sizes: dict[str, int], roles: dict[str, str], last_item: Item
) -> None:
    benchmark = load(name, tmp_path)
    assert {split: len(items) for split, items in benchmark.splits.items()} == sizes
    assert benchmark.roles == roles
    assert benchmark.splits[list(sizes)[-1]][-1] == last_item


def test_subjects_of_mmlu(tmp_path: Path) -> None:
    items = load("mmlu", tmp_path).splits["dev"]
    assert [item.meta["subject"] for item in items] == sorted(mmlu.SUBJECTS)
    assert items[0].id == "dev/abstract_algebra/1"
    assert len(mmlu.ARCHIVE.members) == 3 * 57


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", ["", "{}"], ids=["data folder", "folder of the benchmark"])
def test_folders(tmp_path: Path, name: str, place: str) -> None:
    benchmark = load(name, tmp_path)
    with pytest.warns(UserWarning, match=f"^{name}:.* differ"):
        again = benchmarks.load(name, folder=str(tmp_path / place.format(name)))
    assert again == benchmark


@pytest.mark.parametrize("name", NAMES)
def test_data_folder_goes_before_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    benchmark = load(name, tmp_path)
    monkeypatch.setenv("HANSPROOF_DATA", str(tmp_path))
    monkeypatch.setattr("hansproof.download._download_to_cache", pytest.fail)
    with pytest.warns(UserWarning, match="published version"):
        assert benchmarks.load(name) == benchmark


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"hellaswag", "mmlu_pro"}))
def test_other_items_are_a_changed_copy(tmp_path: Path, name: str) -> None:
    assert load(name, tmp_path).card.title.endswith(" (changed copy)")


@pytest.mark.parametrize("name", ["hellaswag", "mmlu_pro"])
def test_other_bytes_are_an_unconfirmed_copy(tmp_path: Path, name: str) -> None:
    write_public_files(name, tmp_path)
    message = (
        f"^{name}:[a-z]+ and [a-z]+ may differ from the published version: their files do not "
        "have the published bytes, and no fingerprint of the published items is known$"
    )
    with pytest.warns(UserWarning, match=message):
        benchmark = benchmarks.load(name, folder=str(tmp_path))
    assert benchmark.card.title.endswith(" (unconfirmed copy)")
    audit = auditing.run_audit(benchmark, {"class_balance": ClassBalance()})
    assert audit_title(audit) == f"{name} (unconfirmed copy)"


def test_the_published_bytes_are_confirmed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_public_files("hellaswag", tmp_path)
    for split, source in hellaswag.SOURCES.items():
        digest = hashlib.sha256((tmp_path / source.file.name).read_bytes()).hexdigest()
        confirmed = replace(source, file=replace(source.file, sha256=digest))
        monkeypatch.setitem(hellaswag.SOURCES, split, confirmed)
        if split == "train":
            with pytest.warns(UserWarning, match="^hellaswag:val may differ .*: its file does not"):
                benchmarks.load("hellaswag", folder=str(tmp_path))
    assert benchmarks.load("hellaswag", folder=str(tmp_path)).card == hellaswag.CARD


def test_one_line_on_the_terminal(tmp_path: Path) -> None:
    write_public_files("hellaswag", tmp_path)
    done = run_here("show", "hellaswag", "--data", str(tmp_path), "--items", "0")
    assert done.returncode == 0
    assert done.stdout.startswith("HellaSwag (unconfirmed copy)\n")
    assert done.stderr.startswith("hansproof: hellaswag:train and val may differ from the publ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "file", "data", "message"),
    [
        ("hellaswag", "hellaswag_val.jsonl", b'{"ctx": "a", "label": 0}\n', "name them with --ch"),
        ("mmlu", "val/anatomy_val.csv", b"q,a,b,c,d\n", "anatomy_val.csv: 6: missing column"),
        ("mmlu", "val/anatomy_val.csv", b"q,a,b,c,d,E\n", "anatomy_val.csv:1: 6: letter 'E'"),
        ("mmlu", "val/anatomy_val.csv", b"", "anatomy_val.csv: "),
        ("mmlu", "val/anatomy_val.csv", b'q,"a', "unexpected end of data"),
        ("mmlu_pro", "test-00000-of-00001.parquet", b"PAR1", "broken Parquet"),
        (
            "openbookqa",
            "test.jsonl",
            b'{"id": "1", "question": {}}\n',
            "an object without the key stem",
        ),
        ("socialiqa", "dev-labels.lst", b"1\n", "has 1 labels for 2 items"),
        ("socialiqa", "dev-labels.lst", b"1\n4\n", "dev-labels.lst:2: label: "),
        ("truthfulqa", "mc_task.json", b"[", "broken JSON"),
        (
            "truthfulqa",
            "mc_task.json",
            b'[{"question": "q", "mc1_targets": {"a": 1, "b": 1}}]',
            "has 2 right choices; exactly one is needed",
        ),
        (
            "winogrande",
            "dev.jsonl",
            b'{"sentence": "_", "option1": "a", "option2": "b", "answer": "0"}\n',
            "dev.jsonl:1: answer: ",
        ),
    ],
)
def test_malformed_files(tmp_path: Path, name: str, file: str, data: bytes, message: str) -> None:
    write_public_files(name, tmp_path)
    (tmp_path / name / file).write_bytes(data)
    assert message in load_error(name, tmp_path)


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_missing_file(tmp_path: Path, name: str) -> None:
    write_public_files(name, tmp_path)
    missing = tmp_path / list(FILES[name]())[-1]
    missing.unlink()
    assert load_error(name, tmp_path) == f"{missing}: no such file"


@pytest.mark.parametrize("module", [mmlu, openbookqa, socialiqa, winogrande])
def test_archives_have_every_file(tmp_path: Path, module: object) -> None:
    archive, name = module.ARCHIVE, str(module.__name__).rpartition(".")[2]  # type: ignore[attr-defined]
    assert set(archive.members.values()) == set(FILES[name]())
    assert len(archive.sha256) == 64
