"""UTF-8 with or without a mark, UTF-16 with one; anything else is named."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hansproof.types import Items

from ..support.cli_runner import expect_one_line_error, run_here

LINE = '{"question": "né?", "choices": ["ü", "y"], "answer": 0}\n'
TABLE = "question,A,B,answer\nné?,ü,y,A\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be+bom"])
@pytest.mark.parametrize(
    ("name", "text"), [("x.jsonl", LINE), ("x.json", f"[{LINE}]"), ("x.csv", TABLE)]
)
def test_read(reads: Callable[..., Items], encoding: str, name: str, text: str) -> None:
    if encoding == "utf-16-be+bom":
        data = codecs.BOM_UTF16_BE + text.encode("utf-16-be")
    else:
        data = text.encode(encoding)
    (item,) = reads(data, name)
    assert (item.fields, item.choices) == ({"question": "né?"}, ("ü", "y"))


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_mixed(fails: Callable[..., str], name: str) -> None:
    data = LINE.encode() + LINE.encode("latin-1")
    assert fails(data, name) == f"{name}: is not UTF-8 at byte 16 of line 2: save it as UTF-8"
    assert fails(LINE.replace("y", "é").encode("utf-8") + b'"\xc3\xa9\xff', name) == (
        f"{name}: is not UTF-8 at byte 4 of line 2: save it as UTF-8"
    )


@pytest.mark.parametrize("name", ["x.jsonl", "x.json"])
def test_broken_utf16(fails: Callable[..., str], name: str) -> None:
    assert "is not valid UTF-16" in fails(LINE.encode("utf-16") + b"\x00\xd8", name)
    assert "NUL" in fails("{\0}".encode("utf-16"))


def test_windows_line_ends(reads: Callable[..., Items]) -> None:
    assert len(reads(LINE.replace("\n", "\r\n") * 2)) == 2
    assert reads(TABLE.replace("\n", "\r\n"), "x.csv")[0].answer == 0


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.csv", "x.xml", "x.parquet"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    done = run_here("validate", name, cwd=tmp_path)
    assert expect_one_line_error(done) == (
        f"hansproof: {name}: is a pipe or a device: write it to a file first\n"
    )


def test_a_pipe_of_labels(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("question,A,B\nq,x,y\n")
    os.mkfifo(tmp_path / "labels.lst")
    done = run_here("validate", "x.csv", "--labels", "labels.lst", cwd=tmp_path)
    assert "labels.lst: is a pipe or a device" in expect_one_line_error(done)


def test_a_pipe_of_predictions(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.jsonl")
    args = ("run", "accuracy", "toy:original", "--predictions", "log.jsonl")
    done = run_here(*args, cwd=tmp_path)
    assert "log.jsonl: is a pipe or a device" in expect_one_line_error(done)
