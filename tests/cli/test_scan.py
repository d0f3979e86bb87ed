"""Items looked for in a corpus, as a user types it."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hansproof.contamination import index as indexes
from hansproof.contamination import result as results
from hansproof.contamination.checkpoint import checkpoint_path

from ..support import cli_runner
from ..support.cli_runner import CompletedCommand
from ..support.markers import needs_nltk

ITEMS = [
    {"id": "a", "question": "Why did the old man cross the road", "choices": ["to see", "no"]},
    {"id": "b", "question": "What is the capital of the country", "choices": ["Rome", "Oslo"]},
    {"id": "c", "question": "Who", "choices": ["me", "you"]},
]
TEXT = "He asked: WHY did the old man cross -- the road? To see. And what is the capital of it?"


Run = Callable[..., CompletedCommand]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a folder with a benchmark and a corpus."""
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({**item, "answer": 0}) + "\n" for item in ITEMS]
    (tmp_path / "bench.jsonl").write_text("".join(lines))
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "a.txt").write_text(TEXT)
    (tmp_path / "corpus" / "b.jsonl").write_text(json.dumps({"text": TEXT, "more": "x"}) + "\n")
    return cli_runner.run_here


@pytest.fixture
def indexed(run: Run) -> Run:
    assert run("index", "bench.jsonl", "-o", "i.npz", "--n", "4").returncode == 0
    return run


def complaint(done: CompletedCommand) -> str:
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("hansproof: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("hansproof: ").strip()


def test_index_of_answers_that_are_open(run: Run, tmp_path: Path) -> None:
    text = "question,A,B,C,answer\nwhy is the sky so blue today,x,y,z,1\n"
    (tmp_path / "open.csv").write_text(text)
    assert "--answers-from 0" in complaint(run("index", "open.csv", "-o", "i.npz", "--n", "4"))
    done = run("index", "open.csv", "-o", "i.npz", "--n", "4", "--answers-from", "1")
    assert (done.returncode, done.stderr) == (0, "index: i.npz\n")


def test_index_says_what_is_in_it(run: Run) -> None:
    done = run("index", "bench.jsonl", "-o", "new/i.npz", "--n", "4")
    assert (done.returncode, done.stderr) == (0, "index: new/i.npz\n")
    # 5 in the question, 2 with "to see", 1 with "no"; 4, 1 and 1
    assert done.stdout == (
        "bench (all): N = 4 (given), 14 N-grams of 3 items; 1 is too short to search for\n"
        "14 N-grams, tokenizer word\n"
    )
    made = indexes.read_index("new/i.npz")
    assert made.header.members[0].ids == ("a", "b", "c")
    assert made.header.members[0].ngram_counts == (8, 6, 0)


def test_index_of_two(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other.jsonl").write_text((tmp_path / "bench.jsonl").read_text().splitlines()[0])
    done = run("index", "bench.jsonl", "other.jsonl", "-o", "i.npz", "--tokenizer", "whitespace")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("bench (all): N = 8 (5% of sequences are shorter), ")
    assert lines[2] == "bench and other: 4 N-grams in common at N = 8 (a and a)"
    assert lines[3].endswith("tokenizer whitespace")


def test_scan_says_what_it_found(indexed: Run, tmp_path: Path) -> None:
    done = indexed("scan", "i.npz", "corpus", "-o", "found.json", "--threads", "2")
    assert (done.returncode, done.stderr) == (0, "result: found.json\n")
    assert done.stdout == (
        f"38 words in 2 documents, {2 * len(TEXT)} bytes of text, 2 files: 18 hits of 9 different"
        " N-grams of 2 items\n"
    )
    result = results.read_result("found.json")
    assert {gram.count for gram in result.ngrams} == {2}
    assert [name for name, _ in result.corpus.sources] == ["corpus/a.txt", "corpus/b.jsonl"]
    assert sorted(os.listdir()) == ["bench.jsonl", "corpus", "found.json", "i.npz"]


def test_scan_as_json(indexed: Run) -> None:
    done = indexed("scan", "i.npz", "corpus", "-o", "found.json", "--json", "--field", "more")
    assert done.returncode == 0
    said: Any = json.loads(done.stdout)
    assert said == {
        "corpus": {
            "sources": [["corpus/a.txt", len(TEXT)], ["corpus/b.jsonl", 113]],
            "documents": 2, "words": 20, "bytes": len(TEXT) + 1,
        },
        "issues": [],
        "ngrams": 9,
    }  # fmt: skip


def test_exit_codes_and_troubles(indexed: Run, tmp_path: Path) -> None:
    (tmp_path / "bytes.txt").write_bytes(TEXT.encode() + b"\xff")
    done = indexed("scan", "i.npz", "bytes.txt", "-o", "found.json")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1:] == [
        f"bytes.txt (byte {len(TEXT)}): bytes that are not UTF-8, read as U+FFFD: 1 byte"
    ]
    (tmp_path / "cut.gz").write_bytes(gzip.compress(TEXT.encode())[:-9])
    (tmp_path / "lines.jsonl").write_text('{"text": "a"}\n\n[]\n{\n')
    done = indexed("scan", "i.npz", "cut.gz", "lines.jsonl", "bytes.txt", "-o", "found.json")
    assert done.returncode == 1
    assert "18 hits of 9 different N-grams of 2 items" in done.stdout
    assert done.stdout.splitlines()[1:4] == [
        f"not scanned: cut.gz (byte {len(TEXT)}): cannot be read further: the compressed data is "
        "truncated",
        "not scanned: lines.jsonl (line 4): skipped lines that are not JSON: 1 line",
        "not scanned: lines.jsonl (line 3): skipped lines whose field 'text' is not text: 1 line",
    ]
    assert len(results.read_result("found.json").lost_text_issues()) == 3


def test_names_may_hold_anything(indexed: Run, tmp_path: Path) -> None:
    (tmp_path / "a\n\x1b[31m.gz").write_bytes(b"x")
    done = indexed("scan", "i.npz", "a\n\x1b[31m.gz", "-o", "found.json")
    assert done.returncode == 1
    assert done.stdout.count("\n") == 2
    assert "\x1b" not in done.stdout


def test_continued(indexed: Run, tmp_path: Path) -> None:
    pieces = tmp_path / "pieces"
    pieces.mkdir()
    (pieces / "xaa").write_text(TEXT[:28])
    (pieces / "xab").write_text(TEXT[28:])
    done = indexed("scan", "i.npz", "pieces", "-o", "found.json", "--continued")
    assert "19 words in 1 document, " in done.stdout
    assert "9 hits" in done.stdout
    done = indexed("scan", "i.npz", "pieces", "-o", "found.json")
    assert "20 words in 2 documents" in done.stdout


def test_a_result_among_the_corpus_is_no_part_of_it(indexed: Run, tmp_path: Path) -> None:
    for _ in range(2):
        done = indexed("scan", "i.npz", "corpus", "-o", "corpus/found.json")
        assert "2 files" in done.stdout
    left = Path(checkpoint_path("corpus/found.json"))
    left.write_text("anything")
    assert "corpus/found.json.part: is damaged" in complaint(
        indexed("scan", "i.npz", "corpus", "-o", "corpus/found.json")
    )


def test_complaints_about_an_index(run: Run, tmp_path: Path) -> None:
    assert complaint(run("index", "none.jsonl", "-o", "i.npz")).startswith("none.jsonl: ")
    assert complaint(run("index", "bench.jsonl", "-o", "i.npz", "--n", "1")) == (
        "--n: is 1, must be between 2 and 50"
    )
    assert "unknown tokenizer 'wurd'; did you mean word?" in complaint(
        run("index", "bench.jsonl", "-o", "i.npz", "--tokenizer", "wurd")
    )
    assert complaint(run("index", "bench.jsonl", "bench.jsonl", "-o", "i.npz")) == (
        "index: a benchmark is named twice: bench, bench"
    )
    assert complaint(run("index", "bench.jsonl", "-o", "corpus")) == (
        "corpus: cannot be written: it is a folder"
    )
    assert not (tmp_path / "i.npz").exists()


def test_complaints_about_a_scan(indexed: Run, tmp_path: Path) -> None:
    def said(*args: str) -> str:
        return complaint(indexed("scan", *args, "-o", "found.json"))

    assert said("none.npz", "corpus") == "none.npz: no such index; make one with `hansproof index`"
    assert said("bench.jsonl", "corpus") == (
        "bench.jsonl: was not written by `hansproof index`, or is damaged"
    )
    assert said("i.npz", "none") == "none: no such file"
    assert said("i.npz", "nonsense://x").startswith("nonsense://x: ")
    assert said("i.npz", "corpus", "--threads", "0") == "--threads: is 0, must be at least 1"
    assert said("i.npz", "corpus", "--checkpoint", "nan") == (
        "--checkpoint: is nan, must be at least 0.1"
    )
    (tmp_path / "x.tar").write_bytes(b"")
    assert said("i.npz", "x.tar") == "x.tar: tar archives are not supported: unpack it first"
    (tmp_path / "found.json.part").write_bytes(b"{}")
    assert said("i.npz", "corpus") == (
        "found.json.part: is damaged: delete it to start the scan again"
    )
    assert said("i.npz", "hf:./none") == (
        "found.json.part: is damaged: delete it to start the scan again"
    )
    (tmp_path / "found.json.part").unlink()
    assert said("i.npz", "hf:./none") == "hf:./none: no such folder"
    assert not (tmp_path / "found.json").exists()


@needs_nltk
def test_nltk(run: Run) -> None:
    done = run("index", "bench.jsonl", "-o", "i.npz", "--n", "4", "--tokenizer", "nltk")
    assert done.returncode == 0
    done = run("scan", "i.npz", "corpus", "-o", "found.json")
    assert (done.returncode, "18 hits of 9 different N-grams" in done.stdout) == (0, True)
    said = complaint(run("scan", "i.npz", "corpus", "-o", "found.json", "--continued"))
    assert (
        said
        == "--continued: is not supported with the tokenizer nltk 3.9.1: use word or whitespace"
    )
