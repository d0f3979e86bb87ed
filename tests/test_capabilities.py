"""Optional capabilities of models: declared by attributes, decided in one place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest

from hansproof import capabilities, models, plugins
from hansproof.capabilities import Attributable, BatchLearner, Learner, Saveable
from hansproof.training.training_task import ProgressCallback, TrainingTask
from hansproof.types import FitInfo, Items, Model


@dataclass(frozen=True, slots=True)
class Able:
    """Has every capability."""

    selects: ClassVar[bool] = True
    slow: ClassVar[bool] = True
    gpu: ClassVar[float] = 0.5

    device: str = "auto"
    capacity: int = 3

    @property
    def fit_info(self) -> FitInfo:
        return FitInfo({"rate": 0.5}, tokenizer="word")

    def score(self, items: Items) -> list[tuple[float, ...]]:
        return [(0.0,) * len(item.choices) for item in items]

    def fit(self, items: Items, select: Items, seed: int) -> Model:
        return self

    def batch_capacity(self) -> int:
        return self.capacity

    def fit_many(
        self, tasks: Sequence[TrainingTask], on_progress: ProgressCallback
    ) -> Iterator[Model]:
        yield from (self for _ in tasks)

    def materials(self) -> dict[str, str]:
        return {"sha256": "ab"}

    def save(self, folder: str) -> None:
        raise NotImplementedError


def test_a_model_with_all_of_them() -> None:
    model = Able()
    assert isinstance(model, Learner)
    assert isinstance(model, BatchLearner)
    assert isinstance(model, Saveable)
    assert not isinstance(model, Attributable)
    assert capabilities.fit_info_of(model) == FitInfo({"rate": 0.5}, tokenizer="word")
    assert capabilities.needs_selection(model)
    assert capabilities.is_slow(model)
    assert [capabilities.batch_capacity(Able(capacity=n)) for n in (3, 0)] == [3, 1]
    assert capabilities.material_digests(model) == {"sha256": "ab"}
    assert capabilities.gpu_request(model) == 0.5
    assert [capabilities.uses_accelerator(Able(name)) for name in ("auto", "cpu")] == [True, False]


def test_a_model_with_none_of_them() -> None:
    model = models.load("chance")
    assert not isinstance(model, Learner | BatchLearner | Saveable | Attributable)
    assert capabilities.fit_info_of(model) == FitInfo()
    assert not capabilities.needs_selection(model)
    assert not capabilities.is_slow(model)
    assert capabilities.batch_capacity(model) == 1
    assert capabilities.material_digests(model) == {}
    assert capabilities.gpu_request(model) is None
    assert not capabilities.uses_accelerator(model)


def test_those_of_the_models_here() -> None:
    assert isinstance(models.load("saved:nowhere"), Attributable)
    assert isinstance(models.load("hf:nowhere"), BatchLearner)
    assert capabilities.is_slow(models.load("hf:nowhere"))
    assert capabilities.needs_selection(models.load("bov"))
    assert not capabilities.needs_selection(models.load("bow"))
    assert not isinstance(models.load("bow"), BatchLearner)


@pytest.mark.parametrize("spec", ["kept:nowhere", "kept:source=nowhere,device=cpu"])
def test_a_former_name_still_works_and_is_not_listed(spec: str) -> None:
    assert type(models.load(spec)) is plugins.load_class("models", "saved")
    assert "kept" not in plugins.names("models")
