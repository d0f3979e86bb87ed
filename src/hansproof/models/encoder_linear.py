"""A linear layer over the vectors of a frozen sentence encoder.

Of a choice c alone the features are its vector, with context q (all fields, joined) they are
c, q times c and the distance of q and c, in every dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from ..errors import BadInput
from ..training.select import right
from ..types import Item, Items
from . import _linear
from ._features import Encoder
from ._frozen import Frozen
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

    def fit(self, items: Items, select: Items, seed: int) -> Frozen:
        """Train on items with the penalty that is best on `select`; of equals the largest.

        Without items to select by, it is the middle one, of an even number the larger of the two
        in the middle. The seed changes nothing.
        """
        encoder = self._encoder()
        asked = any(item.fields for item in items)  # whether there is a context to train with
        form = partial(features, encoder, asked)
        rows, (first, answers) = form(items), _linear.layout(items)
        fitted = {
            penalty: Frozen(
                encoder, form, *_linear.fit(rows, first, answers, penalty), {"penalty": penalty}
            )
            for penalty in (self.penalties if select else self._middle())
        }
        if len(fitted) == 1:
            return next(iter(fitted.values()))
        return fitted[max(fitted, key=lambda one: (right(fitted[one].score(select), select), one))]

    def _middle(self) -> tuple[float, ...]:
        return (sorted(self.penalties)[len(self.penalties) // 2],)

    def materials(self) -> dict[str, str]:
        """The fingerprint of the encoder."""
        return {"encoder_fingerprint": self._encoder().fingerprint()}

    def _encoder(self) -> Encoder:
        return Encoder(self.encoder, self.pooling, self.cache, self.device)


def features(encoder: Encoder, asked: bool, items: Items) -> Floats:
    """The features of all choices, stacked; `asked`: with the context."""
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
