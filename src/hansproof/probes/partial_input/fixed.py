"""Which scores are fixed before any model is asked: by the data, or by what the view shows.

Items that look the same under a view get the same scores. Where each of their choices is right
equally often, whatever is picked is right for 1/m of them: any ranker scores exactly 1/m, by
construction. So stand the label-inverted copies of adversarial ARCT without the claim, and mirrored
pairs without the premise (Niven and Kao 2019; Branco et al. 2021, table 2, took them for results).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from ...types import Items, View
from ...views import CHOICES


@dataclass(frozen=True, slots=True)
class Bound:
    """What a view leaves possible."""

    best: float  # the accuracy that nothing can exceed which sees no more than the view
    even: bool  # True: every ranker scores chance, whatever it has learnt
    copies: int  # items that look like another with another answer
    alike: int  # how many inputs those are


def bound(view: View, items: Items) -> Bound:
    """How far a ranker could come, from items that look alike."""
    if view.donor:  # fields of other items: nothing is fixed
        return Bound(1.0, False, 0, 0)
    alike: dict[object, Counter[str]] = defaultdict(Counter)
    sizes: dict[object, int] = {}
    for item in items:
        fields = sorted((n, t.strip()) for n, t in item.fields.items() if n in view.keep)
        texts = [choice.strip() for choice in item.choices]
        key = (tuple(fields), tuple(sorted(texts)))
        alike[key][texts[item.answer or 0]] += 1
        sizes[key] = len(texts)
    if CHOICES not in view.keep:  # equal inputs, equal scores
        return Bound(sum(1 / len(i.choices) for i in items) / len(items), True, 0, 0)
    best = sum(max(right.values()) for right in alike.values()) / len(items)
    torn = [right for right in alike.values() if len(right) > 1]
    even = all(
        len(right) == sizes[key] and len(set(right.values())) == 1 for key, right in alike.items()
    )
    return Bound(best, even, sum(sum(right.values()) for right in torn), len(torn))
