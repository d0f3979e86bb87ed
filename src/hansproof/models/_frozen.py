"""What is learnt over the vectors of a frozen encoder: a number for every dimension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..types import Items
from . import _device, _linear
from ._features import Encoder
from ._linear import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Frozen:
    """Weights over what an encoder makes of the choices of items."""

    encoder: Encoder
    rows: Callable[[Items], Floats]  # a row for each choice
    weights: Floats
    bias: float
    chosen: dict[str, float]

    @property
    def tokenizer(self) -> str:
        return "of the encoder"

    @property
    def device(self) -> str:
        return _device.describe(_device.find(self.encoder.device))

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """One score per choice."""
        if not items:
            return []
        return _linear.by_item(items, _linear.scores(self.rows(items), self.weights, self.bias))
