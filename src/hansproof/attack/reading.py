"""An item as an attack reads it: all its texts in a row, each word with the part it stands in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..types import Item
from .words import Text

CONTEXT, RIGHT, WRONG = "context", "right", "wrong"
BREAK = "\n"  # between texts, where all are read as one


@dataclass(frozen=True)
class Reading:
    """The fields of an item, then its choices."""

    item: Item
    texts: tuple[Text, ...]

    @classmethod
    def of(cls, item: Item) -> Reading:
        """The item in words."""
        return cls(item, tuple(map(Text.of, (*item.fields.values(), *item.choices))))

    @cached_property
    def places(self) -> tuple[tuple[int, int], ...]:
        """By word of the item: its text, and which word of it."""
        return tuple((t, at) for t, text in enumerate(self.texts) for at in range(len(text.words)))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words."""
        return tuple(word for text in self.texts for word in text.words)

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """What stands between them, where all texts are read as one."""
        found, gap = [], ""
        for number, text in enumerate(self.texts):
            gap += BREAK * (number > 0) + text.gaps[0]
            for after in text.gaps[1:]:
                found.append(gap)
                gap = after
        return (*found, gap)

    @property
    def whole(self) -> str:
        """All texts as one."""
        return BREAK.join(text.text for text in self.texts)

    def around(self, at: int, size: int | None = None) -> tuple[str, str]:
        """What stands before and after a word, in a window of so many; without a size, all.

        The word is in the middle of its window, or as near as the ends allow.
        """
        count = len(self.words)
        if size is None:
            first, last = 0, count
        elif at - (half := (size - 1) / 2) < 0:
            first, last = 0, min(size, count)
        elif at + half >= count:
            first, last = max(0, count - size), count
        else:
            first, last = at - math.ceil(half), at + math.floor(half) + 1
        before = "".join(self.words[k] + self.gaps[k + 1] for k in range(first, at))
        after = "".join(self.gaps[k] + self.words[k] for k in range(at + 1, last))
        if size is None:
            return self.gaps[0] + before, after + self.gaps[count]
        return before, after

    def with_word(self, at: int, word: str) -> Reading:
        """The same with another word in one place."""
        text, place = self.places[at]
        return self._with(text, self.texts[text].with_word(place, word))

    def without(self, at: int) -> Reading:
        """The same without a word."""
        text, place = self.places[at]
        return self._with(text, self.texts[text].without(place))

    def items_with(self, at: int, words: Sequence[str]) -> list[Item]:
        """The items with each of several words in one place, without reading them anew."""
        number, place = self.places[at]
        text = self.texts[number].text
        start, end = self.texts[number].spans()[place]
        return [self._item(number, text[:start] + word + text[end:]) for word in words]

    def _with(self, at: int, text: Text) -> Reading:
        texts = (*self.texts[:at], text, *self.texts[at + 1 :])
        return Reading(self._item(at, text.text), texts)

    def _item(self, at: int, text: str) -> Item:
        """The item with another text in one place."""
        names = list(self.item.fields)
        if at < len(names):
            return replace(self.item, fields={**self.item.fields, names[at]: text})
        choices = list(self.item.choices)
        choices[at - len(names)] = text
        return replace(self.item, choices=tuple(choices))

    def part(self, at: int) -> str:
        """The name of a text: its field, or the choice and whether it is right."""
        names = list(self.item.fields)
        if at < len(names):
            return names[at]
        choice = at - len(names)
        return f"choice {choice + 1} ({RIGHT if choice == self.item.answer else WRONG})"

    def allowed(self, where: tuple[str, ...]) -> list[int]:
        """The words of the parts that are named: `context` (all fields), a field, `right`, `wrong`.

        What an item does not have has no words.
        """
        names = list(self.item.fields)
        right = len(names) + (self.item.answer or 0)
        texts = {at for at, name in enumerate(names) if CONTEXT in where or name in where}
        texts |= {right} if RIGHT in where else set()
        every = range(len(names), len(self.texts))
        texts |= {at for at in every if at != right} if WRONG in where else set()
        return [at for at, (text, _) in enumerate(self.places) if text in texts]
