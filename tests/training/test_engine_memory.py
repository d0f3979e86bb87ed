"""Where memory does not suffice: fewer lanes, then smaller parts, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from hansproof.errors import ModelError
from hansproof.training.training_task import TrainingTask
from tests.support import checkpoints

from ..support import training_factories as made
from ..support.training_factories import RECIPE

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
engine = pytest.importorskip("hansproof.training.engine")
Step = pytest.importorskip("hansproof.training.step").TrainStep

pytestmark = pytest.mark.usefixtures("alone")
ITEMS = checkpoints.mixed(24, 5)
TASKS = [TrainingTask(ITEMS[at : at + 8], (), 20 + at) for at in range(7)]
Train = Callable[[], tuple[list[Any], list[tuple[list[int], int]]]]


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return made.job(made.bert(tmp_path_factory.mktemp("bert")), TASKS, RECIPE)


@pytest.fixture
def train(job: Any, monkeypatch: pytest.MonkeyPatch) -> Train:
    """Trains all, and tells which seeds went together, in how many parts."""
    asked: list[tuple[list[int], int]] = []
    plain = engine._train_together

    def together(work: Any, lanes: Sequence[Any], parts: int, watch: Any) -> Any:
        asked.append(([lane.seed for lane in lanes], parts))
        return plain(work, lanes, parts, watch)

    monkeypatch.setattr(engine, "_train_together", together)

    def run() -> tuple[list[Any], list[tuple[list[int], int]]]:
        lanes = [job._build_lane(at, 1e-3) for at in range(len(TASKS))]
        return list(engine.train_lanes(job.make_config(8, 2), lanes)), asked

    return run


@pytest.fixture(scope="module")
def expected(job: Any) -> list[Any]:
    """Each by itself, with all the room there is."""
    lanes = [job._build_lane(at, 1e-3) for at in range(len(TASKS))]
    return [
        engine._train_together(job.make_config(8, 2), [lane], 1, lambda *_: None)[0]
        for lane in lanes
    ]


def check(found: list[Any], expected: list[Any]) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        for name, weight in one.weights.items():
            if not name.endswith("qkv.b"):
                assert torch.allclose(weight, other.weights[name], atol=2e-5), name


def crowded(most: int) -> Callable[[Any], None]:
    """A step that has room for so many items of all lanes, and no more."""
    plain = Step.run

    def run(self: Any) -> None:
        if self.tensor_shape[0] * (self.tensor_shape[1] // self.n_parts) > most:
            raise torch.OutOfMemoryError("made")
        plain(self)

    return run


def test_on_a_cpu_there_is_one_lane(train: Train, job: Any, expected: list[Any]) -> None:
    found, asked = train()
    assert asked == [([20 + at], 1) for at in range(7)]
    check(found, expected)


def test_lanes_go_together_as_many_as_there_is_room_for(
    train: Train, monkeypatch: pytest.MonkeyPatch, expected: list[Any]
) -> None:
    monkeypatch.setattr(engine, "_lane_capacity", lambda work, lanes: 3)
    found, asked = train()
    assert asked == [([20, 21, 22], 1), ([23, 24, 25], 1), ([26], 1)]
    check(found, expected)


def test_fewer_lanes_are_tried_where_memory_does_not_suffice(
    train: Train, monkeypatch: pytest.MonkeyPatch, expected: list[Any]
) -> None:
    monkeypatch.setattr(engine, "_lane_capacity", lambda work, lanes: 8)
    monkeypatch.setattr(Step, "run", crowded(2 * 8))
    found, asked = train()
    assert [len(seeds) for seeds, _ in asked] == [7, 4, 2, 2, 2, 1]
    assert [seed for seeds, _ in asked[2:] for seed in seeds] == [20 + at for at in range(7)]
    check(found, expected)


@pytest.mark.parametrize(("most", "parts"), [(4, 2), (1, 8)])
def test_one_lane_goes_in_parts_where_memory_does_not_suffice(
    train: Train, monkeypatch: pytest.MonkeyPatch, expected: list[Any], most: int, parts: int
) -> None:
    monkeypatch.setattr(Step, "run", crowded(most))
    found, asked = train()
    assert asked[-7:] == [([20 + at], parts) for at in range(7)]
    check(found, expected)


def test_lanes_first_then_parts(
    train: Train, monkeypatch: pytest.MonkeyPatch, expected: list[Any]
) -> None:
    monkeypatch.setattr(engine, "_lane_capacity", lambda work, lanes: 4)
    monkeypatch.setattr(Step, "run", crowded(4))
    found, asked = train()
    tried = [(len(seeds), parts) for seeds, parts in asked]
    assert tried == [(4, 1), (2, 1), (1, 1)] + [(1, 2)] * 7
    check(found, expected)


def test_memory_that_runs_out_in_the_middle_costs_nobody_a_run(
    train: Train, monkeypatch: pytest.MonkeyPatch, expected: list[Any]
) -> None:
    """At the last step of the second lot: these begin anew, the first stay as they are."""
    plain, taken = Step.run, iter(range(10_000))

    def run(self: Any) -> None:
        plain(self)
        if next(taken) == 3:
            raise torch.OutOfMemoryError("made")

    monkeypatch.setattr(engine, "_lane_capacity", lambda work, lanes: 4)
    monkeypatch.setattr(Step, "run", run)
    found, asked = train()
    assert [len(seeds) for seeds, _ in asked] == [4, 3, 2, 1]
    check(found, expected)


def test_where_not_one_item_has_room_it_is_said(
    train: Train, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Step, "run", crowded(0))
    with pytest.raises(ModelError, match="cpu: not enough memory for even one item of a batch"):
        train()


def test_what_is_finished_is_handed_on_before_the_rest_is_trained(
    job: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    plain = engine._train_together

    def together(work: Any, lanes: Sequence[Any], *given: Any) -> Any:
        begun.append(len(lanes))
        return plain(work, lanes, *given)

    monkeypatch.setattr(engine, "_lane_capacity", lambda work, lanes: 2)
    monkeypatch.setattr(engine, "_train_together", together)
    told: list[float] = []
    lanes = [job._build_lane(at, 1e-3) for at in range(5)]
    found = engine.train_lanes(
        job.make_config(8, 2), lanes, lambda share, accuracy: told.append(share)
    )
    assert not begun
    assert [len(begun) for _ in found] == [1, 1, 2, 2, 3]
    assert told == pytest.approx([0.2, 0.4, 0.6, 0.8, 0.9, 1.0])


def test_a_gpu_has_lanes_by_its_free_memory(job: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lanes = [job._build_lane(at % 7, 1e-3) for at in range(50)]
    work = replace(job.make_config(8, 2), device=torch.device("cuda"))

    def room(free: float, work: Any = work, some: int = 50) -> int:
        monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (int(free), int(free)))
        return int(engine._lane_capacity(work, lanes[:some]))

    each = next(free for free in range(10**5, 10**8, 10**5) if room(free) > 1) / 2
    assert room(0) == room(each) == 1
    assert 4 <= room(5 * each) <= 6
    assert room(1e12) == engine.MAX_LANES
    assert room(1e12, some=5) == 5
    assert room(1e12, replace(work, deterministic=True)) == 1
    assert room(1e12, replace(work, device=torch.device("cpu"))) == 1
