"""The nearest words, beside a search that looks at every pair."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hansproof.vectors import VectorTable, nearest_words, neighbours, pair_cosines

from ..support.vector_factories import drawn, made

ANIMALS = made(
    ["cat", "dog", "kitten", "stone", "hound", "nil"],
    [[1, 0], [0, 1], [2, 0.1], [-1, -1], [0, 3], [0, 0]],
)


def plainly(table: VectorTable, word: str, count: int) -> list[str]:
    """Every other word by its cosine, of equals the first."""
    rows = table.vectors.astype(float).tolist()
    own = rows[table.words.index(word)]

    def away(at: int) -> tuple[float, int]:
        lengths = math.hypot(*own) * math.hypot(*rows[at])
        product = math.fsum(a * b for a, b in zip(own, rows[at], strict=True))
        return (-product / lengths if lengths else 0.0), at

    others = sorted(away(at) for at, other in enumerate(table.words) if other != word)
    return [table.words[at] for _, at in others[:count]]


def test_the_nearest_come_first() -> None:
    found = nearest_words(ANIMALS, ["Cat", "dog", "emu"], 2)
    assert list(found) == ["Cat", "dog"]
    assert [word for word, _ in found["Cat"]] == ["kitten", "dog"]
    assert found["dog"][0] == ("hound", 1.0)
    assert found["Cat"][0][1] == pytest.approx(2 / math.hypot(2, 0.1))


def test_more_than_there_are() -> None:
    assert len(nearest_words(ANIMALS, ["cat"], 99)["cat"]) == 5
    assert nearest_words(ANIMALS, ["cat"], 0) == {"cat": []}
    assert nearest_words(made(["one"], [[1, 2]]), ["one"], 3) == {"one": []}
    assert nearest_words(ANIMALS, [], 3) == {}


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_as_by_looking_at_every_pair(seed: int, count: int) -> None:
    table = drawn(30, 4, seed)
    found = nearest_words(table, table.words, count)
    assert {word: [w for w, _ in near] for word, near in found.items()} == {
        word: plainly(table, word, count) for word in table.words
    }


def test_as_by_looking_at_every_pair_of_many() -> None:
    table = drawn(3_000, 6)
    for word, near in nearest_words(table, table.words[::600], 9).items():
        assert [other for other, _ in near] == plainly(table, word, 9)


@given(st.lists(st.sampled_from([(1, 0), (0, 1), (1, 1)]), min_size=2, max_size=40))
def test_of_equals_the_first_in_the_table(rows: list[tuple[int, int]]) -> None:
    table = made([f"w{at}" for at in range(len(rows))], rows)
    for word, near in nearest_words(table, table.words, 5).items():
        order = [(-round(score, 9), table.row_of[other]) for other, score in near]
        assert order == sorted(order)
        assert [w for w, _ in near] == plainly(table, word, 5)


def test_what_is_found_does_not_depend_on_what_else_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = drawn(500, 50)
    asked = table.words[:60]
    together = nearest_words(table, asked, 20)
    assert together == {word: nearest_words(table, [word], 20)[word] for word in asked}
    monkeypatch.setattr(neighbours, "_CELLS", 500 * 7)
    assert nearest_words(table, asked, 20) == together


def test_cosines_are_those_of_the_nearest() -> None:
    table = drawn(200, 50)
    for word, near in nearest_words(table, table.words[:20], 5).items():
        again = pair_cosines(table, [(other, word) for other, _ in near])
        assert again.tolist() == [score for _, score in near]


def test_a_pair_with_an_unknown_word_has_no_cosine() -> None:
    found = pair_cosines(ANIMALS, [("cat", "Dog"), ("cat", "emu"), ("emu", "cat"), ("cat", "nil")])
    assert np.isnan(found).tolist() == [False, True, True, False]
    assert found[[0, 3]].tolist() == [0, 0]
    assert pair_cosines(ANIMALS, []).tolist() == []


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "_CELLS", 2**16)
    table = drawn(2_000, 8)
    assert table.unit_vectors.shape == (2_000, 8)
    tracemalloc.start()
    nearest_words(table, table.words[:500], 5)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * 2**20  # all cosines at once would be 4 MB
