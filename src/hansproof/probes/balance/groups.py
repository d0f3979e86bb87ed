"""Groups that the benchmark marks and that should be mirrored, and why some are broken."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from ..._infra.plural import plural
from ...types import Item, Items
from ...views import ASKS_FOR

NO_PARTNER = "no partner in its group"
CHOICES_DIFFER = "choices differ"
ANSWERS_UNEVEN = "answers uneven"
CONTRADICTORY = "same input with different answers"

InputKey = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class MirrorGroup:
    """The items of a group, with their splits."""

    name: str
    members: tuple[tuple[str, Item], ...]  # split, item

    def item_ids(self) -> tuple[str, ...]:
        return tuple(item.id for _, item in self.members)

    def shares_choices(self) -> bool:
        """Whether two of its items have the same choices."""
        return len({sorted_choices(item) for _, item in self.members}) < len(self.members)


@dataclass(frozen=True, slots=True)
class BrokenGroup:
    """A group that is not properly mirrored, the reason, and the items concerned."""

    group: MirrorGroup
    reason: str
    ids: tuple[str, ...]


def find_marked(parts: dict[str, Items]) -> tuple[list[MirrorGroup], tuple[str, ...]]:
    """Return the groups of the benchmark that should be mirrored, and a note on the others.

    If most groups share their choices, all groups should be mirrored. Otherwise only those that
    do: the others group items by something else, such as the text or the page they are about.
    """
    members: dict[str, list[tuple[str, Item]]] = defaultdict(list)
    for split, items in parts.items():
        for item in items:
            if item.group is not None:
                members[item.group].append((split, item))
    groups = [MirrorGroup(name, tuple(group_members)) for name, group_members in members.items()]
    several = [group for group in groups if len(group.members) > 1]
    sharing = [group for group in several if group.shares_choices()]
    selected = groups if sharing and 2 * len(sharing) >= len(several) else sharing
    n_skipped = len(groups) - len(selected)
    if not selected or not n_skipped:
        return selected, ()
    return selected, (
        f"Left out {plural(n_skipped, 'group')} whose items do not share their choices.",
    )


def find_broken(groups: list[MirrorGroup]) -> Iterator[BrokenGroup]:
    """Yield the broken groups with their reasons; a group may be broken in two ways."""
    for group in groups:
        items = [item for _, item in group.members]
        if len(items) == 1:
            yield BrokenGroup(group, NO_PARTNER, group.item_ids())
        elif len({sorted_choices(item) for item in items}) > 1:
            yield BrokenGroup(group, CHOICES_DIFFER, group.item_ids())
        elif not _is_even(items):
            yield BrokenGroup(group, ANSWERS_UNEVEN, group.item_ids())
        if clash := _contradictory_ids(items):
            yield BrokenGroup(group, CONTRADICTORY, clash)


def sorted_choices(item: Item) -> tuple[str, ...]:
    """Return the choices, sorted and without surrounding spaces."""
    return tuple(sorted(choice.strip() for choice in item.choices))


def _is_even(items: list[Item]) -> bool:
    """Whether each choice is right equally often."""
    right = Counter(answer_text(item) for item in items)
    return len({right[choice] for choice in sorted_choices(items[0])}) == 1


def _contradictory_ids(items: list[Item]) -> tuple[str, ...]:
    """Return the items whose input also occurs with another answer."""
    items_by_input: dict[InputKey, list[Item]] = defaultdict(list)
    for item in items:
        items_by_input[_input_key(item)].append(item)
    clashes = [
        clash for clash in items_by_input.values() if len({answer_text(item) for item in clash}) > 1
    ]
    return tuple(item.id for clash in clashes for item in clash)


def _input_key(item: Item) -> InputKey:
    fields = tuple(sorted((name, text.strip()) for name, text in item.fields.items()))
    return fields, item.meta.get(ASKS_FOR), sorted_choices(item)


def answer_text(item: Item) -> str:
    """Return the right choice, without surrounding spaces."""
    return item.choices[item.answer or 0].strip()
