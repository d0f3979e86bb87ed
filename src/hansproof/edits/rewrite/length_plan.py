"""Chooses which choices to lengthen or shorten, so that no length says which choice is right.

Every item has a list of possible changes. A descent goes through the items again and again and
gives each the change that lowers most the sum of effort and of what the features of length tell:
how far each feature's picks are from chance, in variances. Two features joined count as well, as
the search for rules joins them. Features that are near chance anyway only have to stay as near.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from unicodedata import east_asian_width

import numpy as np
from numpy.typing import NDArray

from ...cues.counts import ChoiceLayout, answer_array, build_layout
from ...rules.characters import join_texts
from ...rules.features import Ints, Mask, choice_texts
from ...rules.rule import NO_PICK, pick_choices
from ...rules.typography import count_characters, count_words, length_masks
from ...stats import Floats
from ...types import Items
from .length_options import LengthChange, list_changes

TOLERANCE = 1.0  # standard deviations from chance that a feature should have at most
NEAR = 3.0  # standard deviations: a feature that is nearer need not come nearer still
MIN_VARIANCE = 2.0  # a feature that picks less is treated as if it picked so much
EFFORT_WEIGHT = 0.15  # of the effort to touch a text, against one variance
MIN_LETTERS = 8  # of a text whose length can be changed: not `0.72` or `yes`
MAX_SWEEPS = 30
MANY_ITEMS = 20_000  # with more, joined features are left out, to save memory

_NONE, _MISS, _HIT = 0, 1, 2


@dataclass(frozen=True, slots=True)
class LengthPlan:
    """The change of every item, the items to change in order, and all lengths afterwards."""

    changes: list[LengthChange]
    order: list[int]
    masks: dict[str, Mask]  # of the features of length, for the planned lengths


def plan_lengths(items: Items, is_fixed: Mask) -> LengthPlan:
    """Choose changes; items that are fixed keep their lengths."""
    options = _Options.from_items(items, is_fixed)
    chosen = _Descent(options).choose()
    changes = [options.changes[option] for option in chosen]
    changed = [i for i, change in enumerate(changes) if change.targets]
    order = sorted(changed, key=lambda i: -options.worth(i, int(chosen[i])))
    rows = np.concatenate([options.rows(option) for option in chosen])
    characters, words = options.characters[rows], options.words[rows]
    return LengthPlan(changes, order, length_masks(characters, words, build_layout(items)))


@dataclass(frozen=True, slots=True)
class _Options:
    """The changes of all items one after the other, as if each were an item of its own."""

    changes: list[LengthChange]
    start: Ints  # the options of item i are start[i] .. start[i + 1] - 1
    layout: ChoiceLayout
    characters: Ints  # by choice of each option
    words: Ints
    outcome: NDArray[np.int8]  # by option and feature: none, a miss or a hit

    @classmethod
    def from_items(cls, items: Items, is_fixed: Mask) -> _Options:
        """List the options of all items, and what features pick in each."""
        texts, layout, answers = choice_texts(items), build_layout(items), answer_array(items)
        all_characters, all_words = count_characters(texts), count_words(join_texts(texts))
        is_changeable = _count_letters(texts) >= MIN_LETTERS
        changes: list[LengthChange] = []
        owner, characters, words = [], [], []
        for i, (begin, end) in enumerate(pairwise(layout.first.tolist())):
            lengths, item_words = all_characters[begin:end], all_words[begin:end]
            can_change = is_changeable[begin:end] & ~is_fixed[i]
            for change in list_changes(lengths, int(answers[i]), can_change):
                new_lengths, new_words = lengths.copy(), item_words.copy()
                for choice, target in change.targets:
                    new_lengths[choice] = target
                    factor = target / max(int(lengths[choice]), 1)
                    new_words[choice] = max(1, round(int(item_words[choice]) * factor))
                owner.append(i)
                changes.append(change)
                characters.append(new_lengths)
                words.append(new_words)
        item_of_option = np.array(owner)
        option_layout = _stack_layout([row.size for row in characters])
        right = option_layout.first[:-1] + answers[item_of_option]
        flat = np.concatenate(characters), np.concatenate(words)
        masks = length_masks(*flat, option_layout)
        outcome = _find_outcomes(masks, option_layout, right, len(items) <= MANY_ITEMS)
        start = np.searchsorted(item_of_option, np.arange(len(items) + 1))
        return cls(changes, start, option_layout, *flat, outcome)

    def rows(self, option: int) -> Ints:
        """Return the rows of an option's choices."""
        return np.arange(self.layout.first[option], self.layout.first[option + 1])

    def surplus(self, options: slice | Ints) -> tuple[Floats, Floats]:
        """Return by option and feature how many hits beyond chance, and the variance of these."""
        outcome, chance = self.outcome[options], self.layout.chance[options][:, None]
        picks = outcome != _NONE
        return (outcome == _HIT) - picks * chance, picks * (chance * (1 - chance))

    def worth(self, item: int, option: int) -> float:
        """Return how much a change does against the strongest features for its effort."""
        before, after = self.surplus(np.array([self.start[item], option]))[0]
        return float(np.abs(before).sum() - np.abs(after).sum()) / self.changes[option].effort


def _count_letters(texts: Sequence[str]) -> Ints:
    """Count the letters of each text; a Chinese or Japanese character says as much as three."""
    joined = join_texts(texts)
    wide = joined.marks(lambda char: char.isalpha() and east_asian_width(char) in "WF")
    return joined.count(joined.marks(str.isalpha)) + 2 * joined.count(wide)


def _stack_layout(sizes: Sequence[int]) -> ChoiceLayout:
    first = np.concatenate(([0], np.cumsum(sizes)))
    item = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return ChoiceLayout(first, item, np.zeros(first[-1], np.uint8), 1 / np.array(sizes, np.float64))


def _find_outcomes(
    masks: dict[str, Mask], layout: ChoiceLayout, right: Ints, with_joined: bool
) -> NDArray[np.int8]:
    """Return what each feature, and each two joined, pick in each option."""
    singles = [*masks.values()]
    joined = [
        mask
        for first, second in (combinations(singles, 2) if with_joined else ())
        for mask in (first & second, first & ~second, second & ~first)
    ]
    outcome = np.zeros((right.size, len(singles) + len(joined)), np.int8)
    for column, mask in enumerate([*singles, *joined]):
        picks = pick_choices(mask, layout)
        outcome[:, column] = np.where(
            picks == NO_PICK, _NONE, np.where(picks == right, _HIT, _MISS)
        )
    return outcome


class _Descent:
    """Goes through the items until no other change of one item is better."""

    def __init__(self, options: _Options) -> None:
        self.options = options
        self.chosen = options.start[:-1].copy()  # no change
        surplus, variance = options.surplus(self.chosen)
        self.surplus, self.variance = surplus.sum(axis=0), variance.sum(axis=0)
        distance = np.abs(self.surplus) / np.sqrt(np.maximum(self.variance, MIN_VARIANCE))
        self.tolerance = np.where(distance > NEAR, TOLERANCE, np.maximum(distance, TOLERANCE))
        self.effort = EFFORT_WEIGHT * np.array([change.effort for change in options.changes])

    def choose(self) -> list[int]:
        """Return the option of each item."""
        rng = np.random.default_rng(0)
        sizes = np.diff(self.options.start)
        items = np.flatnonzero(sizes > 1)
        for _ in range(MAX_SWEEPS):
            if not sum(self._improve_item(int(item)) for item in rng.permutation(items)):
                break
        return [int(option) for option in self.chosen]

    def _improve_item(self, item: int) -> bool:
        """Choose the best option of an item; return whether it is another one."""
        begin, end = self.options.start[item], self.options.start[item + 1]
        surplus, variance = self.options.surplus(slice(begin, end))
        now = int(self.chosen[item] - begin)
        surplus += self.surplus - surplus[now]
        variance += self.variance - variance[now]
        excess = surplus**2 / np.maximum(variance, MIN_VARIANCE) - self.tolerance**2
        costs = np.maximum(excess, 0).sum(axis=1) + self.effort[begin:end]
        best = int(np.argmin(costs))
        if costs[best] > costs[now] - 1e-9:
            return False
        self.surplus, self.variance = surplus[best], variance[best]
        self.chosen[item] = begin + best
        return True
