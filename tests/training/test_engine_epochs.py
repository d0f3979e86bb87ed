"""Which epoch of a run is kept, and that a run is its seed and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansproof.training.recipes import Recipe
from hansproof.training.selection import selection_accuracy
from hansproof.training.training_task import TrainingTask
from hansproof.types import Items
from tests.support import checkpoints

from ..support import training_factories as made

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
engine = pytest.importorskip("hansproof.training.engine")

pytestmark = pytest.mark.usefixtures("alone")
ITEMS, SELECT = checkpoints.mixed(16, 1), checkpoints.items(8, 2)
RECIPE = Recipe(pooling="mean")  # at a constant rate, so that shorter runs are begun longer ones


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.bert(tmp_path_factory.mktemp("bert"))


def run(folder: Path, epochs: int, select: Items = SELECT, seed: int = 1, **other: Any) -> Any:
    job = made.job(folder, [TrainingTask(ITEMS, select, seed)], made.like(RECIPE, **other))
    (found,) = engine.train_lanes(job.make_config(8, epochs), [job._build_lane(0, 1e-3)])
    return found


def equal(one: Any, other: Any) -> bool:
    return all(torch.equal(weight, other.weights[name]) for name, weight in one.weights.items())


def earns(monkeypatch: pytest.MonkeyPatch, *accuracies: float) -> None:
    each = iter(accuracies)
    monkeypatch.setattr(engine, "selection_accuracy", lambda rows, items: next(each))


def test_the_best_epoch_is_kept_and_of_equals_the_first(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earns(monkeypatch, 0.5, 0.7, 0.7, 0.6, 0.1, 0.1)
    found = run(bert, 4)
    assert (found.epoch, found.accuracy) == (2, 0.7)
    assert equal(found, run(bert, 2, selection="last"))
    assert not equal(found, run(bert, 3, selection="last"))


def test_the_last_epoch_is_kept_where_that_is_the_recipe(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earns(monkeypatch, 0.2, 0.3, 0.4, 0.5)  # asked once, at the end; then every time
    found = run(bert, 3, selection="last")
    assert (found.epoch, found.accuracy) == (3, 0.2)
    best = run(bert, 3)
    assert (best.epoch, best.accuracy) == (3, 0.5)
    assert equal(found, best)


def test_with_nothing_to_choose_by_the_last_epoch_is_kept(bert: Path) -> None:
    found = run(bert, 3, ())
    assert (found.epoch, found.accuracy) == (3, None)


def test_a_lane_without_select_items_beside_one_with_some_keeps_its_last(bert: Path) -> None:
    job = made.job(bert, [TrainingTask(ITEMS, (), 1), TrainingTask(ITEMS, SELECT, 1)], RECIPE)
    lanes = [job._build_lane(at, 1e-3) for at in range(2)]
    found = engine._train_together(job.make_config(8, 3), lanes, 1, lambda *_: None)
    assert (found[0].epoch, found[0].accuracy) == (3, None)
    assert found[1].accuracy is not None


def test_the_accuracy_is_that_of_the_weights_that_are_kept(bert: Path) -> None:
    job = made.job(bert, [TrainingTask(ITEMS, SELECT, 1)], RECIPE)
    work, lane = job.make_config(8, 5), job._build_lane(0, 1e-3)
    (found,) = engine.train_lanes(work, [lane])
    weights = {name: one[None] for name, one in found.weights.items()}
    (scores,) = engine.score_sequences(work, weights, [lane.select.rows], 32)
    rows = [tuple(row[: len(i.choices)]) for row, i in zip(scores.tolist(), SELECT, strict=True)]
    assert found.accuracy == selection_accuracy(rows, SELECT)


@pytest.mark.parametrize("odd", [np.nan, np.inf])
def test_weights_that_score_no_numbers_are_not_kept(
    bert: Path, monkeypatch: pytest.MonkeyPatch, odd: float
) -> None:
    """Also where nothing is to be chosen; what was best before stays."""
    plain, broken = engine.score_sequences, iter([False, True, True])

    def scored(*given: Any) -> Any:
        return [one * odd if next(broken, True) else one for one in plain(*given)]

    monkeypatch.setattr(engine, "score_sequences", scored)
    assert run(bert, 3).epoch == 1
    found = run(bert, 3, ())
    assert (found.weights, found.epoch, found.accuracy) == (None, 0, None)


def test_a_rate_beyond_all_bounds_ends_without_weights(bert: Path) -> None:
    job = made.job(bert, [TrainingTask(ITEMS, SELECT, 1)], RECIPE)
    (found,) = engine.train_lanes(job.make_config(8, 2), [job._build_lane(0, 1e20)])
    assert (found.weights, found.epoch, found.accuracy) == (None, 0, None)


def test_the_same_seed_gives_the_same_run_and_another_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With dropout, and whatever was drawn before."""
    dropping = made.bert(tmp_path, hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1)
    torch.manual_seed(1)
    first = run(dropping, 2)
    torch.manual_seed(2)
    assert equal(first, run(dropping, 2))
    assert not equal(first, run(dropping, 2, seed=2))


def test_dropout_is_on_in_training_and_off_in_scoring(tmp_path: Path, bert: Path) -> None:
    """Off: the same scores twice. On: other losses than without."""
    dropping = made.bert(tmp_path, hidden_dropout_prob=0.3)
    with made.watched() as with_it:
        run(dropping, 1, ())
    with made.watched() as without:
        run(bert, 1, ())
    assert with_it[0] != pytest.approx(without[0], abs=1e-3)
    job = made.job(dropping, [TrainingTask(ITEMS, SELECT, 1)], RECIPE)
    work, rows = job.make_config(8, 1), [job._build_lane(0, 1.0).select.rows]
    weights = {name: one[None] for name, one in work.net.start(0).items()}
    first, again = (engine.score_sequences(work, weights, rows, 32)[0] for _ in range(2))
    assert (first == again).all()


def test_how_far_it_is_and_how_good_is_told_after_every_epoch(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    earns(monkeypatch, 0.5, 0.25, 0.75)
    job = made.job(bert, [TrainingTask(ITEMS, SELECT, 1)], RECIPE)
    told: list[Any] = []
    list(
        engine.train_lanes(
            job.make_config(8, 3), [job._build_lane(0, 1e-3)], lambda *now: told.append(now)
        )
    )
    assert [share for share, _ in told] == pytest.approx([1 / 3, 2 / 3, 1])
    assert [accuracy for _, accuracy in told] == [0.5, 0.5, 0.75]
