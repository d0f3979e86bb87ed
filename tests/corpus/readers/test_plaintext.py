"""Plain text by parts: together they are the whole, and neighbours agree on where they meet."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.corpus import CorpusSource, TextChunk, stream
from hansproof.corpus.readers import plaintext
from hansproof.corpus.shards import CorpusReader

from ...support.corpus_files import ANY, packed, read, written

words = st.text(st.sampled_from("abä猫.'\u3000"), min_size=1, max_size=12)
blanks = st.sampled_from([" ", "\n", "  ", "\r\n", "\t\x1c", ""])
texts = st.lists(st.tuples(words, blanks), max_size=12).map(
    lambda pairs: "".join(word + blank for word, blank in pairs).encode()
)


@pytest.mark.parametrize("packing", ANY)
def test_a_file_is_a_document(packing: str, tmp_path: Path) -> None:
    text = "Ünder the bridge.\r\n\r\nNo end".encode()
    assert read([packed(tmp_path, "a.txt", text, packing)]).texts == {(0, 0): text}


def test_an_empty_file_is_none(tmp_path: Path) -> None:
    seen = read([written(tmp_path / "a.txt", b"")])
    assert (seen.texts, seen.problems) == ({}, {})


@settings(max_examples=60)
@given(text=texts, stretch=st.integers(1, 40))
def test_parts_are_the_whole(
    text: bytes, stretch: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = written(tmp_path_factory.mktemp("a") / "a.txt", text)
    seen = read([source], stretch=stretch)
    assert seen.plain() == text
    assert not seen.problems


@pytest.mark.parametrize("block", [1, 3, 16])
def test_blocks_change_nothing(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BLOCK_SIZE", block)
    monkeypatch.setattr(plaintext, "CONTEXT", 4)
    rng = random.Random(block)
    text = "".join(rng.choice(["one ", "seven\n", "x" * 30, " "]) for _ in range(60)).encode()
    source = written(tmp_path / "a.txt", text)
    for stretch in (1, 2, 5, 17, 64, 10_000):
        assert read([source], stretch=stretch).plain() == text


@settings(max_examples=60)
@given(pieces=st.lists(texts, min_size=1, max_size=5), stretch=st.integers(1, 40))
def test_files_that_continue_each_other(
    pieces: list[bytes], stretch: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("a")
    sources = [written(folder / f"x{at}", text) for at, text in enumerate(pieces)]
    seen = read(sources, CorpusReader(continued=True), stretch)
    assert b"".join(seen.plain(at) for at in range(len(pieces))) == b"".join(pieces)


def test_packed_files_that_continue_each_other(tmp_path: Path) -> None:
    pieces = [b"one tw", b"o", b"", b"three fo", b"ur"]
    sources = [
        packed(tmp_path, f"x{at}", text, packing)
        for at, (text, packing) in enumerate(zip(pieces, ANY, strict=True))
    ]
    seen = read(sources, CorpusReader(continued=True))
    assert [seen.plain(at) for at in range(5)] == [b"one twothree ", b"", b"", b"four", b""]
    apart = read(sources)
    assert [apart.plain(at) for at in range(5)] == pieces


def test_other_kinds_do_not_continue_it(tmp_path: Path) -> None:
    sources = [
        written(tmp_path / "a.txt", b"one tw"),
        written(tmp_path / "b.jsonl", b'{"text": "else"}\n'),
        written(tmp_path / "c.txt", b"o three"),
    ]
    seen = read(sources, CorpusReader(continued=True))
    assert seen.texts == {(0, 0): b"one tw", (1, 1): b"else", (2, 0): b"o three"}


def test_one_that_is_gone_is_said_once(tmp_path: Path) -> None:
    sources = [
        written(tmp_path / "a.txt", b"one two"),
        CorpusSource(str(tmp_path / "gone.txt"), "plain"),
        written(tmp_path / "c.txt", b"three four"),
    ]
    seen = read(sources, CorpusReader(continued=True), stretch=3)
    assert seen.plain(0) == b"one two"
    assert seen.torn == ["cannot be read further: No such file or directory"]


def test_what_is_before_and_behind_a_part_is_there(tmp_path: Path) -> None:
    text = b"".join(b"%06d " % at for at in range(2000))
    source = written(tmp_path / "a.txt", text)
    reading = CorpusReader()
    for part in reading.plan_shards([source], max_size=5000)[1:-1]:
        pieces = list(reading.read_shard([source], part, lambda raw: len(raw) > 100))
        texts = [piece for piece in pieces if isinstance(piece, TextChunk)]
        raw, offset = b"".join(piece.data for piece in texts), texts[0].offset
        assert text[offset : offset + len(raw)] == raw
        begin, until = texts[0].ngrams_from, texts[-1].ngrams_until
        assert begin is not None
        assert until is not None
        assert begin - offset >= plaintext.CONTEXT
        assert offset + len(raw) - until > 100
        assert offset + len(raw) - until <= plaintext.CONTEXT  # and no more than is needed
