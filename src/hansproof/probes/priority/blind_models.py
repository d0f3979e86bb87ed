"""What blind models still answer when some items are mirrored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar, Protocol

import numpy as np

from ...cues.strength import MIRRORED, States
from ...models.bow import Bow
from ...rules.climb import climb_ladder
from ...scoring import chance_credits
from ...stats import mean_interval
from ...text.tokenizers import Tokenizer
from ...types import Item, Items, View
from ...views import CHOICES
from ..partial_input.cross_validation import CrossValidation
from ..partial_input.splits import EvaluationPart
from ..partial_input.view_result import BOW

FOLDS = 5  # of the bag of words' cross-validation
MANY_ITEMS = 5000  # items: then one cut into folds will do, and one random order
REPEATS, RANDOM_ORDERS = 3, 5  # otherwise: cuts, and random orders that a bag of words is tried on
FEW_ITEMS = 20  # of fewer items that are not mirrored, nothing is learnt


@dataclass(frozen=True, slots=True)
class BlindAccuracy:
    """The accuracy of a blind model, with its interval."""

    accuracy: float
    low: float
    high: float
    chance: float
    n: int


class BlindModel(Protocol):
    """A model that sees only the choices, trained anew for every number of mirrored items."""

    @property
    def repeats(self) -> int:
        """The number of cuts into folds, in order of priority."""

    @property
    def random_orders(self) -> int:
        """The number of random orders that it is tried on."""

    def measure(self, states: States, repeats: int) -> BlindAccuracy:
        """Cross-validate the model, given the states of the items."""


@dataclass(frozen=True, slots=True)
class BagOfWords:
    """A bag of words; mirrored items come with their partners."""

    items: Items
    level: float
    seed: int

    @property
    def repeats(self) -> int:
        return 1 if len(self.items) > MANY_ITEMS else REPEATS

    @property
    def random_orders(self) -> int:
        return 1 if len(self.items) > MANY_ITEMS else RANDOM_ORDERS

    def measure(self, states: States, repeats: int) -> BlindAccuracy:
        items = tuple(
            copy
            for item, state in zip(self.items, states, strict=True)
            for copy in (mirror_copies(item) if state == MIRRORED else (item,))
        )
        all_items = EvaluationPart(
            "all", "cv", "all", np.arange(len(items)), np.ones(len(items), np.bool_)
        )
        validation = CrossValidation(Bow(), items, FOLDS, repeats, self.seed, self.level)
        (result,) = validation.evaluate_views([all_items], [View((CHOICES,))], 0, BOW).results
        return BlindAccuracy(
            result.accuracy, *result.accuracy_interval(), result.chance, len(result.items)
        )


@dataclass(frozen=True, slots=True)
class FeatureLadder:
    """The ladder of `shortcuts`, on the items that are not mirrored.

    No blind model tells a mirrored item from its partners, so these are answered by chance.
    """

    items: Items
    tokenizer: Tokenizer
    seed: int

    repeats: ClassVar[int] = 1
    random_orders: ClassVar[int] = 1

    def measure(self, states: States, repeats: int) -> BlindAccuracy:
        unchanged, mirrored = (
            tuple(self.items[i] for i in np.flatnonzero(is_part))
            for is_part in (states != MIRRORED, states == MIRRORED)
        )
        items = (*unchanged, *chain.from_iterable(map(mirror_copies, mirrored)))
        credits = chance_credits(items)
        chance = float(credits.mean())
        if len(unchanged) >= FEW_ITEMS:
            # its p-value is not used
            climb = climb_ladder(unchanged, self.tokenizer, permutations=0, seed=self.seed)
            credits[: len(unchanged)] = climb.blind
        low, high = mean_interval(credits, [item.group or item.id for item in items])
        return BlindAccuracy(float(credits.mean()), low, high, chance, len(items))


def mirror_copies(item: Item) -> Items:
    """Return an item and its mirror partners, one per wrong choice, without their questions."""
    group = item.group or item.id
    return tuple(
        replace(item, id=f"{item.id}/{answer}", fields={}, answer=answer, group=group)
        for answer in range(len(item.choices))
    )
