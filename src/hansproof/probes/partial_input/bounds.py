"""Accuracies that the data or the view determines, whatever the model.

Items that look the same under a view get the same scores from one ranker. If each of their choices
is right equally often, every pick is right for 1/m of them: any ranker scores exactly 1/m, by
construction. Examples are the label-inverted copies of adversarial ARCT without the claim, and
mirrored pairs without the premise (Niven and Kao 2019; Branco et al. 2021, table 2, report them as
results).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...scoring import chance_level
from ...types import Items, View
from ...views import ASKS_FOR, CHOICES, apply_view


@dataclass(frozen=True, slots=True)
class ScoreBound:
    """The accuracies that are possible under a view."""

    best: float  # the accuracy that nothing can exceed which sees no more than the view
    even: bool  # True: every ranker scores chance, whatever it has learnt
    even_exactly: bool  # also for a reader who sees the spaces around texts
    n_copies: int  # items that look like another with another answer
    n_inputs: int  # how many inputs those are


NO_BOUND = ScoreBound(1.0, False, False, 0, 0)  # nothing is determined


def score_bound(view: View, items: Items, units: Sequence[str] | None = None) -> ScoreBound:
    """Return the bound on a ranker's accuracy, from items that look the same.

    In a cross-validation, `units` are the groups that folds do not split: copies in different
    folds may be answered by different rankers, and then nothing is determined.
    """
    if view.shuffled_fields:  # fields of other items: nothing is fixed
        return NO_BOUND
    if CHOICES not in view.keep:  # equal inputs, equal scores
        return ScoreBound(chance_level(items), True, True, 0, 0)
    inputs = _group_identical(view, items, str.strip, units)
    even = all(map(_is_even, inputs))
    contradictory = [entry for entry in inputs if len(entry.right) > 1]
    return ScoreBound(
        best=sum(max(entry.right.values()) for entry in inputs) / len(items),
        even=even,
        even_exactly=even and all(map(_is_even, _group_identical(view, items, str, units))),
        n_copies=sum(entry.right.total() for entry in contradictory),
        n_inputs=len(contradictory),
    )


@dataclass(slots=True)
class _IdenticalItems:
    """Items that look the same: how often each choice is right, and their units."""

    choices: int
    right: Counter[str]
    units: set[str]


def _group_identical(
    view: View, items: Items, form: Callable[[str], str], units: Sequence[str] | None
) -> list[_IdenticalItems]:
    by_input: dict[object, _IdenticalItems] = {}
    shown_items = apply_view(replace(view, side_by_side=True), items)
    for index, (item, visible) in enumerate(zip(items, shown_items, strict=True)):
        fields = tuple(sorted((name, form(text)) for name, text in visible.fields.items()))
        texts = [form(choice) for choice in visible.choices]
        key = (fields, visible.meta.get(ASKS_FOR), tuple(sorted(texts)))
        entry = by_input.setdefault(key, _IdenticalItems(len(texts), Counter(), set()))
        entry.right[texts[item.answer or 0]] += 1
        entry.units.add(units[index] if units else "")
    return [*by_input.values()]


def _is_even(entry: _IdenticalItems) -> bool:
    equally_often = len(entry.right) == entry.choices and len(set(entry.right.values())) == 1
    return equally_often and len(entry.units) == 1
