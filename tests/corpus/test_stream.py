"""Bytes come out as they went in, however they were packed, up to where a file is torn."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hansproof.corpus import CorpusSource, UnreadableSource, stream
from hansproof.corpus.stream import BLOCK_SIZE, SourceStream

from ..support.corpus_files import ANY, PACKS, packed, written

RNG = random.Random(0)
TEXT = " ".join(str(RNG.random()) for _ in range(29_000)).encode()  # two blocks
SKIPPED = struct.pack("<II", 0x184D2A50, 5) + b"notes"  # a frame of zstd that holds no text
HELD = {"gz": 20_000, "xz": 70_000, "zst": 150_000, "bz2": 910_000}  # back, until a block is whole
PADDING = {"gz": b"\0" * 512, "xz": b"\0" * 8, "zst": SKIPPED, "bz2": b""}


def unpacked(source: CorpusSource) -> tuple[bytes, UnreadableSource | None]:
    """What can be had, and why not more."""
    blocks: list[bytes] = []
    try:
        for block in SourceStream(source).read_blocks():
            assert 0 < len(block) <= BLOCK_SIZE
            blocks.append(block)
    except UnreadableSource as torn:
        return b"".join(blocks), torn
    return b"".join(blocks), None


@pytest.mark.parametrize("packing", ANY)
def test_whole(packing: str, tmp_path: Path) -> None:
    for size in (0, 1, BLOCK_SIZE, len(TEXT)):
        source = packed(tmp_path, "a.txt", TEXT[:size], packing)
        assert unpacked(source) == (TEXT[:size], None)
        reader = SourceStream(source)
        assert b"".join(reader.read_blocks()) == TEXT[:size]
        assert reader.bytes_read == source.size


@pytest.mark.parametrize("packing", PACKS)
def test_several_one_after_the_other_and_padding(packing: str, tmp_path: Path) -> None:
    pack, pad = PACKS[packing], PADDING[packing]
    cuts = [0, 1, 1, 5000, 5001, BLOCK_SIZE, len(TEXT)]
    members = [pack(TEXT[a:b]) for a, b in pairwise(cuts)]
    for between in (b"", pad):
        raw = between.join([*members, b""])
        assert unpacked(written(tmp_path / f"a.{packing}", raw)) == (TEXT, None)
    if packing == "zst":
        assert unpacked(written(tmp_path / "b.zst", SKIPPED + raw)) == (TEXT, None)


@pytest.mark.parametrize("packing", PACKS)
def test_members_end_at_any_byte_of_a_block(
    packing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = b"".join(PACKS[packing](b"%d " % at * (at % 9)) for at in range(60))
    for block in (1, 7, 64):
        monkeypatch.setattr(stream, "BLOCK_SIZE", block)
        found = b"".join(SourceStream(written(tmp_path / f"a.{packing}", raw)).read_blocks())
        assert found == b"".join(b"%d " % at * (at % 9) for at in range(60))


@pytest.mark.parametrize("packing", PACKS)
@pytest.mark.parametrize("left", [0.3, 0.9, -1])
def test_truncated(packing: str, left: float, tmp_path: Path) -> None:
    raw = PACKS[packing](TEXT)
    cut = raw[: int(len(raw) * left) if left > 0 else int(left)]
    found, torn = unpacked(written(tmp_path / f"a.{packing}", cut))
    assert torn is not None
    assert torn.issue.message == "cannot be read further: the compressed data is truncated"
    assert (torn.issue.position, torn.issue.skipped) == (len(found), None)
    assert TEXT.startswith(found)
    share = left if left > 0 else 1
    assert len(found) >= share * len(TEXT) - HELD[packing]


@pytest.mark.parametrize("packing", PACKS)
def test_damaged_in_the_middle(packing: str, tmp_path: Path) -> None:
    first, second = PACKS[packing](TEXT[:1000]), PACKS[packing](TEXT)
    broken = second[:4000] + bytes(range(256)) * 4 + second[5024:]
    found, torn = unpacked(written(tmp_path / f"a.{packing}", first + broken))
    assert torn is not None
    assert torn.issue.message.startswith("cannot be read further: ")
    assert "\n" not in torn.issue.message
    assert len(found) >= 1000
    # what is damaged may unpack to other text before it is noticed, but not be taken for whole
    assert found[:1000] == TEXT[:1000]


@pytest.mark.parametrize("packing", PACKS)
def test_no_such_thing_at_all(packing: str, tmp_path: Path) -> None:
    found, torn = unpacked(written(tmp_path / f"a.{packing}", b"this is plain text " * 9))
    assert (found, torn is not None) == (b"", True)
    whole = PACKS[packing](b"good")
    found, torn = unpacked(written(tmp_path / f"b.{packing}", whole + b"garbage behind"))
    assert (found, torn is not None) == (b"good", True)


def test_how_much_memory_it_may_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block = struct.pack("<I", 3 << 3 | 1)[:3] + b"abc"
    for power, good in ((27, True), (30, False)):
        frame = b"\x28\xb5\x2f\xfd\x00" + bytes([power - 10 << 3]) + block
        found, torn = unpacked(written(tmp_path / "a.zst", frame))
        assert (found == b"abc", torn is None) == (good, good)
    monkeypatch.setattr(stream, "MAX_MEMORY", 1 << 20)
    found, torn = unpacked(written(tmp_path / "a.xz", lzma.compress(TEXT)))
    assert (found, torn is not None) == (b"", True)


def test_much_out_of_little_comes_in_blocks(tmp_path: Path) -> None:
    size = 20 * BLOCK_SIZE + 1
    for name, pack in (("gz", gzip.compress), ("bz2", bz2.compress)):
        found, torn = unpacked(written(tmp_path / f"a.{name}", pack(bytes(size))))
        assert (len(found), torn) == (size, None)


class Trickle(io.BytesIO):
    """Gives a few bytes at a time, as a pipe does."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or 0, 1000))


def test_blocks_do_not_hang_on_how_bytes_arrive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path / "a.txt", TEXT)
    blocks = list(SourceStream(source).read_blocks())
    monkeypatch.setattr(stream, "open_source", lambda source: Trickle(TEXT))
    assert list(SourceStream(source).read_blocks()) == blocks


def test_from_a_byte_on(tmp_path: Path) -> None:
    source = written(tmp_path / "a.txt", TEXT)
    reader = SourceStream(source)
    assert b"".join(reader.read_blocks(start=12345)) == TEXT[12345:]
    assert reader.bytes_read == len(TEXT)


@pytest.mark.parametrize("packing", ANY)
def test_shorter_than_it_was(packing: str, tmp_path: Path) -> None:
    raw = ANY[packing](TEXT[:1000])
    path = tmp_path / f"a.{packing or 'txt'}"
    source = written(path, raw + ANY[packing](TEXT[1000:2000]))
    os.truncate(path, len(raw))
    found, torn = unpacked(source)
    assert found == TEXT[:1000]
    assert torn is not None
    assert torn.issue.message == "is shorter than when the scan began"
    assert torn.issue.position == 1000
    assert torn.issue.skipped == (None if packing else 1000)


@pytest.mark.parametrize("packing", ANY)
def test_longer_than_it_was_or_another(packing: str, tmp_path: Path) -> None:
    source = packed(tmp_path, "a.txt", TEXT, packing)
    with open(source.address, "ab") as file:
        file.write(b"more")
    found, torn = unpacked(source)
    assert found == TEXT  # up to where it was
    assert torn is not None
    assert (torn.issue.message, torn.issue.position) == ("changed while it was scanned", None)


def test_a_disk_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() >= BLOCK_SIZE:
                raise OSError(5, "Input/output error")
            return super().read(size)

    def opened(source: CorpusSource) -> Any:
        return Failing(TEXT)

    source = written(tmp_path / "a.txt", TEXT)
    monkeypatch.setattr(stream, "open_source", opened)
    found, torn = unpacked(source)
    assert found == TEXT[:BLOCK_SIZE]
    assert torn is not None
    assert torn.issue.message == "cannot be read further: Input/output error"


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "folder.txt").mkdir()
    for name in ("none.txt", "folder.txt"):
        found, torn = unpacked(CorpusSource(str(tmp_path / name), "plain"))
        assert found == b""
        assert torn is not None
        assert (torn.issue.position, torn.issue.text_lost) == (0, True)
