"""Counts of a corpus against counting by hand, however it is stored and cut."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hansproof.corpus.text_stream import cut_at_words, decode_blocks
from hansproof.errors import BadInput
from hansproof.models.pmi import counting
from hansproof.models.pmi.connectives import CAUSE_FIRST, EFFECT_FIRST
from hansproof.models.pmi.counting import CountOptions
from hansproof.models.pmi.pair_counts import PairCounts
from hansproof.models.pmi.table import CountTable
from hansproof.text.function_words import FUNCTION_WORDS
from hansproof.text.tokenizers import WORD
from tests.support import cli_runner

Units = list[tuple[str, int, int]]  # what, its first place, its last
Counts = Counter[tuple[str, str]]

parts = st.sampled_from(
    ["rain", "rain", "Wet", "street", "the", "é\u0130", "x", ". ", "! ", '." ', "e.g.", "\n",
     "\n\n", "\n \r\n ", "  ", "because", "because of", "as a result of", "result", "of", "so",
     "therefore", "led to", "caused by", "caused", "\u4e2d", "-", "\x00"]
)  # fmt: skip
texts = st.lists(parts, max_size=40).map(" ".join)
TEXT = "The rain fell.\n\nIt was wet \u00e9t\u00e9 because the rain fell, and wet it stayed."


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


def pairs(table: CountTable) -> Counts:
    size = len(table.words)
    return Counter({
        (table.words[int(key) // size], table.words[int(key) % size]): int(n)
        for key, n in zip(table.keys, table.pairs, strict=True)
    })  # fmt: skip


def pieces(text: str, block: int) -> list[str]:
    """As they come from a file."""
    raw = text.encode()
    blocks = ((raw[at : at + block], at) for at in range(0, len(raw), block))
    return [piece for piece, _ in cut_at_words(decode_blocks(blocks))]


def counted(
    text: str, plan: CountOptions, block: int = 1 << 20, batch: int = 1 << 20
) -> CountTable:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_MIN_PHRASE_COUNT", 2)
        patch.setattr(counting, "_MIN_LIFT", 1.0)
        return counting.count_corpus(lambda: pieces(text, block), plan, batch)


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
    plan = CountOptions(window, phrases, connectives, least=1)
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
    every = counted(text, CountOptions(least=1))
    table = counted(text, CountOptions(least=least, least_pairs=few))
    frequent = {w for w, n in zip(every.words, every.counts, strict=True) if n >= least}
    assert set(table.words) == frequent
    assert pairs(table) == Counter({
        (a, b): n for (a, b), n in pairs(every).items() if n >= few and {a, b} <= frequent
    })  # fmt: skip
    assert (table.total, table.total_pairs) == (every.total, every.total_pairs)


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=200), st.integers(1, 3))
def test_any_keys_are_counted(keys: list[int], bits: int) -> None:
    import numpy as np

    held = PairCounts(bits=bits)
    for half in (keys[::2], keys[1::2]):
        held.add(np.array(half, np.uint64))
    assert dict(zip(*map(list, held.stored_counts()), strict=True)) == Counter(keys)


@pytest.mark.parametrize("flag", ["window", "least", "least_pairs"])
def test_flags_out_of_range_are_refused(flag: str) -> None:
    with pytest.raises(BadInput, match=f"--{flag.replace('_', '-')}: is 0, must be at least 1"):
        CountOptions(**{flag: 0})  # type: ignore[arg-type]


run = partial(cli_runner.run_here, "count")


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


def test_the_command_counts_a_field_and_names_what_it_passed_over(tmp_path: Path) -> None:
    lines = ['{"body": "the rain fell"}', '{"text": "elsewhere"}', "no JSON"]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    done = run("a.jsonl", "-o", "t.npz", "--least", "1", "--field", "body", cwd=tmp_path)
    assert done.stdout.startswith("t.npz: 3 words, 3 different ones kept; ")
    assert done.stderr.splitlines() == [
        "not counted: a.jsonl (line 2): skipped lines without a field 'body'",
        "not counted: a.jsonl (line 3): skipped lines that are not JSON",
    ]


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("none.txt", "-o", "t.npz"), "none.txt: no such file"),
        (("empty.txt", "-o", "t.npz"), "empty.txt: contains no words"),
        (("a.txt", "-o", "t.npz", "--window", "0"), "--window: is 0, must be at least 1"),
        (("a.txt", "-o", "."), ".: cannot be written: it is a folder"),
    ],
)
def test_complaints_of_the_command(tmp_path: Path, args: tuple[str, ...], complaint: str) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "empty.txt").write_text(" \n")
    done = run(*args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"hansproof: {complaint}\n"
    assert not (tmp_path / "t.npz").exists()
