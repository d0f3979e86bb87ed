"""The models of an input, each once, with names that differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from .model_names import distinct_names


class NamedModel(Protocol):
    """What a model says of texts; a dataclass."""

    @property
    def model(self) -> str:
        """The short name of the model."""

    @property
    def identity(self) -> str:
        """What no other model has in common with this one."""


AnyModel = TypeVar("AnyModel", bound=NamedModel)


def distinct_models(models: Iterable[AnyModel]) -> list[AnyModel]:
    """Drop models that occur again, and add part of a digest to names that several share."""
    unique: dict[str, AnyModel] = {}
    for model in models:
        unique.setdefault(model.identity, model)
    names = distinct_names([model.model for model in unique.values()], [*unique])
    return [
        model if model.model == name else cast(AnyModel, replace(cast(Any, model), model=name))
        for model, name in zip(unique.values(), names, strict=True)
    ]
