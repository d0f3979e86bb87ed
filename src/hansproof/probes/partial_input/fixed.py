"""Which scores are fixed before any model is asked: by the data, or by what the view shows.

Items that look the same under a view get the same scores from one ranker. Where each of their
choices is right equally often, whatever is picked is right for 1/m of them: any ranker scores
exactly 1/m, by construction. So stand the label-inverted copies of adversarial ARCT without the
claim, and mirrored pairs without the premise (Niven and Kao 2019; Branco et al. 2021, table 2, took
them for results).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...types import Items, View
from ...views import ASKS_FOR, CHOICES, see
from .._baselines import chance


@dataclass(frozen=True, slots=True)
class Bound:
    """What a view leaves possible."""

    best: float  # the accuracy that nothing can exceed which sees no more than the view
    even: bool  # True: every ranker scores chance, whatever it has learnt
    exactly: bool  # even to who sees blanks around texts
    copies: int  # items that look like another with another answer
    alike: int  # how many inputs those are


def bound(view: View, items: Items, units: Sequence[str] | None = None) -> Bound:
    """How far a ranker could come, from items that look alike.

    Where one ranker answers each fold, `units` are what folds do not part: of copies that are
    parted each may be answered by another ranker, and nothing is fixed.
    """
    if view.donor:  # fields of other items: nothing is fixed
        return Bound(1.0, False, False, 0, 0)
    if CHOICES not in view.keep:  # equal inputs, equal scores
        return Bound(chance(items), True, True, 0, 0)
    alike = _alike(view, items, str.strip, units)
    even = all(map(_even, alike))
    torn = [one for one in alike if len(one.right) > 1]
    return Bound(
        best=sum(max(one.right.values()) for one in alike) / len(items),
        even=even,
        exactly=even and all(map(_even, _alike(view, items, str, units))),
        copies=sum(one.right.total() for one in torn),
        alike=len(torn),
    )


@dataclass(slots=True)
class _Input:
    """Items that look the same: how often each choice is right, and in which units they are."""

    choices: int
    right: Counter[str]
    units: set[str]


def _alike(
    view: View, items: Items, form: Callable[[str], str], units: Sequence[str] | None
) -> list[_Input]:
    found: dict[object, _Input] = {}
    for at, (item, seen) in enumerate(zip(items, see(replace(view, contrast=True), items),
                                          strict=True)):  # fmt: skip
        fields = tuple(sorted((name, form(text)) for name, text in seen.fields.items()))
        texts = [form(choice) for choice in seen.choices]
        key = (fields, seen.meta.get(ASKS_FOR), tuple(sorted(texts)))
        one = found.setdefault(key, _Input(len(texts), Counter(), set()))
        one.right[texts[item.answer or 0]] += 1
        one.units.add(units[at] if units else "")
    return [*found.values()]


def _even(one: _Input) -> bool:
    same = len(one.right) == one.choices and len(set(one.right.values())) == 1
    return same and len(one.units) == 1
