"""The rules that give the answers of some items away, and what kind of rewriting helps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...cues.counts import ChoiceLayout
from ...rules.characters import join_texts
from ...rules.climb import Climb, build_blocks, climb_ladder, default_permutations
from ...rules.columns import FeatureColumns, FeatureLabel
from ...rules.features import Ints, Mask, choice_texts
from ...rules.place import RUNG as PLACE
from ...rules.portable import PortableRule, collect_rules
from ...rules.rule import NO_PICK
from ...rules.typography import RUNG as TYPOGRAPHY
from ...rules.typography import count_characters, count_words, length_masks
from ...stats import binomial_sf
from ...text.tokenizers import Tokenizer
from ...types import Items


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The significant rules of some items, and what each picks."""

    items: Items
    tokenizer: Tokenizer
    level: float  # of significance
    seed: int  # of the search
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
    climb = climb_ladder(items, tokenizer, permutations=default_permutations(level), seed=seed)
    rules = collect_rules(climb, level)
    place_rules = [rule for rule in rules if PLACE in rule.rungs]
    rewritable = [rule for rule in rules if PLACE not in rule.rungs]
    picks = [rule.pick(climb.columns) for rule in rewritable]
    return Diagnosis(items, tokenizer, level, seed, climb, rewritable, picks, place_rules)


def find_given_away(rule: PortableRule, picks: Ints, layout: ChoiceLayout, answers: Ints) -> Mask:
    """Tell in which items picks are right, or wrong if the rule rules choices out."""
    is_right = picks == layout.first[:-1] + answers
    return np.asarray((picks != NO_PICK) & (is_right == rule.is_telling))


def count_hits(picks: Ints, layout: ChoiceLayout, answers: Ints) -> tuple[int, int]:
    """Return in how many items a pick is right, and in how many there is one."""
    return int((picks == layout.first[:-1] + answers).sum()), int((picks != NO_PICK).sum())


def find_length_rules(diagnosis: Diagnosis) -> list[int]:
    """Return the rules of which all features compare lengths."""
    texts = choice_texts(diagnosis.items)
    words = count_words(join_texts(texts))
    names = length_masks(count_characters(texts), words, diagnosis.layout)
    return [
        k
        for k, rule in enumerate(diagnosis.rules)
        if rule.rungs == {TYPOGRAPHY} and all(name in names for name in rule.names)
    ]


def find_independent(diagnosis: Diagnosis, length_rules: Sequence[int]) -> list[int]:
    """Return the other rules that also hold in the items that no length gives away.

    The right choice may have the rarest words just because it is the longest: evening out lengths
    comes first, and the next worksheet asks for the rest.
    """
    is_open = np.ones(len(diagnosis.items), np.bool_)
    for k in length_rules:
        is_open &= ~diagnosis.find_given_away(k)
    independent = []
    for k in range(len(diagnosis.rules)):
        items = is_open & (diagnosis.picks[k] != NO_PICK)
        if k in length_rules or not items.any():
            continue
        given_away = int((diagnosis.find_given_away(k) & items).sum())
        chance = float(diagnosis.layout.chance[items].mean())
        odds = chance if diagnosis.rules[k].is_telling else 1 - chance
        if not length_rules or binomial_sf(given_away, int(items.sum()), odds) <= diagnosis.level:
            independent.append(k)
    return independent


def find_relative(labels: Sequence[FeatureLabel], diagnosis: Diagnosis) -> set[FeatureLabel]:
    """Return the features that depend on the other choices: dealt to other items, they change."""
    columns, items = diagnosis.climb.columns, diagnosis.items
    source = np.random.default_rng(0).permutation(columns.layout.item.size)
    texts = choice_texts(items)
    first = columns.layout.first.tolist()
    dealt = tuple(
        replace(item, choices=tuple(texts[row] for row in source[begin:end]))
        for item, begin, end in zip(items, first[:-1], first[1:], strict=True)
    )
    layout, blocks = build_blocks(dealt, diagnosis.tokenizer)
    other = FeatureColumns(blocks, layout)
    return {
        label
        for label in labels
        if label in other.number_of
        and (
            columns.column(columns.number_of[label])[source] != other.column(other.number_of[label])
        ).any()
    }


def find_fixed(items: Items) -> Mask:
    """Mark the items that must stay: with one choice, or with a partner that has the same choices.

    A rewritten choice would make a mirrored pair telling.
    """
    keys = [(item.group, tuple(sorted(item.choices))) for item in items]
    counts = Counter(key for key in keys if key[0] is not None)
    return np.array(
        [counts[key] > 1 or len(item.choices) < 2 for key, item in zip(keys, items, strict=True)],
        np.bool_,
    )
