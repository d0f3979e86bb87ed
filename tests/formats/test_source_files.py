"""Web addresses, wildcards and names of benchmarks; parts that are divided by column or folder."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hansproof
from hansproof.errors import BadInput, HansproofError
from hansproof.formats import ColumnMapping, read_benchmark
from hansproof.formats._source_files import name_benchmark

TABLE = "Question,A,B,Answer,Topic\nWhat is red?,blood,milk,A,x\nWhat is white?,blood,milk,B,y\n"

Write = Callable[[str, object], str]


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server for the files of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    handler = functools.partial(QuietHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_file_on_the_web(write: Write, address: str) -> None:
    write("quiz.csv", TABLE)
    benchmark = hansproof.load(f"{address}/quiz.csv")
    assert benchmark.name == "quiz"
    assert [(item.answer, item.file, item.line) for item in benchmark.splits["all"]] == [
        (0, "quiz.csv", 2),
        (1, "quiz.csv", 3),
    ]
    write("quiz.csv", TABLE.replace(",A,x", ",B,x"))  # it is fetched again every time
    changed = hansproof.load(f"{address}/quiz.csv:all")
    assert [item.answer for item in changed.splits["all"]] == [1, 1]


@pytest.mark.parametrize("path", ["none.csv", "", "..", "%2e%2e", "a%00b.csv"])
def test_addresses_that_are_no_file(write: Write, address: str, path: str) -> None:
    with pytest.raises(HansproofError) as caught:
        hansproof.load(f"{address}/{path}")
    assert "\n" not in str(caught.value)


def test_only_https_is_fetched_from_elsewhere() -> None:
    with pytest.raises(HansproofError, match="only https addresses can be downloaded"):
        hansproof.load("http://example.org/quiz.csv")


def test_names(write: Write, tmp_path: Path) -> None:
    (tmp_path / "exam").mkdir()
    path = write("exam/test.csv", TABLE)
    assert read_benchmark(path).name == "exam"  # not test:test
    assert read_benchmark(str(tmp_path / "exam")).name == "exam"
    assert read_benchmark(str(tmp_path / "exam" / "*.csv")).name == "exam"
    assert read_benchmark(path, ColumnMapping(name="Spring 2026")).name == "Spring 2026"


def test_files_that_differ_in_their_split_share_a_name() -> None:
    assert name_benchmark(["data/my_quiz_train.csv", "data/my_quiz_test.csv"]) == "my_quiz"
    assert name_benchmark(["data/quiz-dev.csv", "data/quiz.test.csv"]) == "quiz"
    assert name_benchmark(["data/a_train.csv", "data/b_test.csv"]) == "data"
    assert name_benchmark(["data/train.csv", "data/test.csv"]) == "data"
    assert name_benchmark(["data/quiz_1.csv", "data/quiz_2.csv"]) == "data"
    assert name_benchmark(["data/quiz_train.csv"]) == "quiz_train"


def test_splits_by_column_and_folder(write: Write, tmp_path: Path) -> None:
    path = write("quiz.csv", TABLE)
    by_topic = read_benchmark(path, ColumnMapping(split_by="Topic"))
    assert {split: len(items) for split, items in by_topic.splits.items()} == {"x": 1, "y": 1}
    with pytest.raises(BadInput, match=r"quiz.csv:2: Subject: missing column \(--split-by\)"):
        read_benchmark(path, ColumnMapping(split_by="Subject"))
    for folder in ("north", "south"):
        (tmp_path / "world" / folder).mkdir(parents=True)
        write(f"world/{folder}/quiz.csv", TABLE)
    world = read_benchmark(str(tmp_path / "world"), ColumnMapping(split_by="folder"))
    assert list(world.splits) == ["north", "south"]
    assert len({item.id for items in world.splits.values() for item in items}) == 4


def test_a_column_that_names_the_usual_splits(write: Write) -> None:
    path = write(
        "quiz.csv", TABLE.replace("Topic", "Split").replace(",x", ",train").replace(",y", ",Test")
    )
    benchmark = read_benchmark(path)
    assert list(benchmark.splits) == ["train", "test"]
    assert benchmark.roles == {"train": "train", "test": "test"}


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"\*\.csv: no file matches"):
        hansproof.load(str(tmp_path / "*.csv"))
    with pytest.raises(BadInput, match="copa: several benchmarks are given"):
        hansproof.load(["copa", "piqa"])
    with pytest.raises(BadInput, match=r"none\.csv: no such file"):
        hansproof.load([str(tmp_path / "none.csv")])
    with pytest.raises(BadInput, match="a row is int, not a dict"):
        hansproof.load(row for row in (1, 2))
