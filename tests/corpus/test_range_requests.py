"""Corpora behind http, from real servers: one that gives parts of files, one that does not."""

from __future__ import annotations

import builtins
import gzip
import http.server
import os
import re
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from hansproof.corpus import CorpusSource, resolve_sources
from hansproof.errors import BadInput, MissingExtra

from ..support.corpus_files import read

TEXT = b"some words that go on " * 1000
LINES = b'{"text": "one"}\n{"text": "two"}\n'


class Whole(http.server.SimpleHTTPRequestHandler):
    """Gives all of a file, whatever it is asked for."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


class Parts(Whole):
    """Gives the part of a file that it is asked for."""

    def do_GET(self) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        path = self.translate_path(self.path)
        if asked is None or not os.path.isfile(path):
            return super().do_GET()
        raw = Path(path).read_bytes()
        start, end = int(asked[1]), min(int(asked[2]), len(raw) - 1)
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {start}-{end}/{len(raw)}")
        self.send_header("Content-Length", str(end - start + 1))
        self.end_headers()
        self.wfile.write(raw[start : end + 1])
        return None


@contextmanager
def serving(handler: type[Whole], folder: Path) -> Iterator[str]:
    made = partial(handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), made) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_bytes(TEXT)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(LINES))
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "page").write_bytes(b"<a href='a.txt'>text, too</a>")
    return tmp_path


@pytest.mark.parametrize("handler", [Whole, Parts])
def test_files_of_a_server(handler: type[Whole], folder: Path) -> None:
    with serving(handler, folder) as home:
        names = ["a.txt", "b.jsonl.gz?key=1", "empty.txt", "page"]
        sources = resolve_sources([f"{home}/{name}" for name in names])
        assert [(one.kind, one.compression) for one in sources[:2]] == [
            ("plain", ""),
            ("jsonl", "gz"),
        ]
        seen = read(sources, stretch=700)
        assert not seen.torn
        assert seen.plain(0) == TEXT
        assert (seen.texts[1, 1], seen.texts[1, 2]) == (b"one", b"two")
        assert seen.plain(2) == b""
        assert seen.plain(3).startswith(b"<a href")
        listed = [one.address.removeprefix(home) for one in resolve_sources([f"{home}/"])]
        assert listed == ["/a.txt", "/b.jsonl.gz", "/empty.txt", "/page"]


def test_a_file_is_parted_only_where_the_server_gives_parts(folder: Path) -> None:
    with serving(Parts, folder) as home:
        assert resolve_sources([f"{home}/a.txt"]) == [
            CorpusSource(f"{home}/a.txt", "plain", size=len(TEXT))
        ]
    with serving(Whole, folder) as home:
        (source,) = resolve_sources([f"{home}/a.txt"])
        assert (source.size, source.is_splittable()) == (None, False)


@pytest.mark.parametrize("name", ["a.parquet", "a.zip"])
def test_what_is_read_from_its_end_needs_parts(name: str, folder: Path) -> None:
    if name == "a.zip":
        with zipfile.ZipFile(folder / name, "w") as archive:
            archive.writestr("one", TEXT)
    else:
        parquet.write_table(pyarrow.table({"text": [TEXT.decode()]}), folder / name)
    with serving(Parts, folder) as home:
        assert read(resolve_sources([f"{home}/{name}"])).texts[0, 1] == TEXT
    with serving(Whole, folder) as home:
        (what,) = read(resolve_sources([f"{home}/{name}"])).torn
        assert what.startswith("cannot be read further: ")


def test_what_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(Whole, folder) as home:
        with pytest.raises(BadInput, match=r"nowhere\.txt: no such file"):
            resolve_sources([f"{home}/nowhere.txt"])
        sources = resolve_sources([f"{home}/a.txt"])
        (folder / "a.txt").unlink()
        assert read(sources).torn == ["cannot be read further: " + f"{home}/a.txt"]
    with pytest.raises(BadInput):
        resolve_sources([f"{home}/a.txt"])
    really = builtins.__import__

    def without(name: str, *given: Any) -> Any:
        if name == "aiohttp":
            raise ImportError(name)
        return really(name, *given)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match="remote"):
        resolve_sources([f"{home}/a.txt"])


class Breaking(Whole):
    """Says that there is more than it gives."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(2 * len(TEXT)))
        self.end_headers()
        self.wfile.write(TEXT)
        self.close_connection = True


class Silent(Whole):
    """Hangs up."""

    def do_HEAD(self) -> None:
        self.close_connection = True

    def do_GET(self) -> None:
        self.close_connection = True


def test_a_connection_that_breaks_is_told(folder: Path) -> None:
    with serving(Breaking, folder) as home:
        seen = read(resolve_sources([f"{home}/a.txt"]))
        (what,) = seen.torn
        assert what.startswith("cannot be read further: ")
        assert TEXT.startswith(seen.plain())
    with serving(Silent, folder) as home, pytest.raises(BadInput, match=r"a\.txt: \S"):
        resolve_sources([f"{home}/a.txt"])
