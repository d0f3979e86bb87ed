"""A rule: up to three features of a choice; it picks the only choice of an item that fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..cues.counts import ChoiceLayout
from .features import Ints, Mask
from .phrases import describe_choice

Connective = Literal["and", "xor"]

NO_PICK = -1


@dataclass(frozen=True, slots=True)
class Rule:
    """The only choice that has all of these features, or exactly one of two (`xor`)."""

    features: tuple[int, ...]  # numbers of columns
    negated: tuple[bool, ...]
    connective: Connective = "and"

    def combine_columns(self, columns: Sequence[Mask]) -> Mask:
        """Return which choices fit the rule, given the columns of its features."""
        fitting = [~c if is_not else c for c, is_not in zip(columns, self.negated, strict=True)]
        if self.connective == "xor":
            return np.asarray(fitting[0] ^ fitting[1])
        return np.asarray(np.logical_and.reduce(fitting))

    def describe(self, names: Sequence[str]) -> str:
        """Describe the choice that is picked, given the names of the features."""
        return describe_choice(names, self.negated, self.connective == "xor")


def pick_choices(fits: Mask, layout: ChoiceLayout) -> Ints:
    """Return for each item the row of the only choice that fits, or NO_PICK.

    Nothing is picked from a single choice.
    """
    counts = np.add.reduceat(fits.astype(np.int64), layout.first[:-1])
    is_clear = (counts == 1) & (np.diff(layout.first) > 1)
    rows = np.flatnonzero(fits & is_clear[layout.item])
    picks = np.full(layout.chance.size, NO_PICK)
    picks[layout.item[rows]] = rows
    return picks
