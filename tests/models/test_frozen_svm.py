"""The support vector machine over a frozen encoder, and vectors of two segments."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hansproof import benchmarks, models
from hansproof.errors import BadInput, ModelError
from hansproof.models.frozen_svm import FrozenSvm, _fit_plane
from hansproof.pretrained import text_encoder
from hansproof.pretrained.text_encoder import TextEncoder
from hansproof.training.selection import selection_accuracy
from hansproof.training.splits import hold_out
from hansproof.types import Item
from hansproof.views import apply_view, parse_view
from tests.support import torch_models
from tests.support.markers import minilm_folder, needs_data

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
svm = pytest.importorskip("sklearn.svm")

COPA = Item(
    "", {"premise": "the word1"}, ("a word2", "mark is not b"), 0, meta={"asks_for": "cause"}
)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return torch_models.encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture
def learner(bert: Path, tmp_path: Path) -> FrozenSvm:
    return FrozenSvm(str(bert), cache=str(tmp_path / "cache"), device="cpu")


def vector(folder: Path, segments: tuple[str, ...], pooling: str) -> NDArray[np.float32]:
    model = transformers.BertModel.from_pretrained(folder).eval()
    tokenizer = transformers.BertTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        tokens = model(**tokenizer(*segments, return_tensors="pt")).last_hidden_state[0]
    return np.asarray((tokens[0] if pooling == "first" else tokens.mean(dim=0)).numpy())


def test_a_pair_is_encoded_as_two_segments(learner: FrozenSvm, bert: Path) -> None:
    encoder = learner._build_encoder()
    texts = [("mark is", "the word1"), ("the word1", "mark is"), ("mark is the word1",)]
    rows = encoder.encode_texts(texts)
    for text, row in zip(texts, rows, strict=True):
        assert row == pytest.approx(vector(bert, text, "first"), abs=1e-5)
    unit = replace(encoder, unit_length=True).encode_texts(texts)
    assert unit == pytest.approx(rows / np.linalg.norm(rows, axis=1, keepdims=True), abs=1e-6)


def test_one_segment_is_the_plain_text(learner: FrozenSvm, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the cache, whose names are those of before."""
    encoder = learner._build_encoder()
    first = encoder.encode_texts(["mark", "the word1"])
    encoder.encode_texts([("mark", "the word1")])
    monkeypatch.setattr(text_encoder, "_load_encoder", None)  # from here on nothing can be encoded
    assert (encoder.encode_texts([("the word1",), ("mark",)]) == first[::-1]).all()
    assert len(encoder.encode_texts([("mark", "the word1"), "mark"])) == 2
    assert not encoder.encode_texts(["", ("",), ("", ""), "mark"])[:3].any()
    assert text_encoder._text_digest(("mark",)) == hashlib.sha256(b"mark").hexdigest()


def test_vectors_of_any_length_lie_apart_from_those_of_length_one(
    learner: FrozenSvm, tmp_path: Path
) -> None:
    encoder = learner._build_encoder()
    for unit in (False, True):
        replace(encoder, unit_length=unit).encode_texts(["mark"])
    assert len(list((tmp_path / "cache").iterdir())) == 2
    old = TextEncoder(encoder.source, encoder.pooling, encoder.cache, encoder.device)
    assert np.linalg.norm(old.encode_texts(["mark"])) == pytest.approx(1)


def test_scores_are_decision_values_of_a_plain_machine(learner: FrozenSvm, bert: Path) -> None:
    """Written out: two rows by item, cause first, +1 and -1."""
    items = tuple(
        replace(COPA, choices=item.choices, answer=item.answer, meta={"asks_for": asks})
        for item, asks in zip(torch_models.cued(12, 0), ["cause", "effect"] * 6, strict=True)
    )
    texts = [
        (choice, "the word1") if item.meta["asks_for"] == "cause" else ("the word1", choice)
        for item in items
        for choice in item.choices
    ]
    rows = np.stack([vector(bert, text, "mean") for text in texts]).astype(np.float64)
    sides = [1 if at == item.answer else -1 for item in items for at in range(2)]
    machine = svm.LinearSVC(C=1, loss="hinge", max_iter=100_000, random_state=0).fit(rows, sides)
    mean = replace(learner, pooling="mean", costs=(1.0,))
    found = np.array(mean.fit(items, (), 0).score(items))
    margins = machine.decision_function(rows).reshape(-1, 2)
    assert found == pytest.approx(margins, abs=1e-3)
    assert np.ptp(margins) > 0.1


def test_the_plane_is_that_of_least_hinge_loss() -> None:
    """No plane near it is better, with the penalty on the bias that the solver has."""
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(60, 3))
    signal = rows[:, 0] + draw.normal(size=60)
    sides = np.where(signal > np.median(signal), 1.0, -1.0)  # as many right as wrong
    weights, bias = _fit_plane(rows, sides, 0.5)

    def loss(solution: NDArray[np.float64]) -> float:
        margins = sides * (rows @ solution[:3] + solution[3])
        return float(solution @ solution / 2 + 0.5 * np.maximum(0, 1 - margins).sum())

    best = np.append(weights, bias)
    nearby = [best + draw.normal(size=4) * size for size in (0.3, 0.1, 0.03) for _ in range(200)]
    assert loss(best) <= min(map(loss, nearby)) + 1e-3


def test_many_wrong_choices_do_not_outweigh_the_right_one() -> None:
    """Of four choices one is right: it would be cheapest to call all of them wrong."""
    draw = np.random.default_rng(0)
    sides = np.tile([1.0, -1.0, -1.0, -1.0], 100)
    rows = draw.normal(size=(400, 3)) + 0.5 * sides[:, None] * [1, 0, 0]
    weights, _ = _fit_plane(rows, sides, 1.0)
    assert weights[0] > 0.3
    other = svm.SVC(kernel="linear", class_weight="balanced").fit(rows, sides).coef_[0]
    assert weights == pytest.approx(other, abs=0.02)


def test_the_cost_is_chosen_on_the_items_for_that(learner: FrozenSvm) -> None:
    train, select = torch_models.cued(80, 0), torch_models.cued(60, 1)
    mean = replace(learner, pooling="mean")
    each = [replace(mean, costs=(cost,)).fit(train, (), 0) for cost in mean.costs]
    best = max(selection_accuracy(one.score(select), select) for one in each)
    fitted = mean.fit(train, select, 0)
    assert selection_accuracy(fitted.score(select), select) == best
    equal = [
        one.chosen["cost"] for one in each if selection_accuracy(one.score(select), select) == best
    ]
    assert fitted.chosen == {"cost": min(equal)}
    assert mean.fit(train, (), 0).chosen == {"cost": 0.01}  # the middle
    assert fitted.fit_info.device == "cpu"


def test_one_segment_or_two_by_a_flag(learner: FrozenSvm) -> None:
    train = torch_models.cued(40, 0)
    two = learner.fit(train, (), 0).score(train)
    assert replace(learner, joined=True).fit(train, (), 0).score(train) != two
    blind = apply_view(parse_view("choices", ("q", "r")), train)
    assert replace(learner, joined=True).fit(blind, (), 0).score(blind) == learner.fit(
        blind, (), 0
    ).score(blind)


def test_what_must_be_given(learner: FrozenSvm) -> None:
    with pytest.raises(ModelError, match="name a pretrained model"):
        FrozenSvm().fit((COPA,), (), 0)
    with pytest.raises(BadInput, match="costs"):
        models.load("frozen_svm:costs=0")
    only = replace(COPA, choices=("mark",), answer=None)
    with pytest.raises(ModelError, match="both right and wrong choices"):
        learner.fit((only,), (), 0)


@needs_data
def test_a_real_encoder_on_copa(tmp_path: Path) -> None:
    copa = benchmarks.load("copa")
    train, select = hold_out(copa.splits["dev"][:150], 0)
    learner = FrozenSvm(
        minilm_folder(), "mean", cache=str(tmp_path), device="cpu", costs=(0.01, 0.1)
    )
    fitted = learner.fit(train, select, 0)
    assert selection_accuracy(fitted.score(train), train) > 0.8
