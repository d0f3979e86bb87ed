"""No command overwrites its input, or a file that may contain somebody's work."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from hansproof.cli._outputs import HEAD_MARKS, HEAD_SIZE

from ..support.cli_runner import CompletedCommand, expect_one_line_error, run_here
from ..support.markers import needs_data

WORDS = ("rain", "sun", "tree", "stone", "river", "cloud", "leaf", "sand")
VECTORS = "".join(f"{word} {number}.0 1.0\n" for number, word in enumerate(WORDS))
OTHER_NAME = "choose another name, or replace it with --force"

Run = Callable[..., CompletedCommand]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {
            "id": str(number),
            "question": f"{WORDS[number % 8]} and {WORDS[number % 5]}?",
            "choices": [f"the {WORDS[number % 3]}", f"a {WORDS[number % 7]} it is"],
            "answer": number * 7 % 3 % 2,
        }
        for number in range(24)
    ]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "vectors.txt").write_text(VECTORS)
    (tmp_path / "corpus.txt").write_text(" ".join(WORDS) + "\n")
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Run:
    return lambda *args: run_here(*args, cwd=folder)


def expect_success(done: CompletedCommand) -> CompletedCommand:
    assert done.returncode in (0, 1), done.stderr  # 1: a gate that did not pass
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.parametrize(
    "args",
    [
        ("audit", "items.jsonl", "--items", "items.jsonl"),
        ("index", "items.jsonl", "-o", "items.jsonl"),
        ("worksheet", "mirror", "items.jsonl", "-o", "items.jsonl"),
        ("gate", "items.jsonl", "--junit", "items.jsonl"),
        ("run", "cues", "items.jsonl", "--all", "items.jsonl"),
        ("index", "items.jsonl", "-o", "soft.npz"),
        ("index", "items.jsonl:all", "-o", "soft.npz"),
        ("audit", "items.jsonl", "--items", "hard.csv"),
        ("count", "corpus.txt", "-o", "corpus.txt"),
        ("count", "*.txt", "-o", "corpus.txt"),
        ("vectors", "pick", "vectors.txt", "vectors.npz", "toy"),
        ("reproduce", "items.jsonl", "-o", "items.jsonl"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_an_input_is_never_overwritten(
    args: tuple[str, ...], force: tuple[str, ...], folder: Path, run: Run
) -> None:
    (folder / "soft.npz").symlink_to("items.jsonl")
    (folder / "hard.csv").hardlink_to(folder / "items.jsonl")
    (folder / "vectors.npz").hardlink_to(folder / "vectors.txt")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    message = expect_one_line_error(run(*args, *force))
    assert message.endswith("is an input of this command: choose another output\n")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_an_edit_does_not_overwrite_its_input(
    force: tuple[str, ...], folder: Path, run: Run
) -> None:
    expect_success(run("edit", "permute", "items.jsonl", "-o", "sub"))
    before = (folder / "sub/all.jsonl").read_bytes()
    for bench, output in (("sub", "sub"), ("sub", "sub/"), ("sub/all.jsonl", "sub")):
        done = run("edit", "permute", bench, "-o", output, "--seed", "5", *force)
        assert "is an input of this command" in expect_one_line_error(done)
    assert (folder / "sub/all.jsonl").read_bytes() == before


def test_a_named_benchmark_is_not_a_folder_of_its_name(run: Run) -> None:
    for _ in range(2):
        expect_success(run("edit", "permute", "toy:original", "-o", "toy"))


def test_a_filled_in_worksheet_is_kept(folder: Path, run: Run) -> None:
    command = ("worksheet", "mirror", "items.jsonl", "-o", "sheet.csv")
    expect_success(run(*command))
    expect_success(run(*command))  # nobody has written into it yet
    sheet = folder / "sheet.csv"
    empty = sheet.read_bytes()
    filled = empty.replace(b",\r\n", b",written by hand\r\n")
    assert filled != empty
    sheet.write_bytes(filled)
    message = expect_one_line_error(run(*command))
    assert message == f"hansproof: sheet.csv: exists and may have been edited: {OTHER_NAME}\n"
    both = ("worksheet", "mirror", "items.jsonl", "--sheet", "sheet.csv", "-o", "sheet.csv")
    assert "is an input" in expect_one_line_error(run(*both, "--force"))
    assert sheet.read_bytes() == filled
    expect_success(run(*command, "--force"))
    assert sheet.read_bytes() == empty


EDITABLE = {
    "all.jsonl": ("edit", "permute", "items.jsonl", "-o", "."),
    "sheet.csv": ("worksheet", "mirror", "items.jsonl", "-o", "sheet.csv"),
    "flags.csv": ("audit", "items.jsonl", "--items", "flags.csv"),
    "card.md": ("card", "old/audit.json", "-o", "card.md"),
    "changes.csv": ("diff", "old/audit.json", "old/audit.json", "--items", "changes.csv"),
    "clean.txt": ("levels", "items.jsonl", "--scans", "old/found.json", "-o", "."),
}


@pytest.mark.parametrize("name", EDITABLE)
def test_a_file_that_people_edit_is_replaced_only_by_force(
    name: str, folder: Path, run: Run
) -> None:
    expect_success(run("audit", "items.jsonl", "-o", "old"))
    expect_success(run("index", "items.jsonl", "-o", "old/index.npz"))
    expect_success(run("scan", "old/index.npz", "corpus.txt", "-o", "old/found.json"))
    command = list(EDITABLE[name])
    if name == "all.jsonl":  # a folder with other items is refused, too
        command[-1] = "new"
    path = folder / ("new/all.jsonl" if name == "all.jsonl" else name)
    path.parent.mkdir(exist_ok=True)
    path.write_text("my notes\n")
    names = sorted(folder.rglob("*"))
    message = expect_one_line_error(run(*command))
    assert f"exists and may have been edited: {OTHER_NAME}" in message
    assert path.read_text() == "my notes\n"
    assert sorted(folder.rglob("*")) == names
    expect_success(run(*command, "--force"))
    assert path.read_text() != "my notes\n"


GENERATED = {
    "audit/audit.json": ("audit", "items.jsonl"),
    "audit/report.html": ("audit", "items.jsonl"),
    "gate.xml": ("gate", "items.jsonl", "--junit", "gate.xml"),
    "page.html": ("report", "old/audit.json", "-o", "page.html"),
    "index.npz": ("index", "items.jsonl", "-o", "index.npz"),
    "found.json": ("scan", "old/index.npz", "corpus.txt", "-o", "found.json"),
    "counts.npz": ("count", "corpus.txt", "-o", "counts.npz", "--least", "1"),
    "cues.parquet": ("run", "cues", "items.jsonl", "--all", "cues.parquet"),
    "words.npz": ("vectors", "pick", "vectors.txt", "words.npz", "items.jsonl"),
    "words.safetensors": ("vectors", "pick", "vectors.txt", "words.safetensors", "items.jsonl"),
    "paper.html": ("reproduce", "kavumba2019", "--table", "1", "-o", "paper.html"),
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=needs_data if name == "paper.html" else ()) for name in GENERATED],
)
def test_a_generated_file_is_replaced_if_hansproof_wrote_it(
    name: str, folder: Path, run: Run
) -> None:
    expect_success(run("audit", "items.jsonl", "-o", "old"))
    expect_success(run("index", "items.jsonl", "-o", "old/index.npz"))
    command, path = GENERATED[name], folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("my notes\n")
    message = expect_one_line_error(run(*command))
    assert message == f"hansproof: {name}: exists and was not written by hansproof: {OTHER_NAME}\n"
    assert path.read_text() == "my notes\n"
    expect_success(run(*command, "--force"))
    first = path.stat()
    expect_success(run(*command))
    assert path.stat().st_ino != first.st_ino  # replaced


def test_an_empty_file_is_replaced(folder: Path, run: Run) -> None:
    (folder / "index.npz").touch()  # as `mktemp` does
    expect_success(run("index", "items.jsonl", "-o", "index.npz"))
    (folder / "sheet.csv").touch()
    expect_success(run("worksheet", "mirror", "items.jsonl", "-o", "sheet.csv"))
    assert (folder / "sheet.csv").stat().st_size > 0


def test_a_result_may_lie_in_the_folder_that_is_read(folder: Path, run: Run) -> None:
    expect_success(run("index", "items.jsonl", "-o", "index.npz"))
    (folder / "texts").mkdir()
    (folder / "texts/a.txt").write_text("rain and sun\n")
    for _ in range(2):
        expect_success(run("scan", "index.npz", "texts", "-o", "texts/found.json"))
    done = run("scan", "index.npz", "texts", "-o", "texts/a.txt", "--force")
    assert "texts/a.txt: is an input" in expect_one_line_error(done)
    assert (folder / "texts/a.txt").read_text() == "rain and sun\n"


@pytest.mark.parametrize("path", ["/dev/null", "/dev/stdout", "pipe"])
def test_what_is_not_a_regular_file_is_not_replaced(path: str, folder: Path, run: Run) -> None:
    os.mkfifo(folder / "pipe")
    done = run("index", "items.jsonl", "-o", path, "--force")
    assert f"{path}: cannot be written: it is not a regular file" in expect_one_line_error(done)
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(
    "content",
    [
        b'{"schema": 3, "version": "1", "benchmark": "mine"}',  # formatted by a person
        b'{"question": "hansproof", "choices": ["a", "b"], "answer": 0}\n',
        b"<!doctype html><title>hansproof</title>",
        b"PK\x03\x04" + bytes(26) + b"words.npy" + bytes(100),
    ],
)
def test_files_of_people_have_no_mark(content: bytes) -> None:
    assert not re.match(HEAD_MARKS, content[:HEAD_SIZE])


def test_forced_conversion_keeps_the_log(folder: Path, run: Run) -> None:
    expect_success(
        run("predict", "items.jsonl", "--model", "bow", "--seeds", "1", "--views", "full")
    )
    (record,) = folder.glob("store/*.jsonl")
    convert = ("convert", str(record), "--bench", "items.jsonl", "-o", "runs")
    expect_success(run(*convert))
    (converted,) = folder.glob("runs/*.jsonl")
    content = converted.read_bytes()
    converted.write_text("my notes\n")
    assert "another run" in expect_one_line_error(run(*convert))
    expect_success(run(*convert, "--force"))
    assert converted.read_bytes() == content
