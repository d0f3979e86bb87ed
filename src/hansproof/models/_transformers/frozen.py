"""Linear rankers over the vectors of a frozen encoder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...linear import solver
from ...linear.solver import Floats
from ...pretrained import devices
from ...pretrained.text_encoder import TextEncoder
from ...types import FitInfo, Items


@dataclass(frozen=True, slots=True, eq=False)
class FrozenEncoderRanker:
    """Scores choices by a linear function of their vectors."""

    encoder: TextEncoder
    build_rows: Callable[[Items], Floats]  # returns a row for each choice
    weights: Floats
    bias: float
    chosen: dict[str, float]

    @property
    def fit_info(self) -> FitInfo:
        device = devices.describe_device(devices.find_device(self.encoder.device))
        return FitInfo(self.chosen, tokenizer="of the encoder", device=device)

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return one score per choice."""
        if not items:
            return []
        return solver.group_by_item(
            items, solver.score_rows(self.build_rows(items), self.weights, self.bias)
        )
