"""The rules that give the answers of some items away, and what kind of rewriting helps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...cues.counts import ChoiceLayout
from ...rules.climb import Climb, build_blocks, climb_ladder
from ...rules.columns import FeatureColumns, FeatureLabel
from ...rules.features import Ints, Mask, choice_texts
from ...rules.place import RUNG as PLACE
from ...rules.portable import PortableRule, collect_rules
from ...rules.rule import NO_PICK
from ...rules.typography import RUNG as TYPOGRAPHY
from ...rules.typography import length_masks
from ...text.tokenizers import Tokenizer
from ...types import Items


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The significant rules of some items, and what each picks."""

    climb: Climb
    rules: list[PortableRule]  # those that rewriting can weaken, the surest first
    picks: list[Ints]  # by rule and item: the row of the choice, or NO_PICK
    place_rules: list[PortableRule]  # about the place in the list: reordering helps

    @property
    def layout(self) -> ChoiceLayout:
        """The layout of the items' choices."""
        return self.climb.columns.layout

    def find_given_away(self, rule: int) -> Mask:
        """Tell in which items a rule picks what its kind says: the right choice, or a wrong one."""
        return find_given_away(self.rules[rule], self.picks[rule], self.layout, self.climb.answers)

    def count_hits(self, rule: int) -> tuple[int, int]:
        """Return in how many items a rule's pick is right, and in how many it picks at all."""
        return count_hits(self.picks[rule], self.layout, self.climb.answers)


def diagnose_items(items: Items, tokenizer: Tokenizer, level: float, seed: int) -> Diagnosis:
    """Search for rules, and apply those that are significant to all items."""
    climb = climb_ladder(items, tokenizer, seed=seed)
    rules = collect_rules(climb, level)
    place_rules = [rule for rule in rules if PLACE in rule.rungs]
    rewritable = [rule for rule in rules if PLACE not in rule.rungs]
    picks = [rule.pick(climb.columns) for rule in rewritable]
    return Diagnosis(climb, rewritable, picks, place_rules)


def find_given_away(rule: PortableRule, picks: Ints, layout: ChoiceLayout, answers: Ints) -> Mask:
    """Tell in which items picks are right, or wrong if the rule rules choices out."""
    is_right = picks == layout.first[:-1] + answers
    return (picks != NO_PICK) & (is_right == rule.is_telling)


def count_hits(picks: Ints, layout: ChoiceLayout, answers: Ints) -> tuple[int, int]:
    """Return in how many items a pick is right, and in how many there is one."""
    return int((picks == layout.first[:-1] + answers).sum()), int((picks != NO_PICK).sum())


def is_about_length(rule: PortableRule) -> bool:
    """Whether all features of a rule compare lengths."""
    nothing = np.zeros(0, np.int64)
    layout = ChoiceLayout(
        np.zeros(1, np.int64), nothing.astype(np.int32), nothing.astype(np.uint8), nothing / 1.0
    )
    names = length_masks(nothing, nothing, layout)
    return rule.rungs == {TYPOGRAPHY} and all(name in names for name in rule.names)


def find_relative(
    labels: Sequence[FeatureLabel], columns: FeatureColumns, items: Items, tokenizer: Tokenizer
) -> set[FeatureLabel]:
    """Return the features that depend on the other choices: dealt to other items, they change."""
    n_choices = columns.layout.item.size
    source = np.random.default_rng(0).permutation(n_choices)
    texts = choice_texts(items)
    first = columns.layout.first.tolist()
    dealt = tuple(
        replace(item, choices=tuple(texts[row] for row in source[begin:end]))
        for item, begin, end in zip(items, first[:-1], first[1:], strict=True)
    )
    layout, blocks = build_blocks(dealt, tokenizer)
    other = FeatureColumns(blocks, layout)
    return {
        label
        for label in labels
        if label in other.number_of
        and (
            columns.column(columns.number_of[label])[source] != other.column(other.number_of[label])
        ).any()
    }


def find_twins(items: Items) -> Mask:
    """Mark the items whose group has another with the same choices: rewriting would part them."""
    keys = [(item.group, tuple(sorted(item.choices))) for item in items]
    counts = Counter(key for key in keys if key[0] is not None)
    return np.array([counts[key] > 1 for key in keys], np.bool_)
