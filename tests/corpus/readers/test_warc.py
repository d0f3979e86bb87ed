"""Web archives: records of text are documents, others are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.corpus import stream
from hansproof.corpus.readers import warc

from ...support.corpus_files import ANY, PACKS, packed, read, written


def record(kind: str, body: bytes, of: str | None = "text/plain", *more: str) -> bytes:
    lines = ["WARC/1.0", f"WARC-Type: {kind}", *more, f"Content-Length: {len(body)}"]
    if of is not None:
        lines.insert(2, f"Content-Type: {of}")
    return "\r\n".join([*lines, "", ""]).encode() + body + b"\r\n\r\n"


TRICKY = b"\r\n\r\nWARC/1.0\r\n\r\n Text that looks like a head \xc3\xbc\r\n"
RECORDS = [
    record("warcinfo", b"software: x", "application/warc-fields"),
    record("conversion", b"one two three", "text/plain", "WARC-Target-URI: http://a: b"),
    record("request", b"GET /", "application/http"),
    record("response", b"HTTP/1.1 200\r\n\r\n<p>page", "application/http; msgtype=response"),
    record("Conversion", TRICKY, "text/plain; charset=utf-8"),
    record("resource", b"<p>", "text/html"),
    record("conversion", b"", None),
    record("metadata", b"x", "text/plain"),
    record("\x1b[31mevil", b"x"),
    record("revisit", b""),
    record("resource", b"last"),
]
TEXTS = {2: b"one two three", 5: TRICKY, 7: b"", 11: b"last"}
PROBLEMS = {
    "skipped records of response, which are not text": (4, 1, "records"),
    "skipped records of resource, which are not text": (6, 1, "records"),
    "skipped records of another kind, which are not text": (9, 1, "records"),
    "skipped records of revisit, which are not text": (10, 1, "records"),
}


@pytest.mark.parametrize("packing", ANY)
@pytest.mark.parametrize("name", ["a.warc", "a.warc.wet"])
def test_records(packing: str, name: str, tmp_path: Path) -> None:
    seen = read([packed(tmp_path, name, b"".join(RECORDS), packing)])
    assert seen.texts == {(0, at): text for at, text in TEXTS.items()}
    assert seen.problems == PROBLEMS
    assert seen.numbered == [11]


@pytest.mark.parametrize("packing", PACKS)
@pytest.mark.parametrize("block", [1, 10, 1 << 19])
def test_each_record_packed_for_itself(
    packing: str, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BLOCK_SIZE", block)
    raw = b"".join(PACKS[packing](one) for one in RECORDS)
    seen = read([written(tmp_path / f"a.warc.{packing}", raw)])
    assert seen.texts == {(0, at): text for at, text in TEXTS.items()}


def test_where_it_is_no_archive(tmp_path: Path) -> None:
    good = b"".join(RECORDS[:2])
    for bad in (b"something else\r\n\r\nand more", b"something else without end"):
        seen = read([written(tmp_path / "a.warc", good + bad)])
        assert seen.texts[0, 2] == b"one two three"
        assert seen.problems["is not a web archive from here on"] == (len(good), None, "bytes")
    for bad in (b"WARC/1.0\r\nA: b\r\n\r\n", b"WARC/1.0\r\nContent-Length: -4\r\n\r\n"):
        seen = read([written(tmp_path / "a.warc", good + bad)])
        assert seen.problems["has a record without a length"] == (len(good + bad), None, "bytes")


def test_a_head_without_end_is_not_kept(tmp_path: Path) -> None:
    seen = read(
        [written(tmp_path / "a.warc", b"WARC/1.0\r\n" + b"x" * (4 * warc.MAX_HEADER + (1 << 20)))]
    )
    assert seen.torn == ["is not a web archive from here on"]


def test_a_record_that_is_cut_off(tmp_path: Path) -> None:
    raw = b"".join(RECORDS[:2])[: -(4 + 6)]  # without what ends it, and six bytes of it
    seen = read([written(tmp_path / "a.warc", raw)])
    assert seen.texts[0, 0] == b"one two"  # what was there of it
    assert seen.problems["ends in the middle of a record"] == (len(raw), 6, "bytes")
