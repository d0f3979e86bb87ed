"""Rules by the names of their features, for other items than those they were found in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .climb import Climb
from .columns import FeatureColumns, FeatureLabel
from .confirm import TestedRule
from .features import Ints, Mask
from .phrases import describe_choice
from .rule import Connective, Rule, pick_choices


@dataclass(frozen=True, slots=True)
class PortableRule:
    """A rule that can be applied to any items of which the features are known."""

    features: tuple[FeatureLabel, ...]
    negated: tuple[bool, ...]
    connective: Connective
    is_telling: bool  # the choice that it picks is right more often than by chance

    @classmethod
    def from_tested(cls, tested: TestedRule, columns: FeatureColumns) -> PortableRule:
        """Name the features of a rule."""
        rule = tested.rule
        labels = tuple(map(columns.label, rule.features))
        return cls(labels, rule.negated, rule.connective, tested.is_telling)

    @property
    def names(self) -> list[str]:
        """What a choice with each of the features is like."""
        return [name for _, name in self.features]

    @property
    def rungs(self) -> set[str]:
        """The rungs of the features."""
        return {rung for rung, _ in self.features}

    def describe(self) -> str:
        """Describe the choice that is picked: `the longest choice`."""
        return describe_choice(self.names, self.negated, self.connective == "xor")

    def pick(self, columns: FeatureColumns) -> Ints:
        """Return for each item the row of the choice that is picked, or NO_PICK.

        No choice has a feature that is too rare among the items to be known.
        """
        masks = [_find_column(label, columns) for label in self.features]
        rule = Rule(tuple(range(len(masks))), self.negated, self.connective)
        return pick_choices(rule.combine_columns(masks), columns.layout)


def collect_rules(climb: Climb, level: float) -> list[PortableRule]:
    """Return the significant rules of a climb, the surest first."""
    return [
        PortableRule.from_tested(rule, climb.columns) for rule in climb.significant_rules(level)
    ]


def _find_column(label: FeatureLabel, columns: FeatureColumns) -> Mask:
    number = columns.number_of.get(label)
    if number is None:
        return np.zeros(columns.layout.item.size, np.bool_)
    return columns.column(number)
