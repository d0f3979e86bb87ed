"""The next-sentence head, beside plain transformers one pair at a time."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from hansproof import models
from hansproof.errors import BadInput, ModelError
from hansproof.models import nsp
from hansproof.models.nsp import Nsp
from hansproof.types import Item
from hansproof.views import apply_view, parse_view
from tests.support import torch_models

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

CAUSE = Item(
    "", {"premise": "the word1"}, ("a word2", "mark is not b"), 0, meta={"asks_for": "cause"}
)
EFFECT = replace(CAUSE, meta={"asks_for": "effect"})
QUESTION = Item("", {"question": "is word3"}, ("mark", "not the word4", "c"), 0)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return torch_models.next_sentence(tmp_path_factory.mktemp("nsp"))


def plainly(folder: Path, *segments: str) -> float:
    model = transformers.BertForNextSentencePrediction.from_pretrained(folder).eval()
    tokenizer = transformers.BertTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        is_next, is_not = model(**tokenizer(*segments, return_tensors="pt")).logits[0].tolist()
    return float(is_next - is_not)


@pytest.mark.parametrize("batch", [1, 32])
def test_scores_are_those_of_plain_transformers(bert: Path, batch: int) -> None:
    """With the cause first, and one segment where there is no question."""
    blind = apply_view(parse_view("choices", ("premise",)), (CAUSE,))[0]
    found = Nsp(str(bert), batch, "cpu").score((CAUSE, EFFECT, QUESTION, blind))
    expected = [
        [plainly(bert, choice, "the word1") for choice in CAUSE.choices],
        [plainly(bert, "the word1", choice) for choice in CAUSE.choices],
        [plainly(bert, "is word3", choice) for choice in QUESTION.choices],
        [plainly(bert, choice) for choice in CAUSE.choices],
    ]
    for row, other in zip(found, expected, strict=True):
        assert row == pytest.approx(other, rel=1e-4, abs=1e-6)
    assert found[0] != found[1]


def test_equal_texts_are_read_once(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    plain = nsp._batch_margins

    def count(model: object, tokenizer: object, texts: list[tuple[str, ...]]) -> list[float]:
        sizes.append(len(texts))
        return plain(model, tokenizer, texts)

    monkeypatch.setattr(nsp, "_batch_margins", count)
    same = replace(QUESTION, choices=("mark", "c", "mark"))
    (row, other) = Nsp(str(bert), device="cpu").score((same, same))
    assert row == other
    assert row[0] == row[2] != row[1]
    assert sizes == [2]


def test_a_long_text_is_cut(bert: Path) -> None:
    long = replace(QUESTION, fields={"question": "word1 " * 500})
    assert len(set(Nsp(str(bert), device="cpu").score((long,))[0])) == 3


def test_a_checkpoint_without_the_head_is_refused(tmp_path: Path) -> None:
    folder = torch_models.encoder(tmp_path / "bert")
    with pytest.raises(ModelError, match=r"has no weights for cls\.seq_relationship"):
        Nsp(str(folder), device="cpu").score((QUESTION,))


def test_a_family_without_such_a_head_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be loaded: Unrecognized configuration"):
        Nsp(str(torch_models.causal(tmp_path / "gpt2")), device="cpu").score((QUESTION,))


def test_pickled_weights_are_refused(bert: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(bert, copy)
    torch.save({}, copy / "pytorch_model.bin")
    (copy / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"only pytorch_model\.bin, which could run code"):
        Nsp(str(copy)).score((QUESTION,))


def test_what_must_be_given() -> None:
    with pytest.raises(ModelError, match="name a pretrained model"):
        Nsp().score((QUESTION,))
    with pytest.raises(BadInput, match="batch: is 0"):
        models.load("nsp:batch=0")
