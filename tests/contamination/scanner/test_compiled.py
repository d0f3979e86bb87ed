"""The compiled scanner says what Python's own tokenizers say, on any text, however it is cut."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof.contamination.scanner import compiled as module
from hansproof.text.tokenizers import get_tokenizer

from ...support.index_factories import defined, index, named, scanned
from ...support.scanner_texts import GAPS, RARE, WORDS

texts = st.lists(st.tuples(st.sampled_from(WORDS + RARE), st.sampled_from(GAPS)), max_size=40)
odd = st.text(alphabet=st.one_of(st.characters(codec="utf-8"), st.sampled_from(RARE)))
broken = st.binary(max_size=6)


@st.composite
def raws(draw: st.DrawFn) -> bytes:
    """Text of words and gaps, anything at all, and bytes that are no text."""
    parts = [
        "".join(word + gap for word, gap in draw(texts)).encode(),
        draw(odd).encode(),
        draw(broken),
        "".join(word + gap for word, gap in draw(texts)).encode(),
    ]
    return b"".join(draw(st.permutations(parts)))


@pytest.mark.parametrize("tokens", ["word", "whitespace"])
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_it_finds_what_the_definition_finds(tokens: str, data: st.DataObject) -> None:
    documents = data.draw(st.lists(raws(), min_size=1, max_size=3))
    n = data.draw(st.integers(2, 4))
    some = documents[0].decode("utf-8", "replace")
    made = index(some[: len(some) // 2], some[len(some) // 3 :], "the cat sat", n=n, tokens=tokens)
    piece = data.draw(st.integers(1, 50))
    found = scanned(made, documents, chunk=1, piece=piece)
    assert named(made, found.counts) == defined(made, documents)


@pytest.mark.parametrize("tokens", ["word", "whitespace"])
@pytest.mark.parametrize("seed", range(6))
def test_where_buffers_end_changes_nothing(
    tokens: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    # small margins: many buffers in a short text
    monkeypatch.setattr(module, "MARGIN", 40)
    words = [*WORDS, *RARE, *("of", "to", "in") * 8]
    text = "".join(rng.choice(words) + rng.choice([*GAPS, *" " * 30]) for _ in range(3000))
    raw = bytearray(text.encode())
    for _ in range(seed * 4):
        raw[rng.randrange(len(raw))] = rng.randrange(256)
    held = bytes(raw).decode("utf-8", "replace").split()
    cuts = [" ".join(held[at : at + 9]) for at in range(0, len(held) - 9, 41)]
    made = index(*cuts, n=3, tokens=tokens)
    expected = defined(made, [bytes(raw)])
    assert sum(expected.values()) > 100
    for chunk in (1, 400, 977, 1 << 14):
        for piece in (7, 1 << 12):
            found = scanned(made, [bytes(raw)], chunk, piece)
            assert named(made, found.counts) == expected
            assert found.bytes == len(raw)


def test_words_far_apart_and_words_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MARGIN", 40)
    monkeypatch.setattr(module, "MAX_CHUNK", 1 << 15)
    made = index("one two three", n=3)
    far = b"one" + b"-" * 20_000 + b"two" + b" " * 3 + b"three"
    long = b"z" * 200_000 + b"three one two three" + b"z" * 5
    assert scanned(made, [far], 1).count_hits() == 1
    assert named(made, scanned(made, [long + b" one two three"], 1).counts) == defined(
        made, [long + b" one two three"]
    )


def test_a_near_miss_is_no_hit() -> None:
    words = [f"w{at}" for at in range(70)]
    made = index(" ".join(words), n=8)
    changed = [f"other{at}" if at % 7 == 3 else word for at, word in enumerate(words)]
    assert not scanned(made, [" ".join(changed).encode()], 1).counts
    assert scanned(made, [" ".join(words).encode()], 1).count_hits() == 63


def test_passages_say_where_and_show_it() -> None:
    made = index("the quick brown fox jumps", n=3)
    text = "Ünder " * 200 + "The QUICK, brown fox! " + "ö" * 3000 + " quick brown fox"
    found = scanned(made, [b"nothing", text.encode()], 1)
    first, second = found.passages
    assert (first.document, second.document) == (1, 1)
    raw = text.encode()
    assert raw[first.start :].startswith(b"The QUICK")
    assert raw[second.start :] == b"quick brown fox"
    assert [first.text[a:b] for _, a, b in first.hits] == ["The QUICK, brown", "QUICK, brown fox"]
    assert [second.text[a:b] for _, a, b in second.hits] == ["quick brown fox"]
    assert len(first.text) < 1400


def test_broken_bytes_are_counted_once() -> None:
    made = index("one two three", n=3)
    raw = b"one two three \xff\xfe three " * 4000
    found = scanned(made, [raw], 1)
    assert found.count_hits() == 4000
    (problem,) = found.issues
    assert (problem.position, problem.skipped, problem.text_lost) == (14, 8000, False)


def test_words_are_counted_as_they_are_cut() -> None:
    made = index("one two three", n=3)
    text = "A b-c d’e. " * 5000
    assert scanned(made, [text.encode()], 1).words == len(get_tokenizer("word").split(text))
