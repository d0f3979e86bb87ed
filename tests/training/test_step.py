"""One update: which items, at which rate, and what a batch of items costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hansproof.training.training_task import TrainingTask
from hansproof.types import Item
from tests.support import checkpoints

from ..support import training_factories as made
from ..support.training_factories import RECIPE, like

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
step = pytest.importorskip("hansproof.training.step")
adam = pytest.importorskip("hansproof.training.adam")

pytestmark = pytest.mark.usefixtures("alone")
ITEMS = checkpoints.items(22, 1, counts=(2, 3))
inf = float("inf")


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.bert(tmp_path_factory.mktemp("bert"))


def losses(scores: Any, there: Any, answers: Any, likelihood: bool = False) -> Any:
    given = (torch.tensor([one]) for one in (scores, there, answers))
    return step._item_losses(*given, likelihood)[0]


@pytest.mark.parametrize("leftover", ["keep", "drop"])
def test_an_epoch_has_every_item_once(bert: Path, leftover: Any) -> None:
    job = made.job(bert, [TrainingTask(ITEMS, (), 3)], like(RECIPE, leftover=leftover))
    work, lane = job.make_config(8, 2), job._build_lane(0, 1.0)
    epochs = [step.epoch_batches(work, lane, epoch) for epoch in range(2)]
    for batches in epochs:
        assert [len(some) for some in batches] == ([8, 8, 6] if leftover == "keep" else [8, 8])
        every = np.concatenate(batches).tolist()
        assert len(set(every)) == len(every)
        assert set(every) <= set(range(22))
    assert not np.array_equal(epochs[0][0], epochs[1][0])
    assert np.array_equal(epochs[0][0], step.epoch_batches(work, lane, 0)[0])


def test_orders_differ_by_seed_and_not_by_rate(bert: Path) -> None:
    job = made.job(bert, [TrainingTask(ITEMS, (), 3), TrainingTask(ITEMS, (), 4)], RECIPE)
    work = job.make_config(8, 2)
    orders = [
        step.epoch_batches(work, job._build_lane(*one), 0)[0].tolist()
        for one in ((0, 1), (0, 2), (1, 1))
    ]
    assert orders[0] == orders[1] != orders[2]


def test_a_single_batch_that_is_not_full_is_never_dropped(bert: Path) -> None:
    job = made.job(bert, [TrainingTask(ITEMS[:5], (), 3)], like(RECIPE, leftover="drop"))
    assert [
        len(some) for some in step.epoch_batches(job.make_config(8, 1), job._build_lane(0, 1.0), 0)
    ] == [5]


def test_answers_are_positions_no_or_unknown() -> None:
    items = (
        Item("", {}, ("a", "b", "c"), 2),
        Item("", {}, ("a", "b"), None),
        Item("", {}, ("a",), 0),
        Item("", {}, ("a",), None),
    )
    questions = step.EncodedQuestions(items, np.zeros((4, 3), np.int64))
    assert questions.answer_codes().tolist() == [2, -1, 0, step.NEGATIVE]


def test_a_loss_is_the_cross_entropy_over_the_choices_there_are() -> None:
    found = losses(
        [[1.0, 2.0, 9.0], [0.5, -1.0, 3.0], [-4.0, 7.0, 7.0], [2.0, 7.0, 7.0], [1.0, 1.0, 1.0]],
        [[True, True, False], [True] * 3, [True, False, False], [True, False, False], [True] * 3],
        [1, 2, 0, step.NEGATIVE, -1],
    )
    sigmoid = torch.nn.functional.logsigmoid
    expected = [
        torch.nn.functional.cross_entropy(torch.tensor([1.0, 2.0]), torch.tensor(1)),
        torch.nn.functional.cross_entropy(torch.tensor([0.5, -1.0, 3.0]), torch.tensor(2)),
        -sigmoid(torch.tensor(-4.0)),  # of one choice: is it right?
        -sigmoid(torch.tensor(-2.0)),
        torch.tensor(0.0),  # unknown
    ]
    assert torch.allclose(found, torch.stack(expected))


def test_a_missing_choice_has_no_gradient_and_breaks_none() -> None:
    scores = torch.tensor([[[1.0, 2.0, 99.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0]]])
    scores.requires_grad_()
    there = torch.tensor([[[True, True, False], [True, False, False], [False] * 3]])
    answers = torch.tensor([[0, step.NEGATIVE, -1]])
    step._item_losses(scores, there, answers, False).sum().backward()
    assert scores.grad.isfinite().all()
    assert (scores.grad != 0).tolist() == [[[True, True, False], [True, False, False], [False] * 3]]


def test_a_likelihood_is_its_own_loss() -> None:
    found = losses([[-3.0, -5.0], [-2.0, 0.0]], [[True, True], [True, False]], [1, 0], True)
    assert found.tolist() == pytest.approx([5.0, float(np.log1p(np.exp(2.0)))])


def test_what_is_told_of_a_step(bert: Path) -> None:
    """Rows and answers of each lane, the rate by its own count of steps; the rest is none."""
    recipe = like(RECIPE, warmup=0.5, schedule="linear", decay=0.3)
    job = made.job(bert, [TrainingTask(ITEMS[:9], (), 3), TrainingTask(ITEMS[9:], (), 4)], recipe)
    work, lanes = job.make_config(4, 2), [job._build_lane(0, 1.0), job._build_lane(1, 0.5)]
    weights = adam.LaneWeights.from_lanes(
        [work.net.start(lane.seed) for lane in lanes], work.device, work.dtype
    )
    made_step = step.TrainStep(work, step.BatchShape.from_lanes(work, lanes), weights, lanes, 3)
    made_step.load_batch([np.array([2, 0]), np.zeros(0, int)], [3, 5], [8, 8])
    assert made_step.rows.shape == (2, 6, 3)  # so that three parts are alike
    assert made_step.rows[0, :2].tolist() == lanes[0].train.rows[[2, 0]].tolist()
    assert (made_step.rows[0, 2:] == work.sequences.empty_index).all()
    assert (made_step.rows[1] == work.sequences.empty_index).all()
    assert made_step.answers[0, :2].tolist() == [ITEMS[2].answer, ITEMS[0].answer]
    assert (made_step.answers[0, 2:] == -1).all()
    assert made_step.lane_state.tolist() == [[1, 0.75, 0.3, 4], [0, 0.5 * 0.75, 0.3, 6]]


def test_without_correction_every_step_is_a_late_one(bert: Path) -> None:
    job = made.job(bert, [TrainingTask(ITEMS, (), 3)], like(RECIPE, correct=False))
    work, lane = job.make_config(8, 1), job._build_lane(0, 1.0)
    weights = adam.LaneWeights.from_lanes([work.net.start(3)], work.device, work.dtype)
    made_step = step.TrainStep(work, step.BatchShape.from_lanes(work, [lane]), weights, [lane], 1)
    made_step.load_batch([np.arange(3)], [0], [3])
    assert made_step.lane_state[0, adam.STEP] == step.UNCORRECTED_STEP
    assert 1 - 0.999**step.UNCORRECTED_STEP == 1


@pytest.mark.parametrize("parts", [1, 3, 8])
def test_all_parts_of_all_batches_have_room_and_no_more(bert: Path, parts: int) -> None:
    job = made.job(
        bert, [TrainingTask(ITEMS, ITEMS[:3], 3), TrainingTask(ITEMS[4:], (), 4)], RECIPE
    )
    work, lanes = job.make_config(8, 3), [job._build_lane(0, 1.0), job._build_lane(1, 1.0)]
    size = step.BatchShape.from_lanes(work, lanes, parts)
    lengths, each = work.sequences.lengths.numpy(), -(-8 // parts)
    widths = [
        lengths[lane.train.rows[some[at : at + each]]].sum()
        for lane in lanes
        for epoch in range(3)
        for some in step.epoch_batches(work, lane, epoch)
        for at in range(0, 8, each)
    ]
    assert max(widths) <= size.width < max(widths) + 64
    assert lengths.max() <= size.longest < lengths.max() + 8
    assert (size.choices, size.count) == (3, 24)
    whole = step.BatchShape.from_lanes(work, lanes)
    assert size.width < whole.width if parts > 1 else size == whole
