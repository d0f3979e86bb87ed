"""Tokenizers that are not compiled: the same kind of result, by the definition."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from hansproof.contamination.build_index import build_index
from hansproof.contamination.index import NgramIndex
from hansproof.contamination.result import ScanResult
from hansproof.contamination.scanner import python
from hansproof.contamination.scanner.python import PythonIndex, PythonScanner
from hansproof.corpus.shards import CorpusReader
from hansproof.errors import BadInput

from ...support.corpus_files import ANY, PACKS, written
from ...support.index_factories import benchmark, defined, named
from ...support.markers import needs_nltk
from ...support.scan_runs import counts, make_plan, scan

pytestmark = needs_nltk

ITEMS = [
    "Why can't the old dog learn new tricks?",
    "It isn't done until it's done, they said to him.",
    "Dr. Smith gave $5.00 to the U.S. government on Monday.",
    "Straße und Öl in İstanbul at noon, he cannot say",
]
WORDS = " ".join(ITEMS).split()


@pytest.fixture(scope="module")
def made() -> NgramIndex:
    return build_index([benchmark(*ITEMS[:2]), benchmark(*ITEMS[2:], name="more")], "nltk", n=4)


def text(seed: int, size: int = 400) -> str:
    rng = random.Random(seed)
    gaps = [" ", " ", "\n", ". ", "\r\n", " “", "!? "]
    return "".join(
        rng.choice([rng.choice(WORDS), rng.choice(ITEMS).upper(), "élan"]) + rng.choice(gaps)
        for _ in range(size)
    )


def scanned(made: NgramIndex, raw: bytes, piece: int = 1 << 30) -> PythonScanner:
    scanner = PythonScanner(PythonIndex(made))
    scanner.start_document(1)
    for at in range(0, len(raw), piece):
        scanner.feed(raw[at : at + piece])
    scanner.end_document()
    scanner.finish()
    return scanner


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_what_the_definition_finds(made: NgramIndex, seed: int) -> None:
    raw = text(seed).encode() + b"\xff\xfe " + ITEMS[0].encode()
    expected = defined(made, [raw])
    assert expected.total() > 100
    for piece in (1 << 30, 1000, 7):
        tally = scanned(made, raw, piece).scan_hits
        assert named(made, tally.counts) == expected
        assert (tally.bytes, tally.documents) == (len(raw), 1)
        (problem,) = tally.issues
        assert (problem.position, problem.skipped, problem.text_lost) == (
            len(text(seed).encode()),
            2,
            False,
        )


def by_pieces(made: NgramIndex, raw: bytes, size: int) -> Counter[str]:
    """The definition for a long text: tokens of one piece after the other, N-grams of all."""
    finder = PythonIndex(made)
    tokens: list[str] = []
    while raw:
        near = raw[:size]
        cut = len(raw) if len(raw) <= size else near.rfind(b"\n") + 1 or near.rfind(b" ") + 1
        tokens += finder.tokenizer.split(raw[:cut].decode())
        raw = raw[cut:]
    grams = (" ".join(tokens[at : at + 4]) for at in range(len(tokens) - 3))
    return Counter(gram for gram in grams if gram in finder.numbers)


def test_a_long_text_is_cut_at_line_breaks_and_nothing_is_lost(
    made: NgramIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python, "PIECE_SIZE", 500)
    raw = text(9, 900).encode()
    results = [scanned(made, raw, piece).scan_hits for piece in (1 << 30, 333, 1)]
    assert results[0] == results[1] == results[2]
    assert named(made, results[0].counts) == by_pieces(made, raw, 500)
    for passage in results[0].passages:
        ends = sorted((start, end) for _, start, end in passage.hits)
        assert 0 <= ends[0][0] < ends[0][1] <= len(passage.text)
        assert raw[passage.start :].startswith(passage.text[ends[0][0] :][:5].encode())


def test_words_across_a_cut_are_shown(made: NgramIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "PIECE_SIZE", 40)
    raw = ("and so on and on and on.\n" * 3 + "Why can't the old\ndog learn new tricks?").encode()
    tally = scanned(made, raw).scan_hits
    shown = [
        passage.text[start:end].replace("\n", " ").lower()
        for passage in tally.passages
        for _, start, end in passage.hits
    ]
    assert "old dog learn new" in shown
    assert all("  " not in one and one for one in shown)


def test_what_stands_too_far_before_a_cut_is_not_shown(
    made: NgramIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python, "PIECE_SIZE", 40)
    monkeypatch.setattr(python, "CONTEXT_SIZE", 4)
    raw = ("and so on and on and on.\n" * 3 + "Why can't the old\ndog learn new tricks?").encode()
    tally = scanned(made, raw).scan_hits
    assert named(made, tally.counts) == by_pieces(made, raw, 40)
    for passage in tally.passages:
        assert all(0 <= a <= b <= len(passage.text) for _, a, b in passage.hits)


def test_text_without_a_blank_is_cut_between_characters(
    made: NgramIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python, "PIECE_SIZE", 10)
    for raw in ("é猫😀".encode() * 20, b"\x80" + "猫".encode() * 20):
        tally = scanned(made, raw, 3).scan_hits
        assert tally.bytes == len(raw)
        assert sum(one.skipped or 0 for one in tally.issues) == (raw[0] == 0x80)


def test_passages_say_where_and_show_it(made: NgramIndex) -> None:
    raw = ("Ünder İ " * 50 + "Straße UND Öl in Rome. " + "x " * 900 + ITEMS[0]).encode()
    first, *_, last = scanned(made, raw).scan_hits.passages
    assert raw[first.start :].startswith("Straße UND Öl in".encode())
    assert [first.text[a:b] for _, a, b in first.hits] == ["Straße UND Öl in"]
    assert [last.text[a:b] for _, a, b in last.hits][-1] == "dog learn new tricks"


def test_it_goes_on_from_a_state(made: NgramIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "PIECE_SIZE", 700)
    raw = text(3).encode()
    whole = scanned(made, raw).scan_hits
    rng = random.Random(1)
    cuts = sorted({0, len(raw), *(rng.randrange(len(raw)) for _ in range(8))})
    scanner = PythonScanner(PythonIndex(made))
    scanner.start_document(1)
    states = []
    for start, end in pairwise(cuts):
        scanner.feed(raw[start:end])
        states.append((end, scanner.dump_state()))
        following = PythonScanner(PythonIndex(made))
        following.restore_state(states[-1][1])
        scanner = following
    assert scanner.finish() == whole
    for end, state in states:  # each is still what it was
        again = PythonScanner(PythonIndex(made))
        again.restore_state(state)
        again.feed(raw[end:])
        assert again.finish() == whole


def test_the_same_from_files(made: NgramIndex, tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    raws = [text(seed).encode() for seed in range(5)]
    for at, (raw, packing) in enumerate(zip(raws, ANY, strict=True)):
        written(tmp_path / "corpus" / f"{at}.{packing or 'txt'}", ANY[packing](raw))
    job = make_plan(made, tmp_path / "corpus", stretch=100)
    assert len(job.shards) == 5  # none is parted
    results = [scan(job, tmp_path / "found", threads) for threads in (1, 3)]
    assert results[0] == results[1]
    assert isinstance(results[0], ScanResult)
    assert counts(results[0]) == defined(made, raws)
    assert (results[0].corpus.documents, results[0].issues) == (5, ())
    assert results[0].index_header.tokenizer == "nltk 3.9.1"


def test_what_is_torn(made: NgramIndex, tmp_path: Path) -> None:
    raw = ITEMS[0].encode() + b"\n" + bytes(random.Random(0).choices(b"abc \n", k=40_000))
    source = written(tmp_path / "a.gz", PACKS["gz"](raw)[:-20])
    result = scan(make_plan(made, source), tmp_path / "found")
    assert counts(result) == defined(made, [ITEMS[0].encode()])
    assert [trouble.position for trouble in result.lost_text_issues()] == [result.corpus.bytes]


def test_files_that_continue_each_other_are_refused(made: NgramIndex, tmp_path: Path) -> None:
    source = written(tmp_path / "a.txt", b"text")
    with pytest.raises(
        BadInput, match=r"^--continued: is not supported with the tokenizer nltk 3.9.1: use word or"
    ):
        make_plan(made, source, reading=CorpusReader(continued=True))


def test_nothing_to_look_for(tmp_path: Path) -> None:
    short = build_index([benchmark("too short")], "nltk", n=5)
    source = written(tmp_path / "a.txt", text(0).encode())
    result = scan(make_plan(short, source), tmp_path / "found")
    assert (result.ngrams, result.corpus.bytes) == ((), source.size)
    fast = build_index([benchmark("too short")], n=5)
    result = scan(make_plan(fast, source), tmp_path / "found")
    assert (result.ngrams, result.corpus.bytes) == ((), source.size)
