"""Every architecture that is named: it learns, is kept, sees what a view shows and no more."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hansproof import models
from hansproof._infra.threads import single_threaded
from hansproof.training.selection import selection_accuracy
from tests.support import checkpoints, model_factories, torch_models
from tests.support.checkpoints import BERT_LIKE, OTHERS, in_turn
from tests.support.model_factories import change_hidden, drop_answers

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

EVERY = (*BERT_LIKE, *OTHERS)
ITEMS = checkpoints.items(8) + checkpoints.alone(checkpoints.items(2, 1))
HEART = "rates={},epochs=30,batches=16,device=cpu,precision=fp32"  # enough to learn these by heart
Folder = Callable[[str], Path]


def rate(kind: str) -> float:
    """What makes a network of random weights learn; one that has words to learn needs more."""
    return 2e-2 if kind == "t5" else 4e-3


every = pytest.mark.parametrize("kind", in_turn(EVERY))
packed = pytest.mark.parametrize("kind", in_turn(BERT_LIKE))


@pytest.fixture(scope="module", autouse=True)
def compute_on_one_thread() -> Iterator[None]:
    """For networks this small, several threads only wait for each other."""
    with single_threaded():
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return cache(lambda kind: checkpoints.checkpoint(tmp_path_factory.mktemp(kind), kind))


def kept_as(fitted: Any, where: Path) -> Any:
    fitted.save(str(where))
    return models.load(f"saved:source={where},device=cpu")


def opened_by_transformers(where: Path, kind: str) -> Any:
    """The network of a folder, without a word about its weights."""
    auto = transformers.AutoModelForSeq2SeqLM if kind == "t5" else transformers.AutoModel
    module, report = auto.from_pretrained(where, output_loading_info=True)
    assert not any(report[name] for name in ("missing_keys", "unexpected_keys", "mismatched_keys"))
    return module


@every
def test_items_are_learnt_by_heart_and_kept(kind: str, folder: Folder, tmp_path: Path) -> None:
    """Of several choices which is right, of a single one whether it is."""
    fitted = models.load(f"hf:source={folder(kind)},{HEART.format(rate(kind))}").fit(ITEMS, (), 0)
    scores = fitted.score(ITEMS)
    assert selection_accuracy(scores[:8], ITEMS[:8]) == 1
    assert [row[0] > 0 for row in scores[8:]] == [item.answer == 0 for item in ITEMS[8:]]
    kept = kept_as(fitted, tmp_path / "kept")
    again = kept.score(ITEMS)
    assert [one for row in again for one in row] == pytest.approx(
        [one for row in scores for one in row], abs=1e-6
    )
    assert kept.fit_info.tokenizer == fitted.fit_info.tokenizer
    opened_by_transformers(tmp_path / "kept", kind)


@pytest.mark.parametrize("kind", ["roberta", "gpt2", "bart", "t5"])
def test_the_models_of_branco_learn_in_their_own_format(
    kind: str, folder: Folder, tmp_path: Path
) -> None:
    """GPT-2 has two tokens more then, which are kept with it."""
    spec = f"hf:source={folder(kind)},recipe=branco,length=40,{HEART.format(rate(kind))}"
    fitted = models.load(spec).fit(ITEMS[:8], (), 0)
    scores = fitted.score(ITEMS)
    assert selection_accuracy(scores[:8], ITEMS[:8]) == 1
    assert kept_as(fitted, tmp_path / "kept").score(ITEMS) == scores
    module = opened_by_transformers(tmp_path / "kept", kind)
    known = len(transformers.AutoTokenizer.from_pretrained(tmp_path / "kept"))
    more = 2 if kind == "gpt2" else 0
    assert known == len(transformers.AutoTokenizer.from_pretrained(folder(kind))) + more
    assert module.get_input_embeddings().weight.shape[0] == known


@every
@pytest.mark.parametrize("view", ["claim+choices", "choices/alone"])
def test_what_a_view_drops_changes_no_score(kind: str, view: str, word_checkpoint: Folder) -> None:
    spec = (
        f"hf:source={word_checkpoint(kind)},rates=1e-3,epochs=1,batches=8,device=cpu,precision=fp32"
    )
    parts = model_factories.items(6, 1), model_factories.items(3, 2), model_factories.items(4, 3)
    fitted = model_factories.fit(spec, view, *parts[:2])
    expected = model_factories.score(fitted, view, parts[2])
    assert all(math.isfinite(one) for row in expected for one in row)
    other = [change_hidden(view, items) for items in parts]
    assert model_factories.run(spec, view, other[0], other[1], drop_answers(other[2])) == expected
    seen = change_hidden("claim", parts[2])  # the choices, all of them
    assert model_factories.score(fitted, view, seen) != expected


@pytest.fixture(scope="module")
def word_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Of the words that the contract's items have, and of what prompts say."""
    words = (*torch_models.WORDS, *checkpoints.SAID, "arct", "claim", "reason", "warrant0")
    return cache(
        lambda kind: checkpoints.checkpoint(tmp_path_factory.mktemp(kind), kind, words=words)
    )


@pytest.mark.parametrize(
    "kind", in_turn(["bert", "albert", "mpnet", "deberta-v2", "gpt2", "llama", "t5"])
)
def test_in_half_precision_it_learns_too(kind: str, folder: Folder) -> None:
    spec = f"hf:source={folder(kind)},rates={rate(kind)},epochs=12,device=cpu,precision=bf16"
    fitted = models.load(spec).fit(ITEMS[:4], (), 0)
    assert selection_accuracy(fitted.score(ITEMS[:4]), ITEMS[:4]) >= 3 / 4
    assert all(weight.dtype == torch.float32 for weight in fitted.weights.values())


@packed
def test_a_pooler_that_a_checkpoint_lacks_belongs_to_the_seed(kind: str, tmp_path: Path) -> None:
    """Whatever the process has drawn before; and it is kept with the rest."""
    source = checkpoints.checkpoint(tmp_path / "whole", kind)
    _without(source / "model.safetensors", "pooler")
    spec = f"hf:source={source},pooling=pooler,rates=1e-3,epochs=1,device=cpu,precision=fp32"
    items, scores = ITEMS[:4], []
    for state, seed in ((1, 0), (2, 0), (2, 1)):
        torch.manual_seed(state)
        _forget()
        fitted = models.load(spec).fit(items, (), seed)
        scores.append(fitted.score(items))
    assert scores[0] == scores[1] != scores[2]
    assert kept_as(fitted, tmp_path / "kept").score(items) == scores[2]


def _without(weights: Path, part: str) -> None:
    from safetensors.torch import load_file, save_file

    some = {name: one for name, one in load_file(weights).items() if part not in name}
    save_file(some, weights, {"format": "pt"})


def _forget() -> None:
    from hansproof.models import _architectures

    _architectures.load_model.cache_clear()
