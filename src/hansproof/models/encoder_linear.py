"""A linear layer over the vectors of a frozen sentence encoder.

The features of a choice alone are its vector c. With a context q (all fields, joined) they are c,
the product of q and c, and the absolute difference of q and c, in every dimension.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from ..errors import BadInput
from ..linear import solver
from ..linear.solver import Floats
from ..pretrained.text_encoder import TextEncoder
from ..training.selection import selection_accuracy
from ..types import Item, Items
from ._transformers.frozen import FrozenEncoderRanker


@dataclass(frozen=True, slots=True)
class EncoderLinear:
    """Learns a linear layer; the encoder is not changed."""

    selects: ClassVar[bool] = True

    encoder: str = ""  # a transformers folder or hub id, with safetensors
    pooling: Literal["mean", "first"] = "mean"  # how token vectors are combined into one
    penalties: tuple[float, ...] = (0.1, 1.0, 10.0, 100.0)  # L2 penalties to choose from
    cache: str = ""  # folder for text vectors; default: hansproof/features in your cache
    device: str = "auto"  # cpu, cuda, or auto: cuda if available

    def __post_init__(self) -> None:
        if not self.penalties or not min(self.penalties) > 0:
            raise BadInput("encoder_linear:penalties", "needs at least one penalty, each above 0")

    def fit(self, items: Items, select: Items, seed: int) -> FrozenEncoderRanker:
        """Train on items with the penalty that is best on `select`; of equals, the largest.

        Without select items, use the middle penalty, of an even number the larger of the two in the
        middle. The seed has no effect.
        """
        encoder = self._build_encoder()
        has_context = any(item.fields for item in items)  # some item has one
        build_rows = partial(choice_features, encoder, has_context)
        rows, (offsets, answers) = build_rows(items), solver.choice_layout(items)
        models_by_penalty = {
            penalty: FrozenEncoderRanker(
                encoder,
                build_rows,
                *solver.fit_weights(rows, offsets, answers, penalty),
                {"penalty": penalty},
            )
            for penalty in (self.penalties if select else self._middle_penalty())
        }
        if len(models_by_penalty) == 1:
            return next(iter(models_by_penalty.values()))
        return models_by_penalty[
            max(
                models_by_penalty,
                key=lambda candidate: (
                    selection_accuracy(models_by_penalty[candidate].score(select), select),
                    candidate,
                ),
            )
        ]

    def _middle_penalty(self) -> tuple[float, ...]:
        return (sorted(self.penalties)[len(self.penalties) // 2],)

    def materials(self) -> dict[str, str]:
        """Return the fingerprint of the encoder."""
        return {"encoder_fingerprint": self._build_encoder().fingerprint()}

    def _build_encoder(self) -> TextEncoder:
        return TextEncoder(self.encoder, self.pooling, self.cache, self.device)


def choice_features(encoder: TextEncoder, with_context: bool, items: Items) -> Floats:
    """Return the features of all choices, stacked; `with_context` adds those of the fields."""
    choices = _encode_texts(encoder, [choice for item in items for choice in item.choices])
    if not with_context:
        return choices
    context_vectors = _encode_texts(encoder, [_join_fields(item) for item in items])
    contexts = np.repeat(context_vectors, [len(item.choices) for item in items], axis=0)
    products = contexts * choices * np.sqrt(choices.shape[1])  # one penalty then suits all features
    return np.hstack([choices, products, np.abs(contexts - choices)])


def _join_fields(item: Item) -> str:
    return " ".join(item.fields.values())


def _encode_texts(encoder: TextEncoder, texts: Sequence[str]) -> Floats:
    return encoder.encode_texts(texts).astype(np.float64)
