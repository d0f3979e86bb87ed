"""Views: the parts of an item that a model sees, such as `full`, `choices` or `reason+choices`.

`choices/alone` shows one choice at a time, without the others; `full/shuffled` shows the fields of
another item; `full/rotation=1` lists the choices in another order (`choice_orders`); `nonsense`
shows random words. Hidden texts are removed from the items before a model gets them, together with
ids, groups and meta, and, when items are scored, the answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np

from .choice_orders import Order, find_order, parse_order
from .errors import BadInput, UnknownName
from .types import FULL, UNKNOWN_VIEW, Item, Items, OrderKind, View

CHOICES = "choices"
QUESTION = "question"  # a view of all fields, if no field has this name
NONSENSE = "nonsense"
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
    base_name, suffixes = _split_suffixes(name.strip())
    orders = [suffix for suffix in suffixes if "=" in suffix]
    alone, shuffled = ALONE_SUFFIX in suffixes, SHUFFLED_SUFFIX in suffixes
    known_suffixes = (SHUFFLED_SUFFIX, ALONE_SUFFIX, *orders[:1])
    expected = [suffix for suffix in known_suffixes if suffix in suffixes]
    if suffixes != expected:  # twice, or in another order
        raise UnknownName("view", name.strip(), (FULL, CHOICES, *fields))
    keep = _parse_parts(base_name, fields)
    view = View(
        keep,
        side_by_side=not alone,
        shuffled_fields=shuffled,
        random_words=base_name == NONSENSE and NONSENSE not in fields,
        order=parse_order(orders[0][1:]) if orders else None,
    )
    _check_view(name, view)
    return view


def _split_suffixes(name: str) -> tuple[str, list[str]]:
    """Split `full/shuffled/alone` into its base and what follows; fields may contain a slash."""
    suffixes: list[str] = []
    while True:
        base_name, slash, suffix = name.rpartition("/")
        is_order = suffix.partition("=")[0] in get_args(OrderKind)
        if not slash or (slash + suffix not in (ALONE_SUFFIX, SHUFFLED_SUFFIX) and not is_order):
            return name, suffixes
        name = base_name
        suffixes.insert(0, slash + suffix)


def without_order(name: str) -> str:
    """Return the name of a view without an order of the choices."""
    base_name, suffixes = _split_suffixes(name)
    return base_name + "".join(suffix for suffix in suffixes if "=" not in suffix)


def shows_choices(name: str) -> bool:
    """Whether a view shows the choices; one that is not known is taken to show them."""
    base_name, _ = _split_suffixes(name)
    return base_name in (FULL, NONSENSE, UNKNOWN_VIEW) or CHOICES in base_name.split("+")


def _parse_parts(base_name: str, fields: Sequence[str]) -> tuple[str, ...]:
    """Return the parts of an item that a view shows, in their order."""
    parts: Sequence[str] = base_name.split("+")
    if base_name == FULL or (base_name == NONSENSE and NONSENSE not in fields):
        parts = (*fields, CHOICES)
    elif base_name == QUESTION and QUESTION not in fields and fields:
        parts = fields
    for part in parts:
        if part not in (*fields, CHOICES):
            raise UnknownName("view", part, (FULL, CHOICES, QUESTION, NONSENSE, *fields))
    return tuple(part for part in (*fields, CHOICES) if part in parts)


def _check_view(name: str, view: View) -> None:
    """Raise BadInput if parts of a view have no effect together."""
    if not view.side_by_side and CHOICES not in view.keep:
        raise BadInput("--views", f"{name}: /alone needs choices in the view")
    if view.order and (CHOICES not in view.keep or not view.side_by_side):
        raise BadInput("--views", f"{name}: an order needs choices that are shown together")
    if view.shuffled_fields and view.random_words:
        raise BadInput("--views", f"{name}: random words cannot be those of another item")
    if view.shuffled_fields and view.keep in ((CHOICES,), ()):
        raise BadInput("--views", f"{name}: /shuffled needs fields in the view")


def view_name(view: View, fields: Sequence[str]) -> str:
    """Return the name of a view over items with these fields."""
    if view.random_words:
        base_name = NONSENSE
    else:
        base_name = FULL if set(view.keep) == {*fields, CHOICES} else "+".join(view.keep)
    return (
        base_name
        + (SHUFFLED_SUFFIX if view.shuffled_fields else "")
        + ("" if view.side_by_side else ALONE_SUFFIX)
        + (f"/{view.order.kind}={view.order.number}" if view.order else "")
    )


def is_random(view: View) -> bool:
    """Whether a seed decides what a view shows."""
    return view.shuffled_fields or view.random_words


def default_views(fields: Sequence[str]) -> list[View]:
    """Return the default views: choices only, with each field (if several), and everything."""
    field_views = [View((field, CHOICES)) for field in fields] if len(fields) > 1 else []
    full = View((*fields, CHOICES))
    return [View((CHOICES,)), *field_views, full] if fields else [full]


def is_blind(view: View, fields: Sequence[str]) -> bool:
    """Whether a view hides a part of the question, or items have no question at all."""
    return is_random(view) or not fields or set(view.keep) != {*fields, CHOICES}


def apply_view(view: View, items: Items, seed: int = 0, answers: bool = True) -> Items:
    """Return the items as a model sees them, in the same order; one item per choice for `/alone`.

    `seed` determines whose fields an item gets in a `/shuffled` view, and the words of `nonsense`.
    Without `answers` the answers are removed. An item that has no such order of its choices is
    shown as published: `is_shown` tells.
    """
    texts = draw_words(items, seed) if view.random_words else items
    donors = _draw_donors(items, seed) if view.shuffled_fields else texts
    visible = (
        _visible_item(view, text, donor, _shown_order(view, item), answers)
        for item, text, donor in zip(items, texts, donors, strict=True)
    )
    if view.side_by_side:
        return tuple(visible)
    return tuple(question for item in visible for question in _split_choices(item))


def is_shown(view: View, item: Item) -> bool:
    """Whether a view shows an item: with few choices, it has few orders."""
    return find_order(view.order, item) is not None


def regroup_scores(view: View, items: Items, scores: Scores) -> Scores:
    """Convert scores of the items that `apply_view` returned to scores of the original items."""
    if not view.side_by_side:
        score_rows = iter(scores)
        return [tuple(next(score_rows)[0] for _ in item.choices) for item in items]
    if view.order is None:
        return scores
    return [
        tuple(row[order.index(choice)] for choice in range(len(row)))
        for item, row in zip(items, scores, strict=True)
        for order in (_shown_order(view, item),)
    ]


def shown_choices(view: View, item: Item) -> tuple[str, ...]:
    """Return the choices of an item in the order of a view, also where the view hides them."""
    return tuple(item.choices[index] for index in _shown_order(view, item))


def place_choice(view: View, item: Item, place: int) -> int:
    """Return the index of the choice that a view shows at a place."""
    return _shown_order(view, item)[place]


def _shown_order(view: View, item: Item) -> Order:
    return find_order(view.order, item) or tuple(range(len(item.choices)))


def _visible_item(view: View, item: Item, donor: Item, order: Order, answers: bool) -> Item:
    visible_fields = {*view.keep} - {CHOICES}
    fields = {name: text for name, text in donor.fields.items() if name in visible_fields}
    asks = {ASKS_FOR: donor.meta[ASKS_FOR]} if fields and ASKS_FOR in donor.meta else {}
    choices, answer = item.choices, item.answer if answers else None
    if view.order is not None:
        choices = tuple(choices[index] for index in order)
        answer = None if answer is None else order.index(answer)
    if CHOICES not in view.keep:
        choices = ("",) * len(choices)
    return Item("", fields, choices, answer, meta=asks)


def _split_choices(item: Item) -> list[Item]:
    """Split an item into one yes-or-no question per choice."""
    return [
        replace(item, choices=(choice,), answer=0 if index == item.answer else None)
        for index, choice in enumerate(item.choices)
    ]


def draw_words(items: Items, seed: int) -> Items:
    """Replace every word of items by a word drawn from all of them.

    Texts of scripts without spaces are one word: these are drawn whole.
    """
    words = [
        word
        for item in items
        for text in (*item.fields.values(), *item.choices)
        for word in text.split()
    ]
    generator = np.random.default_rng(seed)

    def draw_text(text: str) -> str:
        indices = generator.integers(len(words), size=len(text.split())) if words else ()
        return " ".join(words[index] for index in indices)

    return tuple(
        replace(
            item,
            fields={name: draw_text(text) for name, text in item.fields.items()},
            choices=tuple(map(draw_text, item.choices)),
        )
        for item in items
    )


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
