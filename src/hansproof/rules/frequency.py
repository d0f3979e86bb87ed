"""How common the words of a choice are in the other items of the benchmark, and its likelihood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..cues.counts import ChoiceLayout
from ..text.encoding import EncodedTexts
from .comparisons import Floats, mark_largest, mark_smallest, mean_of_others
from .features import FeatureBlock, Mask, build_mask_block, sort_distinct

FREQUENCY, LIKELIHOOD = "frequency", "likelihood"
FREQUENCY_STEPS = (0.25, 0.5, 1.0)  # of the mean logarithm of word counts
MEAN_STEPS = (0.1, 0.25, 0.5, 1.0, 1.5)  # nats per token
TOTAL_STEPS = (2.0, 5.0, 10.0, 20.0)  # nats


@dataclass(frozen=True, slots=True)
class ChoiceLogs:
    """The log-likelihood of every choice under a language model, in total and per token."""

    model: str
    total: Floats
    mean: Floats


def frequency_features(encoded: EncodedTexts, layout: ChoiceLayout) -> FeatureBlock:
    """Return whether the words of a choice are common in the other items."""
    item = layout.item[np.repeat(np.arange(layout.item.size), np.diff(encoded.offsets))]
    size = len(encoded.vocabulary) + 1
    pairs = sort_distinct(item * np.int64(size) + encoded.ids)
    in_items = np.bincount(pairs % size, minlength=size)
    logs = np.log(in_items[encoded.ids])  # of items with the word; its own item counts as one
    totals = np.concatenate(([0.0], np.cumsum(logs)))
    lengths = np.diff(encoded.offsets)
    mean = (totals[encoded.offsets[1:]] - totals[encoded.offsets[:-1]]) / np.maximum(lengths, 1)
    rarest = np.zeros(layout.item.size)
    has_words = np.flatnonzero(lengths)
    if has_words.size:
        rarest[has_words] = np.minimum.reduceat(logs, encoded.offsets[:-1][has_words])
    masks = {
        **_step_masks(np.round(mean, 9), layout, FREQUENCY_STEPS),
        "has the rarest word of all": mark_smallest(rarest, layout),
        "has no word as rare as the others have": mark_largest(rarest, layout),
    }
    return build_mask_block(FREQUENCY, masks, layout)


def likelihood_features(logs: tuple[ChoiceLogs, ...], layout: ChoiceLayout) -> FeatureBlock:
    """Return how likely each choice is under language models, compared with the others."""
    masks: dict[str, Mask] = {}
    for model in logs:
        by = f" under {model.model}" if len(logs) > 1 else ""
        masks |= {
            f"is the most likely per token{by}": mark_largest(model.mean, layout),
            f"is the least likely per token{by}": mark_smallest(model.mean, layout),
            f"is the most likely in total{by}": mark_largest(model.total, layout),
            f"is the least likely in total{by}": mark_smallest(model.total, layout),
        }
        mean, total = f"likely per token{by}", f"likely in total{by}"
        masks |= _difference_masks(model.mean, layout, mean, MEAN_STEPS)
        masks |= _difference_masks(model.total, layout, total, TOTAL_STEPS)
    return build_mask_block(LIKELIHOOD, masks, layout)


def _difference_masks(
    values: Floats, layout: ChoiceLayout, quantity: str, steps: tuple[float, ...]
) -> dict[str, Mask]:
    difference = values - mean_of_others(values, layout)
    masks: dict[str, Mask] = {}
    for step in steps:
        amount = f"{step:g} {'nat' if step == 1 else 'nats'}"
        masks |= {
            f"is at least {amount} more {quantity} than the others on average": difference >= step,
            f"is at least {amount} less {quantity} than the others on average": difference <= -step,
        }
    return masks


def _step_masks(values: Floats, layout: ChoiceLayout, steps: tuple[float, ...]) -> dict[str, Mask]:
    difference = values - mean_of_others(values, layout)
    masks = {
        "has the most common words on average": mark_largest(values, layout),
        "has the rarest words on average": mark_smallest(values, layout),
    }
    for step in steps:
        factor = f"at least {np.exp(step):.2g} times"
        masks[f"has words {factor} as common as those of the others"] = difference >= step
        masks[f"has words {factor} as rare as those of the others"] = difference <= -step
    return masks
