"""Vectors of choices: those of the encoder, and from its cache."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansproof.errors import BadInput, ModelError
from hansproof.inputs.choice_vectors import NAME_FILE, ChoiceVectors
from hansproof.inputs.load import find_cached_inputs, load_inputs
from hansproof.pretrained import text_encoder
from hansproof.pretrained.text_encoder import TextEncoder
from hansproof.types import Benchmark, Item
from tests.support import torch_models

pytest.importorskip("transformers")

ITEMS = (
    *torch_models.cued(8, 3, (2, 3)),
    Item("empty", {"q": "why"}, ("", "the word2", "the word2"), 1),
)
UNLABELLED = (Item("x", {"q": "why"}, ("not a choice", "word3"), None),)
BENCH = Benchmark("b", {"test": ITEMS, "hidden": UNLABELLED})
FEW = replace(BENCH, splits={"test": ITEMS[:4]})


class UsesVectors:
    """A probe that takes vectors."""

    needs = ()
    uses = ("encoder",)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return torch_models.encoder(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    text_encoder._load_encoder.cache_clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    yield tmp_path / "xdg" / "hansproof" / "features"
    text_encoder._load_encoder.cache_clear()


def load(value: object, benchmark: Benchmark = BENCH) -> Any:
    return load_inputs(benchmark, {"encoder": value})["encoder"]


def find(benchmark: Benchmark) -> list[ChoiceVectors]:
    return [*find_cached_inputs(benchmark, [UsesVectors()], ()).get("encoder", ())]


def test_each_choice_has_the_vector_of_its_text(bert: Path, tmp_path: Path) -> None:
    (vectors,) = load(str(bert))
    texts = [choice for item in ITEMS for choice in item.choices]
    expected = TextEncoder(str(bert), "mean", str(tmp_path / "other"), "cpu").encode_texts(texts)
    assert vectors.rows(ITEMS) == pytest.approx(expected, abs=1e-6)
    assert vectors.rows(ITEMS).dtype == np.float32
    assert len(vectors.matrix) == len(set(texts))
    assert not vectors.rows(ITEMS[-1:])[0].any()  # the empty choice
    assert vectors.model == "tiny"
    assert "not a choice" not in vectors.by_text  # of a split without answers
    assert vectors.rows(()).shape == (0, 32)


def test_later_audits_find_them(
    bert: Path, empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (vectors,) = load(f"encoder_linear:encoder={bert},device=cpu", FEW)
    monkeypatch.setattr(TextEncoder, "_encode_shard", None)  # no network is needed
    for again in (load(str(bert), FEW), find(FEW)):
        assert [(v.model, v.fingerprint, v.device) for v in again] == [
            ("tiny", vectors.fingerprint, "cpu")
        ]
        assert (again[0].rows(ITEMS[:4]) == vectors.rows(ITEMS[:4])).all()
    assert find(BENCH) == []  # some choices are missing
    assert find(Benchmark("b", {"all": UNLABELLED})) == []
    (path,) = empty_cache.glob(f"*/{NAME_FILE}")
    saved = json.loads(path.read_text())
    for changes in (
        {"schema": 2}, {"fingerprint": "x"}, {"pooling": "first"}, {"model": 3},
        {"fingerprint": "\ud800"}, {"model": "\ud800"},
    ):  # fmt: skip
        path.write_text(json.dumps({**saved, **changes}))
        assert find(FEW) == []
    path.write_text("[" * 100_000)
    assert find(FEW) == []


def test_another_pooling_is_another_model(bert: Path) -> None:
    mean, first = load([str(bert), f"encoder_linear:encoder={bert},pooling=first", f"{bert}/"], FEW)
    assert (mean.model, first.model) == ("tiny", "tiny (first token)")
    assert mean.fingerprint == first.fingerprint
    assert not np.allclose(mean.matrix, first.matrix)
    assert {vectors.model for vectors in find(FEW)} == {mean.model, first.model}


def test_what_is_refused(bert: Path, tmp_path: Path) -> None:
    assert load("none") == []
    assert load(str(bert), Benchmark("b", {"all": UNLABELLED}))[0].matrix.shape == (0, 0)
    with pytest.raises(BadInput, match="--encoder: bow is not an encoder: give a folder"):
        load("bow")
    with pytest.raises(ModelError, match=r"has no weights in \.safetensors files"):
        load(str(tmp_path))
    (vectors,) = load(str(bert), FEW)
    assert load(vectors, FEW) == [vectors]
    with pytest.raises(BadInput, match=r"tiny: has no vectors for \d+ of the \d+ .+ “.+”: were"):
        load(vectors)


def test_settings_without_an_effect_are_refused(bert: Path) -> None:
    with pytest.raises(BadInput, match="--encoder: penalties has no effect here: leave it out"):
        load(f"encoder_linear:encoder={bert},penalties=1|2")


@pytest.mark.parametrize("n_shards", [1, 3])
def test_a_cache_that_cannot_be_written_costs_only_time(
    bert: Path, empty_cache: Path, monkeypatch: pytest.MonkeyPatch, n_shards: int
) -> None:
    monkeypatch.setattr(text_encoder, "SHARD", 60 // n_shards)
    (expected,) = load(str(bert))
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    with pytest.warns(UserWarning, match="vectors are computed again next time") as warnings:
        (vectors,) = load(str(bert))
    assert len(warnings) == 1
    assert (vectors.rows(ITEMS) == expected.rows(ITEMS)).all()
    assert find(BENCH) == []
    with pytest.raises(BadInput, match="cannot be written"):  # the models need it
        TextEncoder(str(bert), "mean", "", "cpu").encode_texts(["a new text"])


def test_damaged_shards_are_passed_over(bert: Path, empty_cache: Path) -> None:
    (vectors,) = load(str(bert), FEW)
    (shard,) = empty_cache.glob("*/*.npz")
    content = shard.read_bytes()
    for i in range(0, len(content), 7):
        shard.write_bytes(content[:i] + bytes([content[i] ^ 0xFF]) + content[i + 1 :])
        for again in find(FEW):  # unless the byte is of no weight
            assert (again.matrix == vectors.matrix).all()


def test_an_encoder_that_is_given_twice_is_used_once(bert: Path, tmp_path: Path) -> None:
    (loaded,) = load(str(bert), FEW)
    assert [v.model for v in load([str(bert), loaded], FEW)] == ["tiny"]
    other = tmp_path / "tiny"
    shutil.copytree(bert, other)
    (other / "config.json").write_text(f"{(bert / 'config.json').read_text()}\n")
    first, second = load([str(other), loaded], FEW)
    assert {first.model[:5], second.model[:5]} == {"tiny "}
    assert first.model != second.model
    with pytest.raises(BadInput, match="--encoder: is none and something else"):
        load(["none", loaded], FEW)
