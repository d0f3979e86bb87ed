"""The frozen encoder: what is learnt on it, and the cache of its vectors."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hansproof import benchmarks, models
from hansproof.errors import BadInput, ModelError
from hansproof.models.encoder_linear import EncoderLinear
from hansproof.pretrained import checkpoint, text_encoder
from hansproof.pretrained.text_encoder import TextEncoder
from hansproof.training.selection import selection_accuracy
from hansproof.types import Item, Items
from hansproof.views import apply_view, parse_view, regroup_scores
from tests.support import torch_models
from tests.support.markers import minilm_folder, needs_data

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

FIELDS = ("q", "r")


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return torch_models.encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture
def learner(bert: Path, tmp_path: Path) -> EncoderLinear:
    return EncoderLinear(str(bert), cache=str(tmp_path / "cache"), device="cpu")


@pytest.fixture
def encoder(learner: EncoderLinear) -> TextEncoder:
    return learner._build_encoder()


def seen(view: str, items: Items) -> Items:
    return apply_view(parse_view(view, FIELDS), items)


@pytest.mark.parametrize("view", ["full", "choices", "choices/alone", "q+r"])
def test_a_cue_is_learnt_from_the_choices_alone(learner: EncoderLinear, view: str) -> None:
    train, select, test = (
        torch_models.cued(n, seed, (2, 4)) for seed, n in enumerate((200, 40, 100))
    )
    fitted = learner.fit(seen(view, train), seen(view, select), 0)
    scores = regroup_scores(parse_view(view, FIELDS), test, fitted.score(seen(view, test)))
    if view == "q+r":
        assert all(len(set(row)) == 1 for row in scores)
        assert selection_accuracy(scores, test) == pytest.approx((1 / 2 + 1 / 4) / 2)
    else:
        assert selection_accuracy(scores, test) > 0.85


def test_the_context_counts(learner: EncoderLinear) -> None:
    """The answer is the choice that says what the question says."""
    items = tuple(
        Item(str(at), {"q": item.choices[at % 2]}, item.choices, at % 2)
        for at, item in enumerate(torch_models.cued(150, 0))
    )
    train, test = items[:100], items[100:]
    assert selection_accuracy(learner.fit(train, (), 0).score(test), test) > 0.9
    blind = apply_view(parse_view("choices", ("q",)), train)
    assert selection_accuracy(learner.fit(blind, (), 0).score(test), test) < 0.7


def test_equal_choices_tie_and_other_items_change_nothing(learner: EncoderLinear) -> None:
    fitted = learner.fit(torch_models.cued(40, 0), (), 0)
    item = Item("0", {"q": "the word1"}, ("mark a", "b", "mark a", "", ""), 0)
    (row,) = fitted.score((item,))
    assert row[0] == row[2]
    assert row[3] == row[4]
    assert fitted.score((*torch_models.cued(50, 3, (2, 5)), item))[-1] == row


def test_the_penalty_is_chosen_on_the_select_items(learner: EncoderLinear) -> None:
    train, select = torch_models.cued(100, 0), torch_models.cued(50, 1)
    tried = replace(learner, penalties=(1e9, 0.1))
    fitted = tried.fit(train, select, 0)
    each = {
        penalty: selection_accuracy(
            replace(learner, penalties=(penalty,)).fit(train, (), 0).score(select), select
        )
        for penalty in tried.penalties
    }
    assert each[fitted.chosen["penalty"]] == max(each.values())
    assert learner.fit(train, (), 0).chosen == {"penalty": 10.0}  # the middle, the larger of two
    assert fitted.fit_info.device == "cpu"


def test_a_text_is_encoded_once(encoder: TextEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    first = encoder.encode_texts(["the word1", "mark", "the word1", ""])
    assert np.linalg.norm(first, axis=1).tolist() == pytest.approx([1, 1, 1, 0], abs=1e-6)
    monkeypatch.setattr(text_encoder, "_load_encoder", None)  # from here on nothing can be encoded
    assert (encoder.encode_texts(["", "mark", "the word1"]) == first[[3, 1, 0]]).all()


def test_a_vector_is_the_mean_over_the_tokens_of_the_text_alone(encoder: TextEncoder) -> None:
    model, tokenizer = text_encoder._load_encoder(encoder.source, encoder.fingerprint(), "cpu")
    texts = ["mark", "the word1 is not word2"]
    for pooling in ("mean", "first"):
        rows = replace(encoder, pooling=pooling).encode_texts(texts)
        for text, row in zip(texts, rows, strict=True):
            with torch.inference_mode():
                tokens = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].numpy()
            vector = tokens.mean(axis=0) if pooling == "mean" else tokens[0]
            assert row == pytest.approx(vector / np.linalg.norm(vector), abs=1e-6)


def test_a_long_text_is_cut(encoder: TextEncoder) -> None:
    assert np.isfinite(encoder.encode_texts(["word1 " * 500])).all()


def test_a_text_that_is_no_unicode(encoder: TextEncoder) -> None:
    assert np.isfinite(encoder.encode_texts(["\ud800 mark"])).all()


def test_a_damaged_shard_is_passed_over(encoder: TextEncoder, tmp_path: Path) -> None:
    texts = ["mark", "the"]
    before = encoder.encode_texts(texts)
    (shard,) = (tmp_path / "cache").rglob("*.npz")
    whole = shard.read_bytes()
    for damaged in (b"", whole[:100], whole[:-200] + b"x" * 200, whole.replace(b"names", b"nimes")):
        shard.write_bytes(damaged)
        assert encoder.encode_texts(texts) == pytest.approx(before, abs=1e-6)
        assert shard.read_bytes() == whole  # written again
    np.savez(shard, names=np.load(shard)["names"], vectors=np.full((2, 32), np.nan, np.float32))
    assert encoder.encode_texts(texts) == pytest.approx(before, abs=1e-6)


def test_many_texts_come_in_shards(
    encoder: TextEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_encoder, "SHARD", 4)
    texts = [f"word{i}" for i in range(10)]
    rows = encoder.encode_texts(texts)
    assert len(list((tmp_path / "cache").rglob("*.npz"))) == 3
    assert (encoder.encode_texts(texts[::-1]) == rows[::-1]).all()
    assert not list((tmp_path / "cache").rglob("*.part"))


def test_the_fingerprint_is_of_what_counts(bert: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(bert, copy)
    assert checkpoint.fingerprint(str(copy)) == checkpoint.fingerprint(str(bert))
    (copy / "README.md").write_text("nothing of weight")
    assert checkpoint.fingerprint(str(copy)) == checkpoint.fingerprint(str(bert))
    (copy / "vocab.txt").write_text("other")
    assert checkpoint.fingerprint(str(copy)) != checkpoint.fingerprint(str(bert))


def test_the_usual_cache_is_where_downloads_are(
    bert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    TextEncoder(str(bert), "mean", "", "cpu").encode_texts(["a"])
    assert len(list((tmp_path / "hansproof" / "features").rglob("*.npz"))) == 1


def test_an_encoder_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="name a pretrained model"):
        EncoderLinear().fit(torch_models.cued(2, 0), (), 0)
    with pytest.raises(ModelError, match=r"no weights in \.safetensors"):
        EncoderLinear(str(tmp_path)).materials()
    with pytest.raises(BadInput, match="penalties"):
        models.load("encoder_linear:penalties=0")


def test_a_folder_that_is_no_model(bert: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(bert, copy)
    (copy / "config.json").write_text("{}")
    with pytest.raises(ModelError, match=f"{copy}: cannot be loaded: "):
        TextEncoder(str(copy), "mean", str(tmp_path), "cpu").encode_texts(["a"])


def test_weights_that_are_missing_are_not_made_up(bert: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    copy = tmp_path / "copy"
    shutil.copytree(bert, copy)
    weights = load_file(copy / "model.safetensors")
    less = {name: rows for name, rows in weights.items() if "layer.1.output.dense" not in name}
    save_file(less, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match=r"has no weights for encoder\.layer\.1\."):
        TextEncoder(str(copy), "mean", str(tmp_path), "cpu").encode_texts(["a"])


@needs_data
def test_a_real_encoder_on_copa(tmp_path: Path) -> None:
    copa = benchmarks.load("copa")
    train, test = copa.splits["dev"][:100], copa.splits["test"][:150]
    learner = EncoderLinear(minilm_folder(), cache=str(tmp_path), device="cpu", penalties=(10.0,))
    fitted = learner.fit(train, (), 0)
    assert selection_accuracy(fitted.score(train), train) > 0.9
    assert selection_accuracy(fitted.score(test), test) > 0.55
