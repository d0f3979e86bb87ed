"""Jobs for the engine over a tiny BERT, and what goes on in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hansproof.training.recipes import Recipe
from hansproof.training.training_task import TrainingTask
from tests.support import checkpoints

RECIPE = Recipe(decay=0.1, schedule="linear", warmup=0.1, clip=1.0, pooling="pooler")


def bert(folder: Path, **other: Any) -> Path:
    """A checkpoint without dropout, whose weights are so large that gradients are not noise."""
    given = {"initializer_range": 0.2, "num_attention_heads": 2, **checkpoints.undropped("bert")}
    return checkpoints.checkpoint(folder, "bert", **{**given, **other})


def job(folder: Path, tasks: Sequence[TrainingTask], recipe: Recipe, half: bool = False) -> Any:
    """Tasks as the engine gets them, on a CPU."""
    import torch

    from hansproof.models._architectures import InputFormat, load_model
    from hansproof.models._transformers.finetune import _FinetuneJob
    from hansproof.pretrained.checkpoint import fingerprint

    way = InputFormat(recipe.pooling, recipe.inputs, recipe.length, recipe.head_dropout, "")
    open = load_model(str(folder), fingerprint(str(folder)), way)
    dtype = torch.bfloat16 if half else torch.float32
    return _FinetuneJob.build(open, tasks, recipe, torch.device("cpu"), dtype, False)


def family(folder: Path, recipe: Recipe) -> Any:
    """What the engine's network is made of."""
    from hansproof.models._architectures import InputFormat, load_model
    from hansproof.pretrained.checkpoint import fingerprint

    way = InputFormat(recipe.pooling, recipe.inputs, recipe.length, recipe.head_dropout, "")
    return load_model(str(folder), fingerprint(str(folder)), way).architecture


@contextmanager
def watched() -> Iterator[list[list[float]]]:
    """The losses of all lanes at every step that is taken meanwhile."""
    from hansproof.training.step import TrainStep

    found: list[list[float]] = []
    plain = TrainStep.run

    def run(self: TrainStep) -> None:
        plain(self)
        found.append(self.losses.tolist())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TrainStep, "run", run)
        yield found


def like(recipe: Recipe, **other: Any) -> Recipe:
    """The same recipe but for something."""
    return replace(recipe, **other)
