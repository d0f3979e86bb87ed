"""However a text is cut, in files, parts, blocks, buffers: the same is found, and counted once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from hansproof.contamination.index import NgramIndex
from hansproof.contamination.scanner import compiled
from hansproof.contamination.scanner.hits import ScanHits
from hansproof.corpus import stream
from hansproof.corpus.readers import plaintext
from hansproof.corpus.shards import CorpusReader
from hansproof.text.tokenizers import get_tokenizer

from ..support.corpus_files import written
from ..support.index_factories import defined, index, named, scanned
from ..support.scan_runs import make_plan
from ..support.scanner_texts import GAPS, RARE, WORDS

KINDS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "words": (["the", "cat", "sat", "on"], [" "]),
    "anything": ([*WORDS, *RARE], [*GAPS, *" " * 20]),
    "no blanks": (["ΟΔΟΣ", "ΣΑΣ", "Σ", "a", "ΑΣ"], [".", "’", "'", ":"]),
    "few blanks": (["ΟΔΟΣ", "ΣΑΣ", "Σ", "a"], ["." * 12, " ", "’", "."]),
    "words without end": (["x" * 500, "a", "b", "c"], [" ", "."]),
}


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little room everywhere: many borders in a short text."""
    monkeypatch.setattr(compiled, "MARGIN", 60)
    monkeypatch.setattr(compiled, "MAX_CHUNK", 1 << 12)
    monkeypatch.setattr(plaintext, "CONTEXT", 100)


def done(made: NgramIndex, paths: list[Path], rng: random.Random, continued: bool) -> ScanHits:
    job = make_plan(
        made, *paths, chunk=rng.choice([1, 1000]), stretch=rng.choice([13, 150, 2000, 1 << 20]),
        reading=CorpusReader(continued=continued),
    )  # fmt: skip
    whole = ScanHits()
    for number in range(len(job.shards)):
        part = job.scan_shard(number)
        assert part is not None
        whole.merge(part)
    return whole


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tokens", ["word", "whitespace"])
def test_cut_anywhere(
    kind: str, tokens: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words, gaps = KINDS[kind]
    for seed in range(4):
        rng = random.Random(seed)
        monkeypatch.setattr(stream, "BLOCK_SIZE", rng.choice([50, 333, 5000]))
        raw = "".join(rng.choice(words) + rng.choice(gaps) for _ in range(300)).encode()
        held = get_tokenizer(tokens).split(raw.decode())
        cuts = [rng.randrange(max(1, len(held) - 6)) for _ in range(20)]
        made = index(*(" ".join(held[at : at + 6]) for at in cuts), n=3, tokens=tokens)
        borders = sorted({0, len(raw), *(rng.randrange(len(raw)) for _ in range(seed))})
        pieces = [raw[a:b] for a, b in pairwise(borders)]
        paths = [tmp_path / f"{at:02}" for at in range(len(pieces))]
        for path, piece in zip(paths, pieces, strict=True):
            written(path, piece)
        for documents in ([raw], pieces):
            found = done(made, paths, rng, continued=documents == [raw])
            assert named(made, found.counts) == defined(made, documents), seed
            assert found.bytes == len(raw)
            assert found.documents == len(documents)
            if kind != "anything":
                texts = (one.decode("utf-8", "replace") for one in documents)
                assert found.words == sum(len(get_tokenizer(tokens).split(text)) for text in texts)


def test_a_word_that_fills_the_largest_buffer_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "MARGIN", 40)
    monkeypatch.setattr(compiled, "MAX_CHUNK", 1 << 12)
    made = index("one two three", n=3)
    for raw in (
        b"aaa " + b"z" * 20_000 + b"one two three",
        b"z" * 20_000 + b" one two three",
        b"." * 20_000 + b"one two three",
        b"one two three" + b"." * 9_000 + b"one two three",
    ):
        for chunk in (1, 700, 1 << 12):
            found = scanned(made, [raw], chunk, piece=997)
            assert named(made, found.counts) == defined(made, [raw])
            assert found.words == len(get_tokenizer("word").split(raw.decode()))
            assert found.bytes == len(raw)


@pytest.mark.usefixtures("narrow")
def test_a_part_that_begins_in_a_long_word(tmp_path: Path) -> None:
    """Longer than a buffer: what is ours begins behind what fits."""
    made = index("one two three", n=3)
    raw = b"so " + b"x" * 3_000 + b" one two three " + b"y" * 3_000 + b" one two three"
    source = written(tmp_path / "a.txt", raw)
    starts = [at for at in range(len(raw)) if raw.startswith(b"one two", at)]
    for stretch in (100, *range(260, 400, 7), 1_000, 2_990):
        job = make_plan(made, source, chunk=1, stretch=stretch)
        whole = ScanHits()
        for number in range(len(job.shards)):
            whole.merge(job.scan_shard(number) or ScanHits())
        assert (whole.count_hits(), whole.bytes, whole.words) == (2, len(raw), 9)
        assert [passage.start for passage in whole.passages] == starts
        shown = [passage.text[a:b] for passage in whole.passages for _, a, b in passage.hits]
        assert shown == ["one two three"] * 2
