"""Parquet: rows, in whatever groups, and columns that are no text."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from hansproof.corpus import CorpusSource, resolve_sources
from hansproof.corpus.shards import CorpusReader
from hansproof.errors import MissingExtra

from ...support.corpus_files import read, written

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

TEXTS = [f"row {at} Ünder" for at in range(1000)]


def made(path: Path, **columns: Any) -> CorpusSource:
    parquet.write_table(pyarrow.table(columns), path, row_group_size=300)
    (source,) = resolve_sources([str(path)])
    return source


def test_rows(tmp_path: Path) -> None:
    source = made(tmp_path / "a.parquet", id=[*range(1000)], text=TEXTS, raw=TEXTS[::-1])
    seen = read([source], stretch=10)
    assert seen.texts == {(0, at): text.encode() for at, text in enumerate(TEXTS, 1)}
    assert seen.numbered == [1000]
    assert read([source], CorpusReader("raw")).texts[0, 1] == TEXTS[-1].encode()


@pytest.mark.parametrize("kind", ["large_string", "string_view", "dictionary"])
def test_kinds_of_text(kind: str, tmp_path: Path) -> None:
    texts = pyarrow.array(["a", None, "b"])
    column = texts.dictionary_encode() if kind == "dictionary" else texts.cast(kind)
    seen = read([made(tmp_path / "a.parquet", text=column)])
    assert seen.texts == {(0, 1): b"a", (0, 3): b"b"}
    assert seen.problems == {"skipped rows whose column 'text' is not text": (2, 1, "rows")}


def test_no_text(tmp_path: Path) -> None:
    seen = read([made(tmp_path / "a.parquet", text=[1, 2, 3])])
    assert seen.texts == {}
    assert seen.problems == {"skipped rows whose column 'text' is not text": (1, 3, "rows")}
    seen = read([made(tmp_path / "b.parquet", body=["a", "b"])])
    assert seen.problems == {"has no column 'text'": (1, 2, "rows")}


def test_no_rows(tmp_path: Path) -> None:
    seen = read([made(tmp_path / "a.parquet", text=pyarrow.array([], "string"))])
    assert (seen.texts, seen.problems, seen.numbered) == ({}, {}, [0])


def test_damaged(tmp_path: Path) -> None:
    whole = Path(made(tmp_path / "a.parquet", text=TEXTS).address).read_bytes()
    seen = read([written(tmp_path / "b.parquet", whole[:-50])])
    assert seen.texts == {(0, 0): b""}
    assert seen.torn[0].startswith("cannot be read further: ")
    middle = len(whole) // 2
    seen = read(
        [written(tmp_path / "c.parquet", whole[:middle] + b"\xff" * 99 + whole[middle + 99 :])]
    )
    assert seen.torn or len(seen.texts) == 1000
    seen = read([written(tmp_path / "d.parquet", b"no such thing")])
    assert seen.torn


def test_changed(tmp_path: Path) -> None:
    source = made(tmp_path / "a.parquet", text=TEXTS)
    os.utime(source.address, ns=(1, 1))
    seen = read([source])
    assert len(seen.texts) == 1001
    assert seen.problems == {"changed while it was scanned": (None, None, "rows")}


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = made(tmp_path / "a.parquet", text=TEXTS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"hansproof\[parquet\]"):
        read([source])
