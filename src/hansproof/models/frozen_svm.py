"""A support vector machine over what a frozen encoder makes of question and choice together.

Kavumba et al. 2019: of every choice the vector of the first token, right ones are +1 and wrong ones
-1, and of an item's choices the one of the largest decision value is taken. The two sides weigh the
same: where items have more than two choices, it would else be cheapest to call all of them wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from ..errors import BadInput, MissingExtra, ModelError
from ..training.select import right
from ..types import Items
from . import _inputs
from ._features import Encoder
from ._frozen import Frozen
from ._linear import Floats

STEPS = 100_000  # of the solver, which says so where they are too few


@dataclass(frozen=True, slots=True)
class FrozenSvm:
    """The encoder stays as it is; what is learnt is a plane between right and wrong choices."""

    selects: ClassVar[bool] = True

    encoder: str = ""  # a transformers folder or hub id, with safetensors
    pooling: Literal["first", "mean"] = "first"  # the vector of the first token, or of all
    joined: bool = False  # question and choice as one segment, as RoBERTa and ALBERT take them
    unit: bool = False  # bring vectors to length 1, which the paper does not
    costs: tuple[float, ...] = (0.0001, 0.001, 0.01, 0.1, 1.0)  # of errors (C), to choose from
    cache: str = ""  # folder for vectors of texts; else hansproof/features in the user's cache
    device: str = "auto"  # cpu, cuda, or cuda where there is one

    def __post_init__(self) -> None:
        if not self.costs or not min(self.costs) > 0:
            raise BadInput("frozen_svm:costs", "must be at least one, each above 0")

    def fit(self, items: Items, select: Items, seed: int) -> Frozen:
        """Train on items with the cost that is best on `select`; of equals the smallest.

        Without items to select by, it is the middle one, of an even number the smaller of the two
        in the middle. The seed changes nothing.
        """
        encoder = self._encoder()
        form = partial(_rows, encoder, self.joined)
        rows, sides = form(items), _sides(items)
        fitted = {
            cost: Frozen(encoder, form, *_plane(rows, sides, cost), {"cost": cost})
            for cost in (sorted(self.costs) if select else self._middle())
        }
        if len(fitted) == 1:
            return next(iter(fitted.values()))
        return fitted[max(fitted, key=lambda one: (right(fitted[one].score(select), select), -one))]

    def _middle(self) -> list[float]:
        return [sorted(self.costs)[(len(self.costs) - 1) // 2]]

    def materials(self) -> dict[str, str]:
        """The fingerprint of the encoder."""
        return {"encoder_fingerprint": self._encoder().fingerprint()}

    def _encoder(self) -> Encoder:
        return Encoder(self.encoder, self.pooling, self.cache, self.device, self.unit)


def _rows(encoder: Encoder, joined: bool, items: Items) -> Floats:
    """The vectors of all choices with their questions, stacked."""
    form = _inputs.joined if joined else _inputs.pair
    texts = [form(item, choice) for item in items for choice in item.choices]
    return encoder.vectors(texts).astype(np.float64)


def _sides(items: Items) -> Floats:
    """+1 for each right choice, -1 for each wrong one."""
    answers = (at == item.answer for item in items for at in range(len(item.choices)))
    return np.array([1.0 if one else -1.0 for one in answers])


def _plane(rows: Floats, sides: Floats, cost: float) -> tuple[Floats, float]:
    """The weights and the bias of the soft-margin machine: hinge loss, as in Cortes and Vapnik."""
    if len(set(sides.tolist())) < 2:
        raise ModelError("frozen_svm: has to see right choices and wrong ones to tell them apart")
    try:
        from sklearn.svm import LinearSVC
    except ImportError:
        raise MissingExtra("models", "a support vector machine") from None
    machine = LinearSVC(
        C=cost, loss="hinge", dual=True, class_weight="balanced", max_iter=STEPS, random_state=0
    ).fit(rows, sides)
    return np.asarray(machine.coef_[0], np.float64), float(machine.intercept_[0])
