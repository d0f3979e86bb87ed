"""What a model may see of an item, by name: `full`, `choices`, `reason+choices`, `question`.

`choices/alone` shows one choice at a time, never beside the others; `full/shuffled` shows the
fields of another item. What a view drops is taken out of the items before a model gets them, so no
model can see it: texts, and also ids, groups and the meta of the item; when items are scored, the
answer too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from .errors import BadInput, UnknownName
from .types import FULL, Item, Items, View

CHOICES = "choices"
ALONE_SUFFIX, SHUFFLED_SUFFIX = "/alone", "/shuffled"
ASKS_FOR = "asks_for"  # the one meta that is part of a question: its cause or its effect

Scores = list[tuple[float, ...]]


def fields_of(items: Iterable[Item]) -> tuple[str, ...]:
    """The names of the fields that items have, in the order of their first appearance.

    A field of the name `choices` is none: no view could show it without them, or them without it.
    """
    return tuple(dict.fromkeys(f for item in items for f in item.fields if f != CHOICES))


def parse_view(name: str, fields: Sequence[str]) -> View:
    """The view of that name over items with these fields."""
    base_name = name.strip()
    alone = base_name.endswith(ALONE_SUFFIX)
    base_name = base_name.removesuffix(ALONE_SUFFIX)
    shuffled = base_name.endswith(SHUFFLED_SUFFIX)  # before `/alone`, where it is both
    base_name = base_name.removesuffix(SHUFFLED_SUFFIX)
    parts = (*fields, CHOICES) if base_name == FULL else tuple(base_name.split("+"))
    for part in parts:
        if part not in (*fields, CHOICES):
            raise UnknownName("view", part, (FULL, CHOICES, *fields))
    keep = tuple(part for part in (*fields, CHOICES) if part in parts)
    if alone and CHOICES not in keep:
        raise BadInput("--views", f"{name}: without choices none can stand alone")
    if shuffled and keep in ((CHOICES,), ()):
        raise BadInput("--views", f"{name}: without fields there is nothing to take from others")
    return View(keep, side_by_side=not alone, shuffled_fields=shuffled)


def view_name(view: View, fields: Sequence[str]) -> str:
    """The name of a view over items with these fields."""
    base_name = FULL if set(view.keep) == {*fields, CHOICES} else "+".join(view.keep)
    return (
        base_name
        + (SHUFFLED_SUFFIX if view.shuffled_fields else "")
        + ("" if view.side_by_side else ALONE_SUFFIX)
    )


def default_views(fields: Sequence[str]) -> list[View]:
    """The choices alone, with each field where there are several, and everything."""
    field_views = [View((field, CHOICES)) for field in fields] if len(fields) > 1 else []
    full = View((*fields, CHOICES))
    return [View((CHOICES,)), *field_views, full] if fields else [full]


def is_blind(view: View, fields: Sequence[str]) -> bool:
    """Whether a view keeps something of the question from the model, or there is no question."""
    return view.shuffled_fields or not fields or set(view.keep) != {*fields, CHOICES}


def apply_view(view: View, items: Items, seed: int = 0, answers: bool = True) -> Items:
    """The items as the view shows them, in the same order; one by choice where it is `alone`.

    `seed` says whose fields are shown where they are another item's.
    """
    donors = _draw_donors(items, seed) if view.shuffled_fields else items
    visible = (
        _visible_item(view, item, donor, answers) for item, donor in zip(items, donors, strict=True)
    )
    if view.side_by_side:
        return tuple(visible)
    return tuple(question for item in visible for question in _split_choices(item))


def regroup_scores(view: View, items: Items, scores: Scores) -> Scores:
    """Scores of what `see` showed, as scores of the items."""
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
    """An item as one question per choice: is it this one?"""
    return [
        replace(item, choices=(choice,), answer=0 if index == item.answer else None)
        for index, choice in enumerate(item.choices)
    ]


def _draw_donors(items: Items, seed: int) -> list[Item]:
    """Another item for each, of another group: all in a row by group, then moved on by a group."""
    order = np.random.default_rng(seed).permutation(len(items)).tolist()
    groups: dict[str, list[int]] = {}
    for index in order:
        group = items[index].group
        groups.setdefault(f"item {index}" if group is None else f"group {group}", []).append(index)
    ordered = [index for members in groups.values() for index in members]
    step = max(map(len, groups.values()), default=0)
    donor_index = dict(zip(ordered, ordered[step:] + ordered[:step], strict=True))
    return [items[donor_index[index]] for index in range(len(items))]
