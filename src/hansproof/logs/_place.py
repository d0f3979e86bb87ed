"""Which item of a split an entry of a log speaks of: by its id, or by the choices it quotes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ..errors import BadInput
from ..formats._record import shown
from ..types import Item, Items
from ._run import Entry

Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry with its item; the item's choice `i` is number `order[i]` in the log."""

    entry: Entry
    item: Item
    order: tuple[int, ...]

    def index(self, number: int) -> int:
        """The item's own index of what the log calls choice `number`."""
        return self.order.index(number) if number in self.order else number


class Shelf:
    """The items of a split, to be found."""

    def __init__(self, name: str, items: Items, sha256: str) -> None:
        self.name, self.items, self.sha256 = name, items, sha256
        self._by_id = {item.id: item for item in items}

    @cached_property
    def _by_texts(self) -> dict[Texts, list[Item]]:
        found: dict[Texts, list[Item]] = {}
        for item in self.items:
            found.setdefault(_texts(item.choices), []).append(item)
        return found

    def find(self, entry: Entry) -> list[Item]:
        """The items that an entry may speak of; the one of that id, if its choices are these."""
        item = self._by_id.get(entry.id)
        if not entry.choices:
            return [item] if item else []
        texts = _texts(entry.choices)
        if item and _texts(item.choices) == texts:
            return [item]
        # a number of the log's own may be the id of another item by accident: the texts decide
        found = self._by_texts.get(texts, [])
        if len(found) > 1 and isinstance(entry.answer, int):
            right = _plain(entry.choices[entry.answer : entry.answer + 1])
            found = [i for i in found if right == _plain(_right(i))] or found
        return found

    def holds(self, entries: Iterable[Entry]) -> int:
        """How many of the entries speak of one item of this split."""
        return sum(len(self.find(entry)) == 1 for entry in entries)

    def place(self, entry: Entry, file: str) -> Placed:
        """The entry with its item; an error if there is none or more than one."""
        found = self.find(entry)
        if len(found) == 1:
            return Placed(entry, found[0], _order(entry.choices, found[0].choices))
        id = shown(entry.id)
        if found:
            several = ", ".join(shown(item.id) for item in found[:3])
            what = f"the choices of {id} are those of several items: {several}"
        elif entry.choices:
            what = f"no item of {self.name} ({len(self.items)} items) has the choices of {id}"
        else:
            what = f"{id} is no item of {self.name} ({len(self.items)} items)"
        raise BadInput(file, what, line=entry.line, field="id")


def _right(item: Item) -> Texts:
    return () if item.answer is None else (item.choices[item.answer],)


def _plain(texts: Texts) -> Texts:
    return tuple(" ".join(text.split()) for text in texts)


def _texts(choices: Texts) -> Texts:
    """The choices without blanks that differ from copy to copy, in an order of their own."""
    return tuple(sorted(_plain(choices)))


def _order(quoted: Texts, choices: Texts) -> tuple[int, ...]:
    """Where each of the item's choices stands in the log; as they are, if it quotes none."""
    if not quoted or _plain(quoted) == _plain(choices):
        return tuple(range(len(choices)))
    left = dict(enumerate(_plain(quoted)))
    found = []
    for text in _plain(choices):
        place = next(i for i, other in left.items() if other == text)
        found.append(place)
        del left[place]
    return tuple(found)
