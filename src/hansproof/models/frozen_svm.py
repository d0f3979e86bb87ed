"""A support vector machine over a frozen encoder's vector of question and choice together.

Kavumba et al. 2019: each choice is represented by the vector of its first token, labelled +1 if it
is right and -1 if not; of an item's choices, the one with the largest decision value is picked.
Both labels have the same weight: with more than two choices, calling all of them wrong would
otherwise have the lowest cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from ..errors import BadInput, MissingExtra, ModelError
from ..linear.solver import Floats
from ..pretrained import input_formats
from ..pretrained.text_encoder import TextEncoder
from ..training.selection import selection_accuracy
from ..types import Items
from ._transformers.frozen import FrozenEncoderRanker

MAX_STEPS = 100_000  # of the solver, which warns if they do not suffice


@dataclass(frozen=True, slots=True)
class FrozenSvm:
    """Learns a hyperplane between right and wrong choices; the encoder is not changed."""

    selects: ClassVar[bool] = True

    encoder: str = ""  # a transformers folder or hub id, with safetensors
    pooling: Literal["first", "mean"] = "first"  # the vector of the first token, or of all
    joined: bool = False  # question and choice as one segment, as for RoBERTa and ALBERT
    unit: bool = False  # scale vectors to length 1, unlike the paper
    costs: tuple[float, ...] = (0.0001, 0.001, 0.01, 0.1, 1.0)  # costs of errors (C) to choose from
    cache: str = ""  # folder for text vectors; default: hansproof/features in your cache
    device: str = "auto"  # cpu, cuda, or auto: cuda if available

    def __post_init__(self) -> None:
        if not self.costs or not min(self.costs) > 0:
            raise BadInput("frozen_svm:costs", "needs at least one cost, each above 0")

    def fit(self, items: Items, select: Items, seed: int) -> FrozenEncoderRanker:
        """Train on items with the cost that is best on `select`; of equals, the smallest.

        Without select items, use the middle cost, of an even number the smaller of the two in the
        middle. The seed has no effect.
        """
        encoder = self._build_encoder()
        build_rows = partial(_choice_vectors, encoder, self.joined)
        rows, signs = build_rows(items), _answer_signs(items)
        models_by_cost = {
            cost: FrozenEncoderRanker(
                encoder, build_rows, *_fit_plane(rows, signs, cost), {"cost": cost}
            )
            for cost in (sorted(self.costs) if select else self._middle_cost())
        }
        if len(models_by_cost) == 1:
            return next(iter(models_by_cost.values()))
        return models_by_cost[
            max(
                models_by_cost,
                key=lambda candidate: (
                    selection_accuracy(models_by_cost[candidate].score(select), select),
                    -candidate,
                ),
            )
        ]

    def _middle_cost(self) -> list[float]:
        return [sorted(self.costs)[(len(self.costs) - 1) // 2]]

    def materials(self) -> dict[str, str]:
        """Return the fingerprint of the encoder."""
        return {"encoder_fingerprint": self._build_encoder().fingerprint()}

    def _build_encoder(self) -> TextEncoder:
        return TextEncoder(self.encoder, self.pooling, self.cache, self.device, self.unit)


def _choice_vectors(encoder: TextEncoder, joined: bool, items: Items) -> Floats:
    """Return the vectors of all choices with their questions, stacked."""
    build_segments = input_formats.format_joined if joined else input_formats.format_pair
    texts = [build_segments(item, choice) for item in items for choice in item.choices]
    return encoder.encode_texts(texts).astype(np.float64)


def _answer_signs(items: Items) -> Floats:
    """Return +1 for each right choice, -1 for each wrong one."""
    is_answer = (index == item.answer for item in items for index in range(len(item.choices)))
    return np.array([1.0 if is_right else -1.0 for is_right in is_answer])


def _fit_plane(rows: Floats, signs: Floats, cost: float) -> tuple[Floats, float]:
    """Return weights and bias of a soft-margin SVM with hinge loss (Cortes and Vapnik 1995)."""
    if len(set(signs.tolist())) < 2:
        raise ModelError("frozen_svm: needs both right and wrong choices to train on")
    try:
        from sklearn.svm import LinearSVC
    except ImportError:
        raise MissingExtra("models", "a support vector machine") from None
    svm = LinearSVC(
        C=cost, loss="hinge", dual=True, class_weight="balanced", max_iter=MAX_STEPS, random_state=0
    ).fit(rows, signs)
    return np.asarray(svm.coef_[0], np.float64), float(svm.intercept_[0])
