"""The text of a corpus as pieces, however it is stored and cut."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.corpus import CorpusSource, ReadIssue, resolve_sources, text_stream
from hansproof.corpus.text_stream import DOCUMENT_BREAK, cut_at_words, decode_blocks
from hansproof.errors import BadInput
from hansproof.text.tokenizers import WORD

from ..support.corpus_files import ANY, packed

TEXT = "The rain fell.\n\nIt was wet \u00e9t\u00e9 because the rain fell, and wet it stayed."


def complain(source: CorpusSource, problem: ReadIssue) -> None:
    raise AssertionError(problem)


def read(*paths: Path) -> str:
    return "".join(
        piece for piece, _ in text_stream.read_text(resolve_sources(map(str, paths)), complain)
    )


def cut(text: str, block: int) -> list[str]:
    raw = text.encode()
    blocks = ((raw[at : at + block], at) for at in range(0, len(raw), block))
    return [piece for piece, _ in cut_at_words(decode_blocks(blocks))]


@given(st.text(st.sampled_from("ab \n\u00e9\u4e2d.")), st.integers(1, 9))
def test_pieces_begin_where_words_do(text: str, block: int) -> None:
    made = cut(text, block)
    assert "".join(made) == text + DOCUMENT_BREAK
    assert [word for piece in made for word in piece.split()] == text.split()


@pytest.mark.parametrize("packing", ANY)
def test_packed_files_read_as_plain_ones(tmp_path: Path, packing: str) -> None:
    source = packed(tmp_path, "a.txt", TEXT.encode(), packing)
    assert read(Path(source.address)) == TEXT + DOCUMENT_BREAK


def test_a_folder_reads_as_its_files(tmp_path: Path) -> None:
    for name in ("a.txt", "b", "c.txt.gz"):
        raw = TEXT.encode()
        (tmp_path / name).write_bytes(gzip.compress(raw) if name.endswith("gz") else raw)
    assert read(tmp_path) == (TEXT + DOCUMENT_BREAK) * 3
    assert read(tmp_path / "*.txt*", tmp_path / "a.txt") == (TEXT + DOCUMENT_BREAK) * 2


def test_lines_of_json_are_documents(tmp_path: Path) -> None:
    lines = [json.dumps({"text": text}) for text in ("one", "two/x three", "")]
    (tmp_path / "a.jsonl").write_text("\n".join([*lines, "no JSON"]))
    told: list[tuple[str, int | None]] = []
    sources = resolve_sources([str(tmp_path)])
    made = text_stream.read_text(
        sources, lambda source, problem: told.append((problem.message, problem.position))
    )
    assert "".join(piece for piece, _ in made).split(DOCUMENT_BREAK)[:2] == ["one", "two/x three"]
    assert told == [("skipped lines that are not JSON", 4)]


def test_a_zip_reads_as_its_texts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x/one.txt", "one")
        archive.writestr("../two", "two")
    assert read(tmp_path / "a.zip") == f"one{DOCUMENT_BREAK}two{DOCUMENT_BREAK}"


def test_the_bytes_read_grow_up_to_the_size_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT * 50_000)
    (tmp_path / "b.gz").write_bytes(gzip.compress(TEXT.encode() * 50))
    sources = resolve_sources([str(tmp_path)])
    done = [at for _, at in text_stream.read_text(sources, complain)]
    assert len(done) > 5
    assert done == sorted(done)
    assert done[-1] == sum(source.size or 0 for source in sources)


def test_tags_are_dropped_where_every_word_has_one(tmp_path: Path) -> None:
    tagged = "\n\n\tThe/at either/or/cc 1/2/cd jury/nn said/vbd ``/`` ./.\n" * 5
    plain = "He and/or she came on 1/2 and left.\n" * 5
    (tmp_path / "tagged").write_text(tagged)
    (tmp_path / "plain").write_text(plain)
    told = read(tmp_path / "tagged")
    assert WORD.findall(told)[:6] == ["The", "either", "or", "1", "2", "jury"]
    assert read(tmp_path / "plain") == plain + DOCUMENT_BREAK
    for block in (1, 7, 100):
        made = text_stream.strip_tags((piece, 0) for piece in cut(tagged, block))
        assert "".join(piece for piece, _ in made) == told


def test_bytes_that_are_no_utf_8_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9 au lait \xff\xfe\x00 end")
    assert WORD.findall(read(tmp_path / "a.txt")) == ["caf", "au", "lait", "end"]


def test_a_word_without_end_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_stream, "_MAX_WORD", 50)
    assert max(map(len, cut("x" * 10_000, 10))) < 80
    assert "".join(cut(" " * 10_000, 10)) == " " * 10_000 + DOCUMENT_BREAK


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.gz", b"no gzip"), ("a.bz2", b"BZh9no"), ("a.xz", b"no xz"), ("a.zip", b"PK no zip"),
     ("b.gz", gzip.compress(TEXT.encode() * 9, mtime=0)[:-20])],
    ids=["gzip", "bz2", "xz", "zip", "cut short"],
)  # fmt: skip
def test_what_cannot_be_unpacked_is_one_line(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match=rf"{name}: cannot be read further: \S"):
        read(tmp_path / name)
