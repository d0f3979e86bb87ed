"""Items that no fold may part: those of a group, and those that are near copies of each other.

Copies: more than half of the choices in common, or the same question with a choice in common;
case, punctuation and the order of choices do not count. (CommonsenseQA asks three questions over
the same three choices: parted, what is learnt of one is wrong of the others.) What more than a few
items share (`yes` and `no`, `Which is true?`) is a form, not a copy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from ..text import normalised
from ..types import Item, Items

FEW_COPIES = 0.95  # as many units as that, to an item
FORM = 10  # what more items than this share is a form
MANY = 8  # of more choices than this all must be the same: there are too many ways to take half

Key = tuple[object, ...]


def units(items: Items, shown: Items = ()) -> list[str]:
    """A name for each item's unit, to be used where groups are.

    With `shown`, the same items as a view shows them, also what is a copy to who sees no more.
    """
    sharing: dict[Key, list[int]] = defaultdict(list)
    for at, item in enumerate(items):
        for key in {*_keys(item), *(_keys(shown[at]) if shown else ())}:
            sharing[key].append(at)
    root = list(range(len(items)))
    for key, members in sharing.items():
        if len(members) <= FORM or key[0] == "group":
            for other in members[1:]:
                root[_find(root, other)] = _find(root, members[0])
    return [str(_find(root, at)) for at in range(len(items))]


def hanging_together(items: Items) -> list[str] | list[str | None]:
    """Units where copies are many, else the groups as they are: a few copies change no test."""
    found = units(items)
    return found if len(set(found)) < FEW_COPIES * len(items) else [item.group for item in items]


def _keys(item: Item) -> Iterator[Key]:
    """What would make another item a copy of this one."""
    if item.group is not None:
        yield ("group", item.group)
    choices = sorted(map(normalised, item.choices))
    if any(choices):
        most = len(choices) // 2 + 1 if len(choices) <= MANY else len(choices)
        yield from (("choices", *some) for some in combinations(choices, most))
    fields = tuple(sorted((name, normalised(text)) for name, text in item.fields.items()))
    if any(text for _, text in fields):
        for choice in choices:
            yield ("question", fields, choice)


def _find(root: list[int], at: int) -> int:
    while root[at] != at:
        root[at] = root[root[at]]
        at = root[at]
    return at
