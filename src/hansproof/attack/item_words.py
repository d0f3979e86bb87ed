"""The words of an item: all its texts in order, and the part that each word belongs to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..types import Item
from .words import TextWords

CONTEXT, RIGHT, WRONG = "context", "right", "wrong"
BREAK = "\n"  # joins texts where they are read as one


@dataclass(frozen=True)
class ItemWords:
    """The words of the fields of an item, then of its choices."""

    item: Item
    texts: tuple[TextWords, ...]

    @classmethod
    def from_item(cls, item: Item) -> ItemWords:
        """Split the texts of an item into words."""
        return cls(item, tuple(map(TextWords.from_text, (*item.fields.values(), *item.choices))))

    @cached_property
    def positions(self) -> tuple[tuple[int, int], ...]:
        """For each word of the item: the index of its text, and of the word in that text."""
        return tuple(
            (text_index, word_index)
            for text_index, text in enumerate(self.texts)
            for word_index in range(len(text.words))
        )

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words of the item."""
        return tuple(word for text in self.texts for word in text.words)

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """The strings between the words, where all texts are read as one."""
        gaps, gap = [], ""
        for number, text in enumerate(self.texts):
            gap += BREAK * (number > 0) + text.gaps[0]
            for after in text.gaps[1:]:
                gaps.append(gap)
                gap = after
        return (*gaps, gap)

    @property
    def full_text(self) -> str:
        """All texts joined."""
        return BREAK.join(text.text for text in self.texts)

    def surrounding_text(self, position: int, size: int | None = None) -> tuple[str, str]:
        """Return the text before and after a word, in a window of `size` words; None is no limit.

        The word is in the middle of its window, or as near as the ends allow.
        """
        count = len(self.words)
        if size is None:
            first, last = 0, count
        elif position - (half := (size - 1) / 2) < 0:
            first, last = 0, min(size, count)
        elif position + half >= count:
            first, last = max(0, count - size), count
        else:
            first, last = position - math.ceil(half), position + math.floor(half) + 1
        before = "".join(self.words[k] + self.gaps[k + 1] for k in range(first, position))
        after = "".join(self.gaps[k] + self.words[k] for k in range(position + 1, last))
        if size is None:
            return self.gaps[0] + before, after + self.gaps[count]
        return before, after

    def replace_word(self, position: int, word: str) -> ItemWords:
        """Return the item with another word at one position."""
        text_index, word_index = self.positions[position]
        return self._replace_text(text_index, self.texts[text_index].replace_word(word_index, word))

    def remove_word(self, position: int) -> ItemWords:
        """Return the item without a word."""
        text_index, word_index = self.positions[position]
        return self._replace_text(text_index, self.texts[text_index].remove_word(word_index))

    def items_with_words(self, position: int, words: Sequence[str]) -> list[Item]:
        """Return the items with each of several words at one position."""
        text_index, word_index = self.positions[position]
        text = self.texts[text_index].text
        start, end = self.texts[text_index].word_spans()[word_index]
        return [
            self._item_with_text(text_index, text[:start] + word + text[end:]) for word in words
        ]

    def _replace_text(self, text_index: int, text: TextWords) -> ItemWords:
        texts = (*self.texts[:text_index], text, *self.texts[text_index + 1 :])
        return ItemWords(self._item_with_text(text_index, text.text), texts)

    def _item_with_text(self, text_index: int, text: str) -> Item:
        """Return the item with one text replaced."""
        names = list(self.item.fields)
        if text_index < len(names):
            return replace(self.item, fields={**self.item.fields, names[text_index]: text})
        choices = list(self.item.choices)
        choices[text_index - len(names)] = text
        return replace(self.item, choices=tuple(choices))

    def part_name(self, text_index: int) -> str:
        """Return the name of a text: its field, or the choice and whether it is right."""
        names = list(self.item.fields)
        if text_index < len(names):
            return names[text_index]
        choice = text_index - len(names)
        return f"choice {choice + 1} ({RIGHT if choice == self.item.answer else WRONG})"

    def allowed_positions(self, parts: tuple[str, ...]) -> list[int]:
        """Return the positions of the words in some parts.

        Parts are `context` (all fields), the name of a field, `right` and `wrong`. A part that the
        item does not have is ignored.
        """
        names = list(self.item.fields)
        right = len(names) + (self.item.answer or 0)
        text_indices = {
            text_index for text_index, name in enumerate(names) if CONTEXT in parts or name in parts
        }
        text_indices |= {right} if RIGHT in parts else set()
        choice_indices = range(len(names), len(self.texts))
        text_indices |= (
            {text_index for text_index in choice_indices if text_index != right}
            if WRONG in parts
            else set()
        )
        return [
            position
            for position, (text_index, _) in enumerate(self.positions)
            if text_index in text_indices
        ]
