"""Views: the parts of an item that a model sees, such as `full`, `choices` or `reason+choices`.

`choices/alone` shows one choice at a time, without the others; `full/shuffled` shows the fields of
another item. Hidden texts are removed from the items before a model gets them, together with ids,
groups and meta, and, when items are scored, the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from .errors import BadInput, UnknownName
from .types import FULL, Item, Items, View

CHOICES = "choices"
ALONE_SUFFIX, SHUFFLED_SUFFIX = "/alone", "/shuffled"
ASKS_FOR = "asks_for"  # meta that belongs to the question: whether it asks for a cause or an effect

Scores = list[tuple[float, ...]]


def fields_of(items: Iterable[Item]) -> tuple[str, ...]:
    """Return the field names of items, in the order of their first appearance.

    A field named `choices` is left out, because its name would be ambiguous in a view.
    """
    return tuple(dict.fromkeys(f for item in items for f in item.fields if f != CHOICES))


def parse_view(name: str, fields: Sequence[str]) -> View:
    """Parse the name of a view over items with these fields."""
    base_name = name.strip()
    alone = base_name.endswith(ALONE_SUFFIX)
    base_name = base_name.removesuffix(ALONE_SUFFIX)
    shuffled = base_name.endswith(SHUFFLED_SUFFIX)  # precedes `/alone` where a name has both
    base_name = base_name.removesuffix(SHUFFLED_SUFFIX)
    parts = (*fields, CHOICES) if base_name == FULL else tuple(base_name.split("+"))
    for part in parts:
        if part not in (*fields, CHOICES):
            raise UnknownName("view", part, (FULL, CHOICES, *fields))
    keep = tuple(part for part in (*fields, CHOICES) if part in parts)
    if alone and CHOICES not in keep:
        raise BadInput("--views", f"{name}: /alone needs choices in the view")
    if shuffled and keep in ((CHOICES,), ()):
        raise BadInput("--views", f"{name}: /shuffled needs fields in the view")
    return View(keep, side_by_side=not alone, shuffled_fields=shuffled)


def view_name(view: View, fields: Sequence[str]) -> str:
    """Return the name of a view over items with these fields."""
    base_name = FULL if set(view.keep) == {*fields, CHOICES} else "+".join(view.keep)
    return (
        base_name
        + (SHUFFLED_SUFFIX if view.shuffled_fields else "")
        + ("" if view.side_by_side else ALONE_SUFFIX)
    )


def default_views(fields: Sequence[str]) -> list[View]:
    """Return the default views: choices only, with each field (if several), and everything."""
    field_views = [View((field, CHOICES)) for field in fields] if len(fields) > 1 else []
    full = View((*fields, CHOICES))
    return [View((CHOICES,)), *field_views, full] if fields else [full]


def is_blind(view: View, fields: Sequence[str]) -> bool:
    """Whether a view hides a part of the question, or items have no question at all."""
    return view.shuffled_fields or not fields or set(view.keep) != {*fields, CHOICES}


def apply_view(view: View, items: Items, seed: int = 0, answers: bool = True) -> Items:
    """Return the items as a model sees them, in the same order; one item per choice for `/alone`.

    `seed` determines whose fields an item gets in a `/shuffled` view. Without `answers` the answers
    are removed.
    """
    donors = _draw_donors(items, seed) if view.shuffled_fields else items
    visible = (
        _visible_item(view, item, donor, answers) for item, donor in zip(items, donors, strict=True)
    )
    if view.side_by_side:
        return tuple(visible)
    return tuple(question for item in visible for question in _split_choices(item))


def regroup_scores(view: View, items: Items, scores: Scores) -> Scores:
    """Convert scores of the items that `apply_view` returned to scores of the original items."""
    if view.side_by_side:
        return scores
    score_rows = iter(scores)
    return [tuple(next(score_rows)[0] for _ in item.choices) for item in items]


def _visible_item(view: View, item: Item, donor: Item, answers: bool) -> Item:
    visible_fields = {*view.keep} - {CHOICES}
    fields = {name: text for name, text in donor.fields.items() if name in visible_fields}
    asks = {ASKS_FOR: donor.meta[ASKS_FOR]} if fields and ASKS_FOR in donor.meta else {}
    choices = item.choices if CHOICES in view.keep else ("",) * len(item.choices)
    return Item("", fields, choices, item.answer if answers else None, meta=asks)


def _split_choices(item: Item) -> list[Item]:
    """Split an item into one yes-or-no question per choice."""
    return [
        replace(item, choices=(choice,), answer=0 if index == item.answer else None)
        for index, choice in enumerate(item.choices)
    ]


def _draw_donors(items: Items, seed: int) -> list[Item]:
    """Draw for each item another item from another group.

    Items are put in order group by group, then the order is rotated by the largest group.
    """
    order = np.random.default_rng(seed).permutation(len(items)).tolist()
    groups: dict[str, list[int]] = {}
    for index in order:
        group = items[index].group
        groups.setdefault(f"item {index}" if group is None else f"group {group}", []).append(index)
    ordered = [index for members in groups.values() for index in members]
    step = max(map(len, groups.values()), default=0)
    donor_index = dict(zip(ordered, ordered[step:] + ordered[:step], strict=True))
    return [items[donor_index[index]] for index in range(len(items))]
