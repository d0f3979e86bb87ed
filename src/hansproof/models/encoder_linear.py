"""A linear layer over the vectors of a frozen sentence encoder.

Of a choice c alone the features are its vector, with context q (all fields, joined) they are
c, q times c and the distance of q and c, in every dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..errors import BadInput
from ..training.select import right
from ..types import Item, Items
from . import _device, _linear
from ._features import Encoder
from ._linear import Floats


@dataclass(frozen=True, slots=True)
class EncoderLinear:
    """The encoder stays as it is; what is learnt is which directions of its vectors are right."""

    selects: ClassVar[bool] = True

    encoder: str = ""  # a transformers folder or hub id, with safetensors
    pooling: Literal["mean", "first"] = "mean"  # how a text's tokens become one vector
    penalties: tuple[float, ...] = (0.1, 1.0, 10.0, 100.0)  # on large weights, to choose from
    cache: str = ""  # folder for vectors of texts; else hansproof/features in the user's cache
    device: str = "auto"  # cpu, cuda, or cuda where there is one

    def __post_init__(self) -> None:
        if not self.penalties or not min(self.penalties) > 0:
            raise BadInput("encoder_linear:penalties", "must be at least one, each above 0")

    def fit(self, items: Items, select: Items, seed: int) -> Fitted:
        """Train on items with the penalty that is best on `select`; of equals the largest.

        Without items to select by, it is the middle one, of an even number the larger of the two
        in the middle. The seed changes nothing.
        """
        encoder = self._encoder()
        asked = any(item.fields for item in items)
        rows, (first, answers) = _rows(encoder, items, asked), _linear.layout(items)
        tried = self.penalties if select else self._middle()
        fitted = [
            Fitted(encoder, asked, *_linear.fit(rows, first, answers, penalty), penalty)
            for penalty in tried
        ]
        if len(fitted) == 1:
            return fitted[0]
        return max(fitted, key=lambda one: (right(one.score(select), select), one.penalty))

    def _middle(self) -> tuple[float, ...]:
        return (sorted(self.penalties)[len(self.penalties) // 2],)

    def materials(self) -> dict[str, str]:
        """The fingerprint of the encoder."""
        return {"encoder_fingerprint": self._encoder().fingerprint()}

    def _encoder(self) -> Encoder:
        return Encoder(self.encoder, self.pooling, self.cache, self.device)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A linear layer over an encoder."""

    encoder: Encoder
    asked: bool  # whether there was a context to train with
    weights: Floats
    bias: float
    penalty: float

    @property
    def chosen(self) -> dict[str, float]:
        return {"penalty": self.penalty}

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
        rows = _rows(self.encoder, items, self.asked)
        return _linear.by_item(items, _linear.scores(rows, self.weights, self.bias))


def _rows(encoder: Encoder, items: Items, asked: bool) -> Floats:
    """The features of all choices, stacked."""
    choices = _vectors(encoder, [choice for item in items for choice in item.choices])
    if not asked:
        return choices
    context = _vectors(encoder, [_context(item) for item in items])
    beside = np.repeat(context, [len(item.choices) for item in items], axis=0)
    products = beside * choices * np.sqrt(choices.shape[1])  # so that one penalty suits all
    return np.hstack([choices, products, np.abs(beside - choices)])


def _context(item: Item) -> str:
    return " ".join(item.fields.values())


def _vectors(encoder: Encoder, texts: Sequence[str]) -> Floats:
    return encoder.vectors(texts).astype(np.float64)
