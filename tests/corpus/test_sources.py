"""What names of a corpus mean."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hansproof.corpus import CorpusSource, resolve_sources
from hansproof.corpus.sources import has_changed, open_source
from hansproof.errors import BadInput, MissingExtra

from ..support.corpus_files import read, written

NAMES = {
    "a.txt": ("plain", ""), "README": ("plain", ""), "a.v2": ("plain", ""), "xaa": ("plain", ""),
    "a.jsonl": ("jsonl", ""), "a.NDJSON": ("jsonl", ""), "a.json.gz": ("jsonl", "gz"),
    "a.parquet": ("parquet", ""), "a.txt.zst": ("plain", "zst"), "a.XZ": ("plain", "xz"),
    "a.warc": ("warc", ""), "CC.warc.wet.gz": ("warc", "gz"), "a.bz2": ("plain", "bz2"),
    "a b.jsonl.zst": ("jsonl", "zst"),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_says_what_a_file_holds(name: str, tmp_path: Path) -> None:
    source = written(tmp_path / name, b"twelve bytes")
    assert (source.kind, source.compression) == NAMES[name]
    assert (source.address, source.size) == (str(tmp_path / name), 12)
    cut = source.kind in ("plain", "jsonl") and not source.compression
    assert source.is_splittable() == cut


@pytest.mark.parametrize(
    "name", ["a.tar", "a.tar.gz", "a.tgz", "a.7z", "a.parquet.zst", "a.zip.gz"]
)
def test_archives_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"unpack it first$"):
        written(tmp_path / name, b"")


def tree(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)


def listed(folder: Path, *names: str) -> list[str]:
    return [os.path.relpath(source.address, folder) for source in resolve_sources(names)]


def test_folders_and_wildcards(tmp_path: Path) -> None:
    tree(tmp_path, "b.txt", "a/c.jsonl", "a/d/e.txt", "z.txt", ".hidden", ".git/objects.txt")
    every = ["a/c.jsonl", "a/d/e.txt", "b.txt", "z.txt"]
    assert listed(tmp_path, str(tmp_path)) == every
    assert listed(tmp_path, f"{tmp_path}/**/*.txt") == ["a/d/e.txt", "b.txt", "z.txt"]
    assert listed(tmp_path, f"{tmp_path}/z.txt", f"{tmp_path}/?.txt") == ["z.txt", "b.txt"]


def test_each_once_whatever_it_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "a/b.txt", "c.txt")
    monkeypatch.chdir(tmp_path)
    names = ["c.txt", "./a", "a/b.txt", str(tmp_path / "c.txt"), "hf:some/thing", "hf:some/thing"]
    assert [source.address for source in resolve_sources(names)] == [
        "c.txt",
        "./a/b.txt",
        "hf:some/thing",
    ]


def test_links_are_followed_but_not_in_circles(tmp_path: Path) -> None:
    tree(tmp_path, "corpus/a.txt", "elsewhere/b.txt", "elsewhere/deep/c.txt")
    (tmp_path / "corpus" / "more").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "back").symlink_to(tmp_path / "corpus")
    (tmp_path / "corpus" / "gone.txt").symlink_to(tmp_path / "nowhere")
    assert listed(tmp_path / "corpus", str(tmp_path / "corpus")) == [
        "a.txt", "gone.txt", "more/b.txt", "more/deep/c.txt",
    ]  # fmt: skip


def test_nothing_there(tmp_path: Path) -> None:
    for name in ("none.txt", "none/*.txt"):
        with pytest.raises(BadInput, match="no such file"):
            resolve_sources([str(tmp_path / name)])
    with pytest.raises(BadInput, match="the folder is empty"):
        resolve_sources([str(tmp_path)])


def test_a_name_that_is_no_utf_8(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).write_bytes(b"a")
    with pytest.raises(BadInput, match=r"\\udcff.txt: has a name that is not UTF-8: rename it$"):
        resolve_sources([str(tmp_path)])


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (source,) = resolve_sources([str(tmp_path / "pipe")])
    assert (source.size, source.mtime_ns, source.is_splittable()) == (None, None, False)
    end = os.open(tmp_path / "pipe", os.O_RDWR | os.O_NONBLOCK)  # both ends, so none waits
    os.write(end, b"some text")
    with open_source(source) as raw:
        os.close(end)
        assert raw.read(100) == b"some text"


def test_what_was_changed(tmp_path: Path) -> None:
    source = written(tmp_path / "a.txt", b"a")
    assert not has_changed(source)
    os.utime(tmp_path / "a.txt", ns=(1, 1))
    assert has_changed(source)
    (tmp_path / "a.txt").unlink()
    assert not has_changed(source)  # it was open, and stayed what it was
    assert not has_changed(CorpusSource("memory://a.txt", "plain", size=1))


@pytest.fixture
def memory() -> Iterator[Any]:
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.pipe({"/m/a.txt": b"one two", "/m/b/c.jsonl": b'{"text": "three"}\n', "/m/d.txt": b""})
    yield system
    system.rm("/m", recursive=True)


def test_addresses(memory: Any) -> None:
    every = ["memory:///m/a.txt", "memory:///m/b/c.jsonl", "memory:///m/d.txt"]
    assert [one.address for one in resolve_sources(["memory://m"])] == every
    assert [one.address for one in resolve_sources(["memory://m/*.txt"])] == [every[0], every[2]]
    assert resolve_sources(["memory://m/a.txt"]) == [CorpusSource(every[0], "plain", size=7)]
    seen = read(resolve_sources(["memory://m"]))
    assert seen.texts == {(0, 0): b"one two", (1, 1): b"three"}
    assert read(resolve_sources(["memory://m/a.txt"]), stretch=3).plain() == b"one two"


def test_addresses_of_files(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    tree(tmp_path, "a b.txt", "c.txt")
    seen = read(resolve_sources([f"file://{tmp_path}"]))
    assert seen.texts == {(0, 0): b"a b.txt", (1, 0): b"c.txt"}
    assert not seen.problems


def test_addresses_that_lead_nowhere(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("memory://m/none.txt", "memory://none/*.txt"):
        with pytest.raises(BadInput, match="no such file"):
            resolve_sources([address])
    with pytest.raises(BadInput, match=r"^nonsense://a: .*"):
        resolve_sources(["nonsense://a"])
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingExtra, match=r"hansproof\[remote\]"):
        resolve_sources(["memory://m"])
