"""The LSTM: order matters, padding does not. What it shares with the bag is in test_bov."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hansproof import models
from hansproof.errors import BadInput
from hansproof.models.bilstm import Bilstm, _build_lstm, _run_lstm
from hansproof.training.selection import selection_accuracy
from hansproof.types import Item, Items
from tests.support import torch_models

torch = pytest.importorskip("torch")


@pytest.fixture
def bilstm(tmp_path: Path) -> Bilstm:
    return models.load(torch_models.bilstm(tmp_path))  # type: ignore[no-any-return]


def ordered(n: int, seed: int) -> Items:
    """The answer has `a` before `b`, the other choice the same words the other way round."""
    draw = np.random.default_rng(seed)
    items = []
    for at in range(n):
        left, right = draw.choice(torch_models.WORDS[1:41], 2)
        answer = int(draw.integers(2))
        texts = f"a {left} {right} b", f"b {left} {right} a"
        items.append(Item(str(at), {}, texts if answer == 0 else texts[::-1], answer))
    return tuple(items)


def test_the_order_of_words_is_learnt(bilstm: Bilstm, tmp_path: Path) -> None:
    train, select, test = ordered(160, 0), ordered(40, 1), ordered(80, 2)
    longer = replace(bilstm, epochs=8)
    assert selection_accuracy(longer.fit(train, select, 0).score(test), test) > 0.9
    bag = models.load(torch_models.bov(tmp_path)).fit(train, select, 0)
    assert (
        selection_accuracy(bag.score(test), test) == 0.5
    )  # to a bag of words the two are the same


def test_what_stands_beyond_a_text_is_not_read() -> None:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        lstm, width = _build_lstm(4, 3)
        vectors = torch.randn(2, 6, 3)
    assert width == 8
    beside = _run_lstm(lstm, vectors, torch.tensor([2, 6]))
    alone = _run_lstm(lstm, vectors[:1, :2], torch.tensor([2]))
    assert torch.allclose(beside[0, :2], alone[0], atol=1e-6)
    assert not beside[0, 2:].any()


def test_a_field_is_known_by_its_name(bilstm: Bilstm) -> None:
    """Fields in another order are the same fields."""
    items = torch_models.cued(20, 0)
    turned = tuple(replace(i, fields=dict(reversed(i.fields.items()))) for i in items)
    fitted = bilstm.fit(items, (), 0)
    assert fitted.score(items) == fitted.score(turned)


def test_no_numbers_to_keep(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="bilstm:hidden: must be at least 1"):
        models.load("bilstm:hidden=0")


def test_published_values_are_the_defaults() -> None:
    learner = Bilstm()
    assert (learner.hidden, learner.rates, learner.dropout) == (512, (0.06,), 0.1)
    assert (learner.epochs, learner.batch) == (20, 32)
