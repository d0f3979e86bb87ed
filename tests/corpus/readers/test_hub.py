"""Data sets of the hub, from a folder: the network is not needed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hansproof.corpus import resolve_sources
from hansproof.corpus.shards import CorpusReader
from hansproof.errors import BadInput, MissingExtra

from ...support.corpus_files import read

pytest.importorskip("datasets")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set").mkdir()
    return tmp_path / "set"


def test_json_lines(folder: Path) -> None:
    lines = ['{"text": "one", "id": 1}', '{"text": null, "id": 2}', '{"text": "three", "id": 3}']
    (folder / "train.jsonl").write_text("\n".join(lines))
    (folder / "test.jsonl").write_text('{"text": "other", "id": 4}\n')
    (source,) = resolve_sources(["hf:./set"])
    assert (source.kind, source.size) == ("hub", None)
    seen = read([source])
    assert seen.texts == {(0, 1): b"one", (0, 3): b"three"}
    assert seen.problems == {"skipped rows whose field 'text' is not text": (2, 1, "rows")}
    assert seen.numbered == [3]
    assert read(resolve_sources(["hf:./set:test"])).texts == {(0, 1): b"other"}
    assert read(resolve_sources([f"hf:{folder}"]), CorpusReader("id")).problems == {
        "skipped rows whose field 'id' is not text": (1, 3, "rows")
    }


def test_parquet(folder: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"text": ["é", "b"]}), folder / "train.parquet")
    assert read(resolve_sources(["hf:./set"])).texts == {(0, 1): "é".encode(), (0, 2): b"b"}


def test_what_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "train.jsonl").write_text('{"text": "one"}\n')
    seen = read(resolve_sources(["hf:./set:dev"]))
    assert seen.texts == {(0, 0): b""}
    assert seen.torn[0].startswith("cannot be read further: ")
    with pytest.raises(BadInput, match=r"^hf:./none: no such folder$"):
        read(resolve_sources(["hf:./none"]))
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingExtra, match=r"hansproof\[hub\]"):
        read(resolve_sources(["hf:./set"]))
