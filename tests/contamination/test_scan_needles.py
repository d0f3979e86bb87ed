"""A thousand items of real benchmarks in real text: each is found wherever it stands, nothing else.

What is there to be found is said by Python's own tokenizer and a dictionary of N-grams.
"""

from __future__ import annotations

import json
import os
import random
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import cycle, pairwise
from pathlib import Path

import pytest

from hansproof.benchmarks import load
from hansproof.contamination.build_index import build_index
from hansproof.contamination.index import NgramIndex
from hansproof.contamination.scanner.compiled import CompiledIndex
from hansproof.corpus.shards import CorpusReader
from hansproof.text.ngrams import extract_ngrams
from hansproof.text.tokenizers import get_tokenizer
from hansproof.types import Benchmark, Item

from ..support.corpus_files import ANY, PACKS, written
from ..support.index_factories import defined
from ..support.markers import needs_data
from ..support.scan_runs import counts, make_plan, scan

pytestmark = needs_data

CORPORA = ["wikitext-2/test.txt", "wikitext-2/valid.txt", "wiki_demo.txt"]
GAPS = [", ", " - ", "\n", "... ", "”  “", "\r\n\r\n", "\u3000", ";", " (", "/"]
WANTED = 1000
N = 8


@cache
def benchmarks() -> list[Benchmark]:
    return [load("piqa:dev"), load("csqa:dev")]


@cache
def index() -> NgramIndex:
    return build_index(benchmarks(), "word")


@cache
def corpora() -> list[bytes]:
    folder = Path(os.environ["HANSPROOF_DATA"]) / "corpora"
    with zipfile.ZipFile(folder / "webtext.zip") as held:
        more = [held.read(f"webtext/{name}.txt") for name in ("grail", "pirates", "wine")]
    return [(folder / name).read_bytes() for name in CORPORA] + more


@cache
def needles() -> list[list[str]]:
    """The words of items, as they stand in the index."""
    split = get_tokenizer("word").split
    found = []
    for item in _items():
        words = split(" ".join([*item.fields.values(), item.choices[item.answer or 0]]))
        if len(words) >= N and len({*words}) > 5 and all(word.isascii() for word in words):
            found.append(words)
    random.Random(1).shuffle(found)
    return found[:WANTED]


def _items() -> Iterator[Item]:
    for benchmark in benchmarks():
        for items in benchmark.splits.values():
            yield from items


def disguised(words: list[str], kind: int, rng: random.Random) -> str:
    """Verbatim; in capitals; with other punctuation; with both."""
    cased = [rng.choice([word.upper(), word.title(), word]) if kind & 1 else word for word in words]
    gaps = [rng.choice(GAPS) if kind & 2 else " " for _ in words]
    return "".join(word + gap for word, gap in zip(cased, gaps, strict=True)).rstrip(" ")


def planted(raw: bytes, some: list[list[str]], rng: random.Random) -> bytes:
    """Text with items between its lines, one at its first byte and one at its last."""
    lines = raw.split(b"\n")
    for kind, words in enumerate(some[2:]):
        lines.insert(rng.randrange(len(lines)), disguised(words, kind, rng).encode())
    first, last = (" ".join(words).encode() for words in some[:2])
    return b"\n".join([first, *lines, last])


@cache
def texts() -> list[bytes]:
    """The corpora, with all needles in them."""
    rng = random.Random(2)
    whole = corpora()
    return [planted(raw, needles()[at :: len(whole)], rng) for at, raw in enumerate(whole)]


@cache
def expected() -> Counter[str]:
    return defined(index(), texts())


@cache
def dense() -> bytes:
    """Needle after needle: whatever is cut is cut inside of one."""
    rng = random.Random(3)
    return " ".join(disguised(words, at, rng) for at, words in enumerate(needles())).encode()


@cache
def all_of_them() -> Counter[str]:
    return defined(index(), [dense()])


def of_needles() -> set[str]:
    return {gram for words in needles() for gram in extract_ngrams(words, N)}


def test_there_is_something_to_find() -> None:
    assert [member.n for member in index().header.members] == [N, N]
    assert len(needles()) == WANTED
    assert of_needles() <= expected().keys()
    assert not defined(index(), corpora()[:1])  # the corpora themselves have next to none


def test_all_is_found_and_nothing_else(tmp_path: Path) -> None:
    """For any size of buffers and any number of threads; the results are equal in all."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for at, (raw, packing) in enumerate(zip(texts(), cycle(ANY), strict=False)):
        written(corpus / f"{at}.txt{packing and '.'}{packing}", ANY[packing](raw))
    results = [
        scan(make_plan(index(), corpus, chunk=chunk, stretch=300_000), tmp_path / "found", threads)
        for chunk, threads in ((1 << 19, 1), (1 << 19, 3), (1, 2), (33_333, 1))
    ]
    first = results[0]
    assert all(other == first for other in results)
    assert counts(first) == expected()
    assert of_needles() <= counts(first).keys()
    assert first.corpus.bytes == sum(map(len, texts()))
    assert first.corpus.documents == len(texts())
    split = get_tokenizer("word").split
    assert first.corpus.words == sum(len(split(raw.decode("utf-8", "replace"))) for raw in texts())
    assert not first.lost_text_issues()


def test_passages_show_what_was_found(tmp_path: Path) -> None:
    source = written(tmp_path / "a.txt", texts()[3])
    result = scan(make_plan(index(), source), tmp_path / "found")
    split = get_tokenizer("word").split
    for place in result.passages:
        for gram, start, end in place.hits:
            assert " ".join(split(place.text[start:end])) == result.ngrams[gram].text
        assert texts()[3][place.start :].decode().startswith(place.text[place.hits[0][1] :][:40])
    assert {gram for place in result.passages for gram, _, _ in place.hits} == {
        *range(len(result.ngrams))
    }


@pytest.mark.parametrize("chunk", [1, 11_111, 1 << 16])
def test_across_the_borders_of_buffers(chunk: int, tmp_path: Path) -> None:
    source = written(tmp_path / "a.txt", dense())
    result = scan(make_plan(index(), source, chunk=chunk), tmp_path / "found")
    assert counts(result) == all_of_them()
    assert of_needles() <= counts(result).keys()


@pytest.mark.parametrize("stretch", [1_021, 5_003])
def test_across_the_borders_of_parts(stretch: int, tmp_path: Path) -> None:
    source = written(tmp_path / "a.txt", dense())
    job = make_plan(index(), source, stretch=stretch)
    assert len(job.shards) == -(-len(dense()) // stretch)
    results = [scan(job, tmp_path / "found", threads) for threads in (1, 2, 3)]
    assert counts(results[0]) == all_of_them()
    assert results[1] == results[0] == results[2]
    assert results[0].corpus.documents == 1
    assert results[0].corpus.bytes == len(dense())


def test_parts_of_json_lines(tmp_path: Path) -> None:
    rng = random.Random(4)
    documents = [disguised(words, at, rng) for at, words in enumerate(needles())]
    lines = "".join(json.dumps({"text": text}) + "\n" for text in documents)
    source = written(tmp_path / "a.jsonl", lines.encode())
    whole = scan(make_plan(index(), source), tmp_path / "found")
    assert counts(whole) == defined(index(), (text.encode() for text in documents))
    assert whole.corpus.documents == WANTED
    parts = scan(make_plan(index(), source, chunk=1, stretch=1000), tmp_path / "found", 3)
    assert parts == whole  # with the numbers of all documents
    shown = {place.document for place in whole.passages}
    assert max(shown) > 900


def pieces_of(raw: bytes, size: int) -> list[bytes]:
    cuts = [*range(0, len(raw), size), len(raw)]
    return [raw[a:b] for a, b in pairwise(cuts)]


def test_across_the_borders_of_files(tmp_path: Path) -> None:
    folder = tmp_path / "pieces"
    folder.mkdir()
    pieces = pieces_of(dense(), 1501)
    for at, piece in enumerate(pieces):
        written(folder / f"x{at:04}", piece)
    reader = CorpusReader(continued=True)
    together = [
        scan(
            make_plan(index(), folder, chunk=1, stretch=stretch, reading=reader),
            tmp_path / "found",
            threads,
        )
        for stretch, threads in ((1 << 20, 1), (1 << 20, 2), (700, 3))
    ]
    assert counts(together[0]) == counts(together[2]) == all_of_them()
    assert together[0] == together[1]
    assert {one.corpus.documents for one in together} == {1}
    assert {one.corpus.bytes for one in together} == {len(dense())}
    apart = scan(make_plan(index(), folder, chunk=1), tmp_path / "found")
    assert counts(apart) == defined(index(), pieces)
    assert counts(apart).total() < all_of_them().total() - len(pieces)
    assert apart.corpus.documents == len(pieces)


@pytest.mark.parametrize("packing", PACKS)
def test_across_the_borders_of_what_was_packed(packing: str, tmp_path: Path) -> None:
    raw = b"".join(PACKS[packing](piece) for piece in pieces_of(dense(), 3_001))
    source = written(tmp_path / f"a.{packing}", raw)
    result = scan(make_plan(index(), source, chunk=1), tmp_path / "found")
    assert counts(result) == all_of_them()
    assert result.corpus.bytes == len(dense())


def test_at_the_first_and_the_last_byte(tmp_path: Path) -> None:
    some = [" ".join(words).encode() for words in needles()[:40]]
    raws = [raw for text in some for raw in (text, text + b" and more", b"some, " + text)]
    (tmp_path / "files").mkdir()
    for at, raw in enumerate(raws):
        written(tmp_path / "files" / f"{at}.txt", raw)
    result = scan(make_plan(index(), tmp_path / "files", chunk=1), tmp_path / "found")
    assert counts(result) == defined(index(), raws)
    assert {gram for words in needles()[:40] for gram in extract_ngrams(words, N)} <= counts(
        result
    ).keys()


def test_a_word_changed_in_every_seven_is_no_match(tmp_path: Path) -> None:
    changed = [
        [f"other{at}" if at % 7 == 6 else word for at, word in enumerate(words)]
        for words in needles()
    ]
    raw = " changed ".join(" ".join(words) for words in changed).encode()
    result = scan(make_plan(index(), written(tmp_path / "a.txt", raw)), tmp_path / "found")
    assert not result.ngrams
    assert result.corpus.words == sum(map(len, changed)) + WANTED - 1


def test_the_smallest_buffer_is_small_enough_to_be_of_use_here() -> None:
    assert 4 * CompiledIndex(index()).margin < len(dense()) / 10
