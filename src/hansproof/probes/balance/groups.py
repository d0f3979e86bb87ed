"""Groups that are meant to be mirrored, and those that are broken, with the reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from ...types import Item, Items
from ...views import ASKS_FOR

ALONE = "no partner in its group"
DIFFER = "choices differ"
UNEVEN = "answers uneven"
CONTRADICTORY = "same input with different answers"

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Items that share a group, with the splits they lie in."""

    name: str
    members: tuple[tuple[str, Item], ...]  # split, item

    def ids(self) -> tuple[str, ...]:
        return tuple(item.id for _, item in self.members)

    def shares(self) -> bool:
        """Whether two of its items have the same choices."""
        return len({choices(item) for _, item in self.members}) < len(self.members)


@dataclass(frozen=True, slots=True)
class Broken:
    """A group that is not as it should be."""

    group: Group
    why: str
    ids: tuple[str, ...]


def mirrored(parts: dict[str, Items]) -> tuple[list[Group], tuple[str, ...]]:
    """The groups meant to be mirrored, and notes on items and groups that are passed over.

    Where most groups share their choices all are meant to; otherwise those that do, since the
    rest ties items by something else: a text they ask about, or a page they come from.
    """
    members: dict[str, list[tuple[str, Item]]] = defaultdict(list)
    for split, items in parts.items():
        for item in items:
            if item.group is not None:
                members[item.group].append((split, item))
    groups = [Group(name, tuple(some)) for name, some in members.items()]
    several = [group for group in groups if len(group.members) > 1]
    sharing = [group for group in several if group.shares()]
    kept = groups if sharing and 2 * len(sharing) >= len(several) else sharing
    return kept, _passed_over(parts, groups, kept)


def _passed_over(
    parts: dict[str, Items], groups: list[Group], kept: list[Group]
) -> tuple[str, ...]:
    if not kept:
        return ()
    free = {split: sum(i.group is None for i in items) for split, items in parts.items()}
    notes = [f"{split}: {n:,} items without a group, passed over" for split, n in free.items() if n]
    if len(kept) < len(groups):
        rest = len(groups) - len(kept)
        notes.append(f"{rest:,} groups share no choices: tied by something else, passed over")
    return tuple(notes)


def broken(groups: list[Group]) -> Iterator[Broken]:
    """What is wrong with groups; one may be broken in two ways."""
    for group in groups:
        items = [item for _, item in group.members]
        if len(items) == 1:
            yield Broken(group, ALONE, group.ids())
        elif len({choices(item) for item in items}) > 1:
            yield Broken(group, DIFFER, group.ids())
        elif not _even(items):
            yield Broken(group, UNEVEN, group.ids())
        if clash := _contradictory(items):
            yield Broken(group, CONTRADICTORY, clash)


def choices(item: Item) -> tuple[str, ...]:
    """The choices in whatever order they stand, outer blanks aside."""
    return tuple(sorted(choice.strip() for choice in item.choices))


def _even(items: list[Item]) -> bool:
    """Whether each of the choices is right equally often."""
    right = Counter(_answer(item) for item in items)
    return len({right[choice] for choice in choices(items[0])}) == 1


def _contradictory(items: list[Item]) -> tuple[str, ...]:
    """The items that ask the same as another one and have another answer."""
    same: dict[Key, list[Item]] = defaultdict(list)
    for item in items:
        same[_input(item)].append(item)
    clashes = [some for some in same.values() if len({_answer(item) for item in some}) > 1]
    return tuple(item.id for some in clashes for item in some)


def _input(item: Item) -> Key:
    fields = tuple(sorted((name, text.strip()) for name, text in item.fields.items()))
    return fields, item.meta.get(ASKS_FOR), choices(item)


def _answer(item: Item) -> str:
    return item.choices[item.answer or 0].strip()
