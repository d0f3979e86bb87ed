"""JSON lines: which are documents, and which are passed over and named."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from hansproof.corpus import stream
from hansproof.corpus.readers import jsonl
from hansproof.corpus.shards import CorpusReader

from ...support.corpus_files import ANY, packed, read, written

LINES = [
    b'{"text": "one two"}',
    b"",
    b'{"id": 7, "text": "Stra\xc3\x9fe \\u00e9 \\ud83d\\ude00", "more": {"text": 1}}',
    b'{"title": "no text"}',
    b"   \r",
    b'{"text": null}',
    b'{"text": 5}',
    b'["text"]',
    b"{not json",
    b'{"text": "bad \xff byte"}',
    b'{"text": ""}\r',
    b'{"text": "last"}',
]
NUMBERS = {1: "one two", 3: "Straße é 😀", 11: "", 12: "last"}
PROBLEMS = {
    "skipped lines without a field 'text'": (4, 2, "lines"),
    "skipped lines whose field 'text' is not text": (7, 2, "lines"),
    "skipped lines that are not JSON": (9, 2, "lines"),
}


@pytest.mark.parametrize("packing", ANY)
@pytest.mark.parametrize("breaks", [b"\n", b"\r\n"])
@pytest.mark.parametrize("last", [b"", b"\n", b"\n\n\n"])
def test_lines(packing: str, breaks: bytes, last: bytes, tmp_path: Path) -> None:
    seen = read([packed(tmp_path, "a.jsonl", breaks.join(LINES) + last, packing)])
    assert seen.texts == {(0, at): text.encode() for at, text in NUMBERS.items()}
    assert seen.problems == PROBLEMS
    assert seen.numbered == [12 + max(0, len(last) - 1)]


@pytest.mark.parametrize("block", [1, 13, 1 << 19])
def test_parts_are_the_whole(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BLOCK_SIZE", block)
    monkeypatch.setattr(jsonl, "MAX_LINE", 90)  # long enough for all but one
    long = b'{"text": "' + b"long " * 30 + b'"}'
    source = written(tmp_path / "a.jsonl", b"\n".join([long, *LINES, long, LINES[0], long]))
    whole = read([source])
    assert whole.texts == {
        (0, at + 1): text.encode() for at, text in {**NUMBERS, 14: "one two"}.items()
    }
    assert whole.numbered == [16]
    assert whole.problems["skipped lines of more than 0 MiB"] == (1, 3, "lines")
    assert source.size is not None
    for stretch in {*range(1, 12 if block == 1 else source.size + 2, 1 if block > 13 else 3)}:
        seen = read([source], stretch=stretch)
        assert seen == whole, stretch


def test_a_line_that_is_too_long_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "MAX_LINE", 1 << 20)
    good = b'{"text": "good"}\n'
    at_most = b'{"text": "' + b"a" * ((1 << 20) - 12) + b'"}\n'
    source = written(tmp_path / "a.jsonl", good + b"[" * (5 << 20) + b"\n" + at_most + good)
    for stretch in (1 << 30, 1 << 20, 100_000):
        seen = read([source], stretch=stretch)
        assert {at: len(text) for (_, at), text in seen.texts.items()} == {
            1: 4, 3: (1 << 20) - 12, 4: 4,
        }  # fmt: skip
        assert seen.problems == {"skipped lines of more than 1 MiB": (2, 1, "lines")}


def test_another_field(tmp_path: Path) -> None:
    source = written(tmp_path / "a.jsonl", b'{"text": "a", "raw.content": "b"}\n')
    assert read([source], CorpusReader("raw.content")).texts == {(0, 1): b"b"}
    assert read([source], CorpusReader("none")).problems == {
        "skipped lines without a field 'none'": (1, 1, "lines")
    }


def test_lines_before_a_tear_are_counted(tmp_path: Path) -> None:
    rng = random.Random(0)
    texts = [str(rng.random()) for _ in range(20_000)]
    raw = "".join(json.dumps({"text": text}) + "\n" for text in texts).encode()
    path = tmp_path / "a.jsonl.gz"
    source = written(path, ANY["gz"](raw)[:-100_000])
    seen = read([source])
    count = len(seen.texts) - 1  # and nothing, where it was torn
    assert 5000 < count < 20_000
    assert [seen.texts[0, at + 1].decode() for at in range(count)] == texts[:count]
    assert seen.numbered == [count]
    assert seen.torn == ["cannot be read further: the compressed data is truncated"]


def test_nesting_without_end_is_no_json(tmp_path: Path) -> None:
    source = written(tmp_path / "a.jsonl", b'{"a": ' + b"[" * 100_000 + b'\n{"text": "b"}\n')
    seen = read([source])
    assert seen.texts == {(0, 2): b"b"}
    assert seen.problems == {"skipped lines that are not JSON": (1, 1, "lines")}
