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

from ..text.ngrams import normalise_text
from ..types import Item, Items

FEW_COPIES = 0.95  # as many units as that, to an item
MAX_COPIES = 10  # what more items than this share is a form
MAX_COMBINED_CHOICES = (
    8  # of more choices than this all must be the same: there are too many ways to take half
)

CopyKey = tuple[object, ...]


def find_leakage_groups(items: Items, viewed_items: Items = ()) -> list[str]:
    """A name for each item's unit, to be used where groups are.

    With `shown`, the same items as a view shows them, also what is a copy to who sees no more.
    """
    items_by_key: dict[CopyKey, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        for key in {*_copy_keys(item), *(_copy_keys(viewed_items[index]) if viewed_items else ())}:
            items_by_key[key].append(index)
    parents = list(range(len(items)))
    for key, members in items_by_key.items():
        if len(members) <= MAX_COPIES or key[0] == "group":
            for other in members[1:]:
                parents[_find_root(parents, other)] = _find_root(parents, members[0])
    return [str(_find_root(parents, index)) for index in range(len(items))]


def groups_for_tests(items: Items) -> list[str] | list[str | None]:
    """Units where copies are many, else the groups as they are: a few copies change no test."""
    groups = find_leakage_groups(items)
    return groups if len(set(groups)) < FEW_COPIES * len(items) else [item.group for item in items]


def _copy_keys(item: Item) -> Iterator[CopyKey]:
    """What would make another item a copy of this one."""
    if item.group is not None:
        yield ("group", item.group)
    choices = sorted(map(normalise_text, item.choices))
    if any(choices):
        n_shared = len(choices) // 2 + 1 if len(choices) <= MAX_COMBINED_CHOICES else len(choices)
        yield from (
            ("choices", *shared_choices) for shared_choices in combinations(choices, n_shared)
        )
    fields = tuple(sorted((name, normalise_text(text)) for name, text in item.fields.items()))
    if any(text for _, text in fields):
        for choice in choices:
            yield ("question", fields, choice)


def _find_root(parents: list[int], index: int) -> int:
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index
