"""Zip archives: their texts, and what is wrong with some."""

from __future__ import annotations

import zipfile
from pathlib import Path

from hansproof.corpus import CorpusSource, resolve_sources

from ...support.corpus_files import read, written

LONG = b"some words " * 200_000  # more than one block


def archive(path: Path, **members: bytes) -> CorpusSource:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, raw in members.items():
            made.writestr(name, raw)
    (source,) = resolve_sources([str(path)])
    return source


def test_members_that_are_texts_are_documents(tmp_path: Path) -> None:
    names = ("x/one.txt", "x/two", "x/three.py", "x/", "x/.hidden", "../four.TXT")
    given = {
        name: b"" if name[-1] == "/" or name == "empty.txt" else name.encode() for name in names
    }
    source = archive(tmp_path / "a.zip", **given, empty=b"", long=LONG)
    seen = read([source])
    assert (source.kind, source.is_splittable()) == ("zip", False)
    documents = {1: b"x/one.txt", 2: b"x/two", 3: b"../four.TXT", 4: b"", 5: LONG}
    assert seen.texts == {(0, number): raw for number, raw in documents.items()}
    assert (seen.numbered, seen.torn, seen.problems) == ([5], [], {})
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_a_broken_member_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    archive(tmp_path / "a.zip", one=b"one", two=b"two " * 50, three=b"three")
    raw = bytearray((tmp_path / "a.zip").read_bytes())
    with zipfile.ZipFile(tmp_path / "a.zip") as made:
        info = made.getinfo("two")
    raw[info.header_offset + 30 + len("two") + 3] ^= 0xFF
    seen = read([written(tmp_path / "b.zip", bytes(raw))])
    assert (seen.texts[0, 1], seen.texts[0, 3]) == (b"one", b"three")
    ((what, (at, skipped, of)),) = seen.problems.items()
    assert what.startswith("members that cannot be read further: ")
    assert (at, skipped, of, seen.torn) == (2, 1, "members", [])


def test_what_is_no_archive_or_half_of_one_is_torn(tmp_path: Path) -> None:
    whole = Path(archive(tmp_path / "a.zip", one=b"one").address).read_bytes()
    for raw in (b"", b"no zip", whole[:-5]):
        (what,) = read([written(tmp_path / "b.zip", raw)]).torn
        assert what.startswith("cannot be read further: File is not a zip file")
    source = written(tmp_path / "c.zip", whole)
    Path(source.address).write_bytes(whole + b" ")
    assert read([source]).torn == ["changed while it was scanned"]
