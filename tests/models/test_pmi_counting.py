"""Counts of a corpus against counting by hand, however it is stored and cut."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hansproof.errors import BadInput
from hansproof.models.pmi import corpus, counting
from hansproof.models.pmi.connectives import CAUSE_FIRST, EFFECT_FIRST
from hansproof.models.pmi.counting import Counting
from hansproof.models.pmi.function_words import FUNCTION_WORDS
from hansproof.models.pmi.pairs import Pairs
from hansproof.models.pmi.table import Table
from hansproof.text import WORD

Units = list[tuple[str, int, int]]  # what, its first place, its last
Counts = Counter[tuple[str, str]]

parts = st.sampled_from(
    ["rain", "rain", "Wet", "street", "the", "é\u0130", "x", ". ", "! ", '." ', "e.g.", "\n",
     "\n\n", "\n \r\n ", "  ", "because", "because of", "as a result of", "result", "of", "so",
     "therefore", "led to", "caused by", "caused", "\u4e2d", "-", "\x00"]
)  # fmt: skip
texts = st.lists(parts, max_size=40).map(" ".join)


def documents(text: str, sentences: bool) -> Iterator[list[str]]:
    for document in re.split(r"\n\s*\n", text):
        within = re.split(r"(?<=[.!?])[\"')\]]*\s+", document) if sentences else [document]
        for part in within:
            yield WORD.findall(part.lower())


def units(words: list[str], phrases: set[str]) -> Units:
    two = [(f"{a} {b}", at, at + 1) for at, (a, b) in enumerate(pairwise(words))]
    return [(w, at, at) for at, w in enumerate(words)] + [
        unit for unit in two if unit[0] in phrases
    ]


def by_window(text: str, window: int, phrases: set[str]) -> Counts:
    return Counter(
        (first, second)
        for words in documents(text, False)
        for first, _, end in units(words, phrases)
        for second, start, _ in units(words, phrases)
        if 1 <= start - end <= window
    )


def by_connective(text: str, window: int, phrases: set[str]) -> Counts:
    signs = [(s.split(), True) for s in CAUSE_FIRST] + [(s.split(), False) for s in EFFECT_FIRST]
    found: Counts = Counter()
    for words in documents(text, True):
        taken: set[int] = set()
        for sign, cause_first in sorted(signs, key=lambda sign: -len(sign[0])):
            size = len(sign)
            for at in range(len(words)):
                if words[at : at + size] != sign or at in taken:
                    continue
                taken |= set(range(at, at + size))
                all_ = units(words, phrases)
                before = [u for u, first, last in all_ if at - window <= first and last < at]
                end = at + size
                after = [u for u, first, last in all_ if end <= first and last < end + window]
                sides = (before, after) if cause_first else (after, before)
                found.update((cause, effect) for cause in sides[0] for effect in sides[1])
    return found


def pairs(table: Table) -> Counts:
    size = len(table.words)
    return Counter({
        (table.words[int(key) // size], table.words[int(key) % size]): int(n)
        for key, n in zip(table.keys, table.pairs, strict=True)
    })  # fmt: skip


def pieces(text: str, block: int) -> list[str]:
    """As they come from a file."""
    return list(corpus._whole(corpus._texts(io.BytesIO(text.encode()), block)))


def counted(text: str, plan: Counting, block: int = 1 << 20, batch: int = 1 << 20) -> Table:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_OFTEN", 2)
        patch.setattr(counting, "_LIFT", 1.0)
        return counting.count(lambda: pieces(text, block), plan, batch)


def frequent(text: str, sentences: bool) -> set[str]:
    """Phrases, by the thresholds of `counted`."""
    words: Counter[str] = Counter()
    two: Counts = Counter()
    for part in documents(text, sentences):
        words.update(part)
        two.update(pairwise(part))
    return {
        f"{a} {b}"
        for (a, b), n in two.items()
        if n >= 2 and n * words.total() / words[a] / words[b] >= 1 and a not in FUNCTION_WORDS
    }


@example("wet street because rain fell. " * 3, 2, True, True, 60, 60)  # phrases at the edges
@given(
    texts, st.integers(1, 6), st.booleans(), st.booleans(), st.integers(1, 40), st.integers(1, 60)
)
def test_counts_are_those_made_by_hand(
    text: str, window: int, phrases: bool, connectives: bool, block: int, batch: int
) -> None:
    plan = Counting(window, phrases, connectives, least=1)
    table = counted(text, plan, block, batch)
    kept = frequent(text, connectives) if phrases else set()
    by = by_connective if connectives else by_window
    assert pairs(table) == by(text, window, kept)
    each = Counter(u for d in documents(text, connectives) for u, _, _ in units(d, kept))
    assert dict(zip(table.words, table.counts.tolist(), strict=True)) == each
    assert table.total == each.total()
    assert table.total_pairs == pairs(table).total()


@given(texts, st.integers(1, 4), st.integers(1, 3))
def test_rare_words_and_pairs_are_left_out_in_the_end(text: str, least: int, few: int) -> None:
    whole = counted(text, Counting(least=1))
    table = counted(text, Counting(least=least, least_pairs=few))
    frequent = {w for w, n in zip(whole.words, whole.counts, strict=True) if n >= least}
    assert set(table.words) == frequent
    assert pairs(table) == Counter({
        (a, b): n for (a, b), n in pairs(whole).items() if n >= few and {a, b} <= frequent
    })  # fmt: skip
    assert (table.total, table.total_pairs) == (whole.total, whole.total_pairs)


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=200), st.integers(1, 3))
def test_any_keys_are_counted(keys: list[int], bits: int) -> None:
    import numpy as np

    held = Pairs(bits=bits)
    for half in (keys[::2], keys[1::2]):
        held.add(np.array(half, np.uint64))
    assert dict(zip(*map(list, held.all()), strict=True)) == Counter(keys)


TEXT = "The rain fell.\n\nIt was wet \u00e9t\u00e9 because the rain fell, and wet it stayed."


def read(*paths: Path) -> str:
    return "".join(piece for piece, _ in corpus.read(corpus.found(map(str, paths))))


def test_packed_files_read_as_plain_ones(tmp_path: Path) -> None:
    data = TEXT.encode()
    for name, packed in {
        "a.txt": data, "b.txt.gz": gzip.compress(data), "c.BZ2": bz2.compress(data),
        "d.xz": lzma.compress(data), "e": data,
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(packed)
        assert read(tmp_path / name) == TEXT + corpus.BREAK
    assert read(tmp_path) == (TEXT + corpus.BREAK) * 5
    assert read(tmp_path / "*.txt*", tmp_path / "a.txt") == (TEXT + corpus.BREAK) * 2


def test_a_zip_reads_as_its_texts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("x/one.txt", "x/two", "x/three.py", "x/", "x/.hidden", "../four.TXT"):
            archive.writestr(name, "" if name.endswith("/") else name)
    assert read(tmp_path / "a.zip").split() == ["x/one.txt", "x/two", "../four.TXT"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_the_bytes_read_grow_up_to_the_size_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT * 50)
    (tmp_path / "b.gz").write_bytes(gzip.compress(TEXT.encode() * 50))
    paths = corpus.found([str(tmp_path)])
    done = [at for _, at in corpus.read(paths, 100)]
    assert done == sorted(done)
    assert done[-1] == corpus.size(paths)


def test_tags_are_dropped_where_every_word_has_one(tmp_path: Path) -> None:
    tagged = "\n\n\tThe/at either/or/cc 1/2/cd jury/nn said/vbd ``/`` ./.\n" * 5
    plain = "He and/or she came on 1/2 and left.\n" * 5
    (tmp_path / "tagged").write_text(tagged)
    (tmp_path / "plain").write_text(plain)
    assert WORD.findall(read(tmp_path / "tagged"))[:6] == ["The", "either", "or", "1", "2", "jury"]
    assert read(tmp_path / "plain") == plain + corpus.BREAK
    for block in (1, 7, 100):
        found = "".join(piece for piece, _ in corpus.read([str(tmp_path / "tagged")], block))
        assert found == read(tmp_path / "tagged")


def test_bytes_that_are_no_utf_8_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9 au lait \xff\xfe\x00 end")
    assert WORD.findall(read(tmp_path / "a.txt")) == ["caf", "au", "lait", "end"]


def test_a_word_without_end_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "_LONGEST", 50)
    assert max(map(len, pieces("x" * 10_000, 10))) < 80
    assert "".join(pieces(" " * 10_000, 10)) == " " * 10_000 + corpus.BREAK


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.gz", b"no gzip"), ("a.bz2", b"BZh9no"), ("a.xz", b"no xz"), ("a.zip", b"PK no zip"),
     ("b.gz", gzip.compress(TEXT.encode() * 9, mtime=0)[:-20])],
    ids=["gzip", "bz2", "xz", "zip", "cut short"],
)  # fmt: skip
def test_what_cannot_be_unpacked_is_one_line(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match=rf"{name}: cannot be read: \S"):
        read(tmp_path / name)


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.txt: no such file"):
        corpus.found([str(tmp_path / "none.txt")])
    with pytest.raises(BadInput, match="the folder is empty"):
        corpus.found([str(tmp_path)])


@pytest.mark.parametrize("flag", ["window", "least", "least_pairs"])
def test_flags_out_of_range_are_refused(flag: str) -> None:
    with pytest.raises(BadInput, match=f"--{flag.replace('_', '-')}: is 0, must be at least 1"):
        Counting(**{flag: 0})  # type: ignore[arg-type]


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hansproof", "count", *args]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=300)


def test_the_command_writes_a_table_and_says_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    done = run("a.txt", "-o", "t.npz", "--least", "1", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout == "t.npz: 15 words, 10 different ones kept; 48 pairs, 45 different ones kept\n"
    )
    done = run("a.txt", "-o", "c.npz", "--connectives", cwd=tmp_path)
    assert (
        done.stdout == "c.npz: 15 words, 5 different ones kept; 28 pairs, 10 different ones kept\n"
    )


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("none.txt", "-o", "t.npz"), "none.txt: no such file"),
        (("empty.txt", "-o", "t.npz"), "empty.txt: holds no words"),
        (("a.txt", "-o", "t.npz", "--window", "0"), "--window: is 0, must be at least 1"),
        (("a.txt", "-o", "."), ".: cannot be written there"),
    ],
)
def test_complaints_of_the_command(tmp_path: Path, args: tuple[str, ...], complaint: str) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "empty.txt").write_text(" \n")
    done = run(*args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"hansproof: {complaint}\n"
    assert not (tmp_path / "t.npz").exists()
