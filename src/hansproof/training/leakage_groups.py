"""Leakage groups: items that no fold may separate, by their group or as near copies.

Two items are copies if they share more than half of their choices, or the question and one choice;
case, punctuation and the order of choices are ignored. (CommonsenseQA asks three questions over the
same three choices: if they are separated, what is learnt from one is wrong for the others.) Texts
that more than a few items share (`yes` and `no`, `Which is true?`) are a form, not a copy; items
with the same question and the same choices are copies, however many there are. So are items without
a question, if each of their choices has a few words.

In tests and intervals a leakage group counts as one unit, as its items are not independent: an item
that stands there ten times is evidence of one answer. Where copies are few, this would cost more
than it mends, and only the groups of the benchmark count.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Iterator
from itertools import combinations

from ..text.ngrams import normalise_text
from ..types import Item, Items

FEW_COPIES = 0.95  # groups per item; from this on, copies are too few to matter to tests
MAX_COPIES = 10  # texts that more items share are a form
MIN_WORDS = 3  # texts with fewer words may be a form
MAX_COMBINED_CHOICES = 8  # with more choices all must be equal: there are too many halves

CopyKey = tuple[object, ...]

# the last results: the probes of an audit ask for the groups of the same items again and again
_recent: deque[tuple[Items, list[str]]] = deque(maxlen=4)


def find_leakage_groups(items: Items, viewed_items: Items = ()) -> list[str]:
    """Return the name of each item's leakage group.

    With `viewed_items`, the same items as a view shows them, items that look like copies in this
    view are grouped as well.
    """
    if viewed_items:
        return _join_copies(items, viewed_items)
    for known_items, groups in _recent:
        if len(known_items) == len(items) and all(map(operator.is_, known_items, items)):
            return [*groups]
    groups = _join_copies(items, ())
    _recent.append((items, groups))
    return [*groups]


def _join_copies(items: Items, viewed_items: Items) -> list[str]:
    first_of: dict[CopyKey, int] = {}
    repeats: dict[CopyKey, list[int]] = {}  # keys of several items: few, so lists cost little
    for index, item in enumerate(items):
        for key in {
            *_copy_keys(item),
            *_bare_keys(item),
            *(_copy_keys(viewed_items[index]) if viewed_items else ()),
        }:
            first = first_of.setdefault(key, index)
            if first != index:
                repeats.setdefault(key, [first]).append(index)
    parents = list(range(len(items)))
    for key, members in repeats.items():
        if len(members) <= MAX_COPIES or key[0] in ("group", "item"):
            for other in members[1:]:
                parents[_find_root(parents, other)] = _find_root(parents, members[0])
    return [str(_find_root(parents, index)) for index in range(len(items))]


def groups_for_tests(items: Items) -> list[str] | list[str | None]:
    """Return the units of tests and intervals, one name per item.

    They are leakage groups if near copies leave fewer than FEW_COPIES units per item, else the
    items' own groups.
    """
    groups = find_leakage_groups(items)
    return groups if len(set(groups)) < FEW_COPIES * len(items) else [item.group for item in items]


def _copy_keys(item: Item) -> Iterator[CopyKey]:
    """Yield keys of an item; items that share a key are copies of each other."""
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
        yield ("item", fields, *choices)
        for choice in choices:
            yield ("question", fields, choice)


def _bare_keys(item: Item) -> Iterator[CopyKey]:
    """Yield the key of an item without a question, of which the choices are more than a form."""
    if any(text.strip() for text in item.fields.values()):
        return
    choices = sorted(map(normalise_text, item.choices))
    if all(len(choice.split()) >= MIN_WORDS for choice in choices):
        yield ("item", *choices)


def _find_root(parents: list[int], index: int) -> int:
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index
