"""Several runs at once: each as if it were alone, whatever becomes of the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hansproof.training.recipes import Recipe
from hansproof.training.training_task import TrainingTask
from tests.support import checkpoints

from ..support import training_factories as made
from ..support.training_factories import RECIPE, like

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
engine = pytest.importorskip("hansproof.training.engine")

pytestmark = pytest.mark.usefixtures("alone")
ITEMS = checkpoints.mixed(49, 5)
SELECT = checkpoints.items(12, 8, counts=(3, 2))
# other items, of which there are other numbers of batches; other seeds and rates
TASKS = [
    TrainingTask(ITEMS[:30], SELECT[:5], 3),
    TrainingTask(ITEMS[12:], SELECT, 4),
    TrainingTask(ITEMS[35:49], SELECT[6:], 11),
]
RATES = [1e-3, 4e-4, 2e-3]
OTHER = like(RECIPE, pooling="mean", clip=0.0, leftover="drop")


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.bert(tmp_path_factory.mktemp("bert"))


def run(job: Any, which: list[int], rates: list[float], epochs: int = 4) -> tuple[Any, Any]:
    """What became of some lanes, and the losses of each where it took part."""
    work = job.make_config(8, epochs)
    lanes = [job._build_lane(at, rates[at]) for at in which]
    with made.watched() as losses:
        found = engine._train_together(work, lanes, 1, lambda done, now: None)
    of_lanes = [[loss for loss in lane if loss] for lane in zip(*losses, strict=True)]
    return found, of_lanes


def same(one: Any, other: Any, tolerance: float = 1e-5) -> bool:
    """Whether two ended alike; in keys there is a bias to which attention is blind."""
    assert one.weights.keys() == other.weights.keys()
    alike = [
        torch.allclose(_seen(name, weight), _seen(name, other.weights[name]), atol=tolerance)
        for name, weight in one.weights.items()
    ]
    return (one.epoch, one.accuracy) == (other.epoch, other.accuracy) and all(alike)


def _seen(name: str, weight: Any) -> Any:
    if not name.endswith("qkv.b"):
        return weight
    queries, _, values = weight.chunk(3)
    return torch.cat([queries, values])


@pytest.mark.parametrize(
    "recipe", [RECIPE, like(RECIPE, pooling="mean", clip=0.0, leftover="drop")]
)
def test_lanes_together_are_the_lanes_alone(bert: Path, recipe: Recipe) -> None:
    """With other items, seeds, rates and numbers of steps in an epoch."""
    job = made.job(bert, TASKS, recipe)
    together, losses = run(job, [0, 1, 2], RATES)
    assert len({len(some) for some in losses}) == 3
    for at in range(3):
        (alone,), (expected,) = run(job, [at], RATES)
        assert losses[at] == pytest.approx(expected, abs=1e-5)
        assert same(together[at], alone)


def test_a_lane_does_not_depend_on_its_place(bert: Path) -> None:
    job = made.job(bert, TASKS, RECIPE)
    forth, _ = run(job, [0, 1, 2], RATES)
    back, _ = run(job, [2, 1, 0], RATES)
    assert all(same(one, other) for one, other in zip(forth, back[::-1], strict=True))
    assert not same(forth[0], forth[2])


@pytest.mark.parametrize("broken", [0, 1, 2])
def test_a_lane_that_breaks_down_touches_no_other(bert: Path, broken: int) -> None:
    job = made.job(bert, TASKS, RECIPE)
    expected, _ = run(job, [0, 1, 2], RATES)
    rates = [1e20 if at == broken else rate for at, rate in enumerate(RATES)]
    found, _ = run(job, [0, 1, 2], rates)
    for at in range(3):
        if at == broken:
            assert found[at].weights is None
            assert (found[at].epoch, found[at].accuracy) == (0, None)
        else:
            assert same(found[at], expected[at])


def test_a_lane_that_breaks_down_late_keeps_what_was_best_before(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not mended either: weights that were once no numbers stay out."""
    job = made.job(bert, TASKS, RECIPE)
    finite, earned = iter([True, False, True]), iter([0.5, 0.9])
    monkeypatch.setattr(engine, "_is_finite", lambda weights, at: next(finite, True))
    monkeypatch.setattr(engine, "selection_accuracy", lambda rows, items: next(earned))
    (found,), _ = run(job, [0], RATES, epochs=3)
    assert (found.epoch, found.accuracy) == (1, 0.5)
    assert found.weights is not None


@pytest.mark.slow
def test_in_half_precision_lanes_are_apart_too(bert: Path) -> None:
    job = made.job(bert, TASKS, RECIPE, half=True)
    together, losses = run(job, [0, 1, 2], RATES)
    for at in range(3):
        _, (expected,) = run(job, [at], RATES)
        assert losses[at] == pytest.approx(expected, abs=0.02)
        assert together[at].weights["0.up.w"].dtype == torch.float32
