"""What cannot be read is named, with how much of it; all the rest is scanned."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from hansproof.contamination.index import write_index
from hansproof.contamination.result import ScanResult, SourceIssue, read_result
from hansproof.corpus import CorpusSource, resolve_sources, stream
from hansproof.corpus.readers.jsonl import MAX_LINE
from hansproof.corpus.sources import open_source

from ..support.corpus_files import ANY, PACKS, written
from ..support.index_factories import index
from ..support.scan_runs import counts, make_plan, scan

MADE = index("alpha beta gamma delta", "one two three four", n=4)
ALPHA, ONE = "alpha beta gamma delta", "one two three four"
GOOD = b"Alpha, beta; gamma: DELTA. "
RNG = random.Random(0)
FILLER = b" ".join(b"%x" % RNG.getrandbits(40) for _ in range(60_000))  # 640 kB that hardly pack


def only(result: ScanResult) -> SourceIssue:
    (trouble,) = result.issues
    return trouble


@pytest.mark.parametrize("packing", PACKS)
def test_packed_and_cut_off(packing: str, tmp_path: Path) -> None:
    raw = GOOD + FILLER + b" one two three four"
    whole = PACKS[packing](raw[: len(raw) // 2]) + PACKS[packing](raw[len(raw) // 2 :])
    first = written(tmp_path / f"a.txt.{packing}", whole[:-200])
    second = written(tmp_path / "b.txt", b"one two three four")
    result = scan(make_plan(MADE, first, second), tmp_path / "found")
    assert counts(result) == {ALPHA: 1, ONE: 1}  # the latter in the other file
    trouble = only(result)
    assert trouble.source == first.address
    assert trouble.message == "cannot be read further: the compressed data is truncated"
    assert (trouble.unit_name, trouble.skipped, trouble.text_lost) == ("bytes", None, True)
    assert trouble.position == result.corpus.bytes - len(b"one two three four")
    assert len(raw) // 2 <= trouble.position < len(raw)
    assert result.corpus.documents == 2


@pytest.mark.parametrize("packing", ANY)
def test_bytes_that_are_no_text(packing: str, tmp_path: Path) -> None:
    raw = GOOD + b"\xff\xfe\x80" * 100 + b"one two \xe9three four one two three four"
    source = written(tmp_path / f"a.{packing or 'txt'}", ANY[packing](raw))
    for chunk in (1, 1 << 19):
        result = scan(make_plan(MADE, source, chunk=chunk), tmp_path / "found")
        # a byte that is none is no letter, and so parts words as a stop does
        assert counts(result) == {ALPHA: 1, ONE: 2}
        assert only(result) == SourceIssue(
            source.address,
            "bytes that are not UTF-8, read as U+FFFD",
            len(GOOD),
            301,
            "bytes",
            False,
        )
        assert result.corpus.bytes == len(raw)
        assert not result.lost_text_issues()


def test_garbage(tmp_path: Path) -> None:
    """Anything under any name: it is named, or read, and what is around it is found."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    endings = ("txt", "jsonl", "parquet", "warc", "txt.gz", "jsonl.zst", "warc.bz2", "xz", "json")
    rng = random.Random(5)
    for at in range(5):
        for ending in endings:
            (folder / f"{at}.{ending}").write_bytes(rng.randbytes(rng.randrange(1, 60_000)))
    (folder / "zz.txt").write_bytes(GOOD)
    for tokens in ("word", "whitespace"):
        made = index("alpha beta gamma delta", "Alpha, beta; gamma: DELTA.", n=4, tokens=tokens)
        result = scan(make_plan(made, folder, chunk=1, stretch=7000), tmp_path / "found", threads=2)
        assert counts(result).total() == 1
        named = {os.path.basename(trouble.source) for trouble in result.issues}
        assert named == {f"{at}.{ending}" for at in range(5) for ending in endings}
        unread = {os.path.basename(trouble.source) for trouble in result.lost_text_issues()}
        assert unread == {name for name in named if not name.endswith("txt")}


LARGE = 300_000_000
SCANS = """
import resource, sys
from hansproof.contamination.coordinator import scan_in_threads
from hansproof.contamination.index import read_index
from hansproof.contamination.scan import ScanPlan
from hansproof.corpus import resolve_sources
from hansproof.corpus.shards import CorpusReader
index = read_index(sys.argv[1])
for name in sys.argv[2:]:
    plan = ScanPlan.for_sources(index, resolve_sources([name]), CorpusReader())
    scan_in_threads(plan, name + ".found", 1)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10)
"""


def long_lines(folder: Path) -> tuple[Path, Path]:
    """Lines of 300 MB between two others, as text and as JSON; a hole in a file takes no room."""
    plain, lines = folder / "a.txt", folder / "b.jsonl"
    with open(plain, "wb") as file:
        file.write(GOOD + b"\n")
        for _ in range(LARGE // len(FILLER)):
            file.write(FILLER + b" ")
        file.seek(10_000_000, os.SEEK_CUR)
        file.write(b" it ends one two three four\n" + GOOD)
    with open(lines, "wb") as file:
        file.write(b'{"text": "alpha beta gamma delta"}\n{"text": "')
        file.seek(LARGE)
        file.write(b'"}\n{"text": "one two three four"}\n')
    return plain, lines


@pytest.mark.slow
def test_a_line_of_300_megabytes(tmp_path: Path) -> None:
    """As plain text it is scanned, as JSON passed over; in no more memory than a short file."""
    write_index(str(tmp_path / "index.npz"), MADE)
    short = written(tmp_path / "short.txt", FILLER).address
    plain, lines = long_lines(tmp_path)
    command = [
        sys.executable,
        "-c",
        SCANS,
        str(tmp_path / "index.npz"),
        short,
        str(plain),
        str(lines),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    little, *much = map(int, done.stdout.split())
    assert max(much) < little + 120  # MiB
    result = read_result(f"{plain}.found")
    assert counts(result) == {ALPHA: 2, ONE: 1}
    assert result.corpus.bytes == plain.stat().st_size > LARGE
    assert result.corpus.words == 4 + LARGE // len(FILLER) * 60_000 + 6 + 4
    assert (result.corpus.documents, result.issues) == (1, ())
    plain.unlink()
    result = read_result(f"{lines}.found")
    assert counts(result) == {ALPHA: 1, ONE: 1}
    assert only(result) == SourceIssue(
        str(lines), f"skipped lines of more than {MAX_LINE >> 20} MiB", 2, 1, "lines", True
    )
    assert result.corpus.documents == 2


def test_a_file_that_is_not_there_or_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.txt").write_bytes(GOOD)
    (folder / "b.txt").symlink_to(tmp_path / "nowhere")
    (folder / "c.jsonl").symlink_to(tmp_path)  # a folder, which is empty by now
    (folder / "d.txt").write_bytes(b"one two three four")
    nothing = CorpusSource(str(tmp_path), "plain")
    plan = make_plan(MADE, folder / "a.txt", *resolve_sources([str(folder)]), nothing)
    result = scan(plan, tmp_path / "found")
    assert counts(result)[ONE] == 1
    assert [(trouble.source, trouble.message) for trouble in result.issues] == [
        (str(folder / "b.txt"), "cannot be read further: No such file or directory"),
        (str(tmp_path), "cannot be read further: Is a directory"),
    ]
    assert all(trouble.position == 0 for trouble in result.lost_text_issues())


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [written(tmp_path / f"{name}.txt", GOOD) for name in "abc"]
    really = open_source

    def refused(source: CorpusSource) -> object:
        if source.address.endswith("b.txt"):
            raise PermissionError(13, "Permission denied")
        return really(source)

    monkeypatch.setattr(stream, "open_source", refused)
    result = scan(make_plan(MADE, *sources), tmp_path / "found")
    assert counts(result) == {ALPHA: 2}
    assert only(result) == SourceIssue(
        sources[1].address, "cannot be read further: Permission denied", 0, None, "bytes", True
    )
    assert (result.corpus.documents, result.corpus.bytes) == (2, 2 * len(GOOD))


def test_a_disk_that_fails_in_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What of a file lies behind is read all the same, in its other parts."""

    class Failing(io.FileIO):
        def read(self, size: int | None = -1) -> bytes:
            if 100_000 <= self.tell() < 150_000:
                raise OSError(5, "Input/output error")
            return super().read(size or 0) or b""

    raw = GOOD + FILLER + b" one two three four"
    source = written(tmp_path / "a.txt", raw)
    monkeypatch.setattr(stream, "BLOCK_SIZE", 10_000)
    monkeypatch.setattr(stream, "open_source", lambda source: Failing(source.address))
    result = scan(make_plan(MADE, source, stretch=100_000), tmp_path / "found")
    assert counts(result) == {ALPHA: 1, ONE: 1}
    assert {trouble.message for trouble in result.issues} == {
        "cannot be read further: Input/output error"
    }
    assert result.corpus.bytes < len(raw)


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl"])
def test_a_file_that_shrinks_while_it_is_read(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [GOOD, *FILLER.split()[:50_000], b"one two three four"]
    if name == "a.jsonl":
        lines = [b'{"text": "%s"}' % line for line in lines]
    source = written(tmp_path / name, b"\n".join(lines))
    really = stream._read_fully
    reads: list[int] = []

    def shrinking(raw: io.FileIO, size: int) -> bytes:
        reads.append(size)
        if len(reads) == 3:
            os.truncate(source.address, 200_000)
        return really(raw, size)

    monkeypatch.setattr(stream, "BLOCK_SIZE", 10_000)
    monkeypatch.setattr(stream, "_read_fully", shrinking)
    result = scan(make_plan(MADE, source, stretch=150_000), tmp_path / "found")
    assert counts(result) == {ALPHA: 1}
    assert source.size is not None
    assert {one.message for one in result.lost_text_issues()} == {
        "is shorter than when the scan began"
    }
    assert sum(one.skipped or 0 for one in result.lost_text_issues()) == source.size - 200_000
    assert min(one.position or 0 for one in result.lost_text_issues()) == 200_000
    if name == "a.txt":
        assert result.corpus.bytes == 200_000


def test_a_file_that_was_changed_since_it_was_listed(tmp_path: Path) -> None:
    source = written(tmp_path / "a.txt", GOOD)
    (tmp_path / "a.txt").write_bytes(GOOD + b"one two three four")
    result = scan(make_plan(MADE, source), tmp_path / "found")
    assert counts(result) == {ALPHA: 1}
    assert only(result).message == "changed while it was scanned"
    assert result.lost_text_issues()
    longer = written(tmp_path / "a.txt", GOOD + b"one two three four")
    (tmp_path / "a.txt").write_bytes(GOOD)
    result = scan(make_plan(MADE, longer), tmp_path / "found")
    assert only(result).message == "is shorter than when the scan began"
    assert (only(result).position, only(result).skipped) == (len(GOOD), 18)


def test_documents_behind_a_tear_are_numbered_after_those_that_were_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = b'{"text": "some words to fill a line"}\n'
    source = written(tmp_path / "a.jsonl", line * 100 + b'{"text": "one two three four"}\n')
    really = stream._read_fully

    def failing(raw: io.FileIO, size: int) -> bytes:
        if raw.tell() == 30 * len(line):
            raise OSError(5, "Input/output error")
        return really(raw, size)

    monkeypatch.setattr(stream, "_read_fully", failing)
    monkeypatch.setattr(stream, "BLOCK_SIZE", len(line))
    result = scan(make_plan(MADE, source, stretch=50 * len(line)), tmp_path / "found")
    assert [place.document for place in result.passages] == [101 - 20]
    assert (counts(result), result.corpus.documents) == ({ONE: 1}, 81)
    assert only(result).position == 30 * len(line)


def test_many_documents_that_are_empty(tmp_path: Path) -> None:
    source = written(tmp_path / "a.jsonl", b'{"text": ""}\n' * 40_000 + b'{"text": "%s"}' % GOOD)
    result = scan(make_plan(MADE, source), tmp_path / "found")
    assert counts(result) == {ALPHA: 1}
    assert result.corpus.documents == 40_001
    assert result.passages[0].document == 40_001
