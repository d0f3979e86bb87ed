"""Sparse features of a frozen encoder: coordinates in which the vector of a choice stands out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..cues.counts import ChoiceLayout
from .features import FeatureBlock, build_block

RUNG = "encoder"
SHARE = 0.08  # of all choices, that stand out in a direction
N_EXAMPLES = 2
EXAMPLE_LENGTH = 40


@dataclass(frozen=True, slots=True)
class ChoiceCoordinates:
    """The vector of every choice by a frozen encoder."""

    model: str
    vectors: NDArray[np.float32]
    texts: Sequence[str]


def encoder_features(encoders: tuple[ChoiceCoordinates, ...], layout: ChoiceLayout) -> FeatureBlock:
    """Return in which directions the vector of a choice is among the most extreme."""
    keys, choices, start = [], [], 0
    for encoder in encoders:
        centred = encoder.vectors - encoder.vectors.mean(axis=0)
        signed = np.concatenate([centred, -centred], axis=1)
        thresholds = np.quantile(signed, 1 - SHARE, axis=0)
        choice, direction = np.nonzero(signed > thresholds)
        keys.append(direction + start)
        choices.append(choice)
        start += signed.shape[1]

    def name_direction(key: int) -> str:
        for encoder in encoders:
            dimensions = encoder.vectors.shape[1]
            if key < 2 * dimensions:
                sign = 1 if key < dimensions else -1
                values = sign * encoder.vectors[:, key % dimensions]
                return f"resembles {_quote_examples(values, encoder.texts)} (by {encoder.model})"
            key -= 2 * dimensions
        raise IndexError(key)

    return build_block(RUNG, np.concatenate(keys), np.concatenate(choices), layout, name_direction)


def _quote_examples(values: NDArray[np.float32], texts: Sequence[str]) -> str:
    examples = dict.fromkeys(texts[i][:EXAMPLE_LENGTH] for i in np.argsort(-values)[:N_EXAMPLES])
    return " and ".join(f"“{text}”" for text in examples)
