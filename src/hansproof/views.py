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
ALONE, SHUFFLED = "/alone", "/shuffled"
ASKS_FOR = "asks_for"  # the one meta that is part of a question: its cause or its effect

Scores = list[tuple[float, ...]]


def fields_of(items: Iterable[Item]) -> tuple[str, ...]:
    """The names of the fields that items have, in the order of their first appearance.

    A field of the name `choices` is none: no view could show it without them, or them without it.
    """
    return tuple(dict.fromkeys(f for item in items for f in item.fields if f != CHOICES))


def named(name: str, fields: Sequence[str]) -> View:
    """The view of that name over items with these fields."""
    plain = name.strip()
    alone = plain.endswith(ALONE)
    plain = plain.removesuffix(ALONE)
    shuffled = plain.endswith(SHUFFLED)  # before `/alone`, where it is both
    plain = plain.removesuffix(SHUFFLED)
    parts = (*fields, CHOICES) if plain == FULL else tuple(plain.split("+"))
    for part in parts:
        if part not in (*fields, CHOICES):
            raise UnknownName("view", part, (FULL, CHOICES, *fields))
    keep = tuple(part for part in (*fields, CHOICES) if part in parts)
    if alone and CHOICES not in keep:
        raise BadInput("--views", f"{name}: without choices none can stand alone")
    if shuffled and keep in ((CHOICES,), ()):
        raise BadInput("--views", f"{name}: without fields there is nothing to take from others")
    return View(keep, contrast=not alone, donor=shuffled)


def name_of(view: View, fields: Sequence[str]) -> str:
    """The name of a view over items with these fields."""
    plain = FULL if set(view.keep) == {*fields, CHOICES} else "+".join(view.keep)
    return plain + (SHUFFLED if view.donor else "") + ("" if view.contrast else ALONE)


def usual(fields: Sequence[str]) -> list[View]:
    """The choices alone, with each field where there are several, and everything."""
    each = [View((field, CHOICES)) for field in fields] if len(fields) > 1 else []
    full = View((*fields, CHOICES))
    return [View((CHOICES,)), *each, full] if fields else [full]


def is_blind(view: View, fields: Sequence[str]) -> bool:
    """Whether a view keeps something of the question from the model, or there is no question."""
    return view.donor or not fields or set(view.keep) != {*fields, CHOICES}


def see(view: View, items: Items, seed: int = 0, answers: bool = True) -> Items:
    """The items as the view shows them, in the same order; one by choice where it is `alone`.

    `seed` says whose fields are shown where they are another item's.
    """
    donors = _donors(items, seed) if view.donor else items
    shown = (_shown(view, i, donor, answers) for i, donor in zip(items, donors, strict=True))
    if view.contrast:
        return tuple(shown)
    return tuple(one for item in shown for one in _parted(item))


def rejoined(view: View, items: Items, scores: Scores) -> Scores:
    """Scores of what `see` showed, as scores of the items."""
    if view.contrast:
        return scores
    each = iter(scores)
    return [tuple(next(each)[0] for _ in item.choices) for item in items]


def _shown(view: View, item: Item, donor: Item, answers: bool) -> Item:
    kept = {*view.keep} - {CHOICES}
    fields = {name: text for name, text in donor.fields.items() if name in kept}
    asks = {ASKS_FOR: donor.meta[ASKS_FOR]} if fields and ASKS_FOR in donor.meta else {}
    choices = item.choices if CHOICES in view.keep else ("",) * len(item.choices)
    return Item("", fields, choices, item.answer if answers else None, meta=asks)


def _parted(item: Item) -> list[Item]:
    """An item as one question per choice: is it this one?"""
    return [
        replace(item, choices=(choice,), answer=0 if at == item.answer else None)
        for at, choice in enumerate(item.choices)
    ]


def _donors(items: Items, seed: int) -> list[Item]:
    """Another item for each, of another group: all in a row by group, then moved on by a group."""
    order = np.random.default_rng(seed).permutation(len(items)).tolist()
    groups: dict[str, list[int]] = {}
    for at in order:
        group = items[at].group
        groups.setdefault(f"item {at}" if group is None else f"group {group}", []).append(at)
    row = [at for members in groups.values() for at in members]
    step = max(map(len, groups.values()), default=0)
    taken = dict(zip(row, row[step:] + row[:step], strict=True))
    return [items[taken[at]] for at in range(len(items))]
