"""Models and items for TextAttack, to run its attack recipes on multiple choice.

    >>> for shape, group in group_by_shape(items).items():
    ...     attack = DeepWordBugGao2018.build(MultipleChoiceWrapper(model, shape))
    ...     args = AttackArgs(num_examples=len(group))
    ...     Attacker(attack, build_dataset(group), args).attack_dataset()

TextAttack passes only texts to a model, so a wrapper is for items of one shape: the same fields,
number of choices and kind of question. The label of an item is the index of its answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput, MissingExtra, ModelError
from ..types import FULL, Items, Model
from ..views import apply_view, parse_view
from .text_rows import RowShape, common_shape, group_by_shape, item_texts

try:
    from textattack.datasets import Dataset
    from textattack.models.wrappers import ModelWrapper
except ImportError:
    raise MissingExtra("attack", "TextAttack") from None

__all__ = ["MultipleChoiceWrapper", "RowShape", "build_dataset", "group_by_shape"]


class MultipleChoiceWrapper(ModelWrapper):  # type: ignore[misc]
    """Wraps a model for TextAttack; scores rows of one shape."""

    def __init__(self, model: Model, shape: RowShape) -> None:
        if shape.choices < 2:
            raise BadInput("items", "with only one choice cannot be attacked")
        self.model = model  # TextAttack inspects the class of this attribute
        self.shape = shape
        self._view = parse_view(FULL, shape.fields)

    def __call__(self, text_input_list: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Score all choices of all rows, shifted so that the best choice has 0.

        TextAttack takes scores that sum to 1 for probabilities and all others for logarithms of
        probabilities; shifted scores never sum to 1.
        """
        items = tuple(self.shape.to_item(texts) for texts in text_input_list)
        scores = np.array(
            self.model.score(apply_view(self._view, items, answers=False)), np.float64
        )
        if not np.isfinite(scores).all():
            raise ModelError(
                "a score is not a number, so TextAttack cannot tell which choice is picked"
            )
        return np.asarray(scores - scores.max(axis=1, keepdims=True))


def build_dataset(items: Items) -> Dataset:
    """Build a TextAttack dataset from labelled items of one shape."""
    shape = common_shape(items)
    unlabelled = next((item.id for item in items if item.answer is None), None)
    if unlabelled is not None:
        raise BadInput("items", f"{unlabelled} has no answer, so it cannot be attacked")
    return Dataset([(item_texts(item), item.answer) for item in items], input_columns=shape.columns)
