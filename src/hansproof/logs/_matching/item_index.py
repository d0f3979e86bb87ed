"""Matches entries of a log with the items of a split, by id or by quoted choices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ...errors import BadInput
from ...records.location import truncate
from ...types import Item, Items
from .._log_run import LogEntry

ChoiceTexts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchedEntry:
    """An entry with its item; choice `i` of the item is number `order[i]` in the log."""

    entry: LogEntry
    item: Item
    order: tuple[int, ...]

    def to_item_index(self, number: int) -> int:
        """Convert the number of a choice in the log to its index in the item."""
        return self.order.index(number) if number in self.order else number


class ItemIndex:
    """The items of a split, indexed by id and by the texts of their choices."""

    def __init__(self, name: str, items: Items, sha256: str) -> None:
        self.name, self.items, self.sha256 = name, items, sha256
        self._by_id = {item.id: item for item in items}

    @cached_property
    def _by_texts(self) -> dict[ChoiceTexts, list[Item]]:
        items_by_texts: dict[ChoiceTexts, list[Item]] = {}
        for item in self.items:
            items_by_texts.setdefault(_choices_key(item.choices), []).append(item)
        return items_by_texts

    def find_items(self, entry: LogEntry) -> list[Item]:
        """Find the items that an entry may refer to: by id, or else by choices."""
        # if ids restart in every split, the benchmark has them as `split/id`
        item = self._by_id.get(entry.id) or self._by_id.get(f"{self.name}/{entry.id}")
        if not entry.choices:
            return [item] if item else []
        texts = _choices_key(entry.choices)
        if item and _choices_key(item.choices) == texts:
            return [item]
        # an id that the log made up may equal the id of another item: the texts decide
        candidates = self._by_texts.get(texts, [])
        if len(candidates) > 1 and isinstance(entry.answer, int):
            gold_text = _normalise_spaces(entry.choices[entry.answer : entry.answer + 1])
            candidates = [
                candidate
                for candidate in candidates
                if gold_text == _normalise_spaces(_gold_text(candidate))
            ] or candidates
        return candidates

    def count_matches(self, entries: Iterable[LogEntry]) -> int:
        """Count the entries that match exactly one item of this split."""
        return sum(len(self.find_items(entry)) == 1 for entry in entries)

    def match_entry(self, entry: LogEntry, file: str) -> MatchedEntry:
        """Match an entry with its item; raise if none or several items match."""
        candidates = self.find_items(entry)
        if len(candidates) == 1:
            return MatchedEntry(
                entry, candidates[0], _choice_order(entry.choices, candidates[0].choices)
            )
        id = truncate(entry.id)
        if candidates:
            item_ids = ", ".join(truncate(item.id) for item in candidates[:3])
            message = f"several items have the choices of {id}: {item_ids}"
        elif entry.choices:
            message = f"no item of {self.name} ({len(self.items)} items) has the choices of {id}"
        else:
            message = f"{id} is not an item of {self.name} ({len(self.items)} items)"
        raise BadInput(file, message, line=entry.line, field="id")


def _gold_text(item: Item) -> ChoiceTexts:
    return () if item.answer is None else (item.choices[item.answer],)


def _normalise_spaces(texts: ChoiceTexts) -> ChoiceTexts:
    return tuple(" ".join(text.split()) for text in texts)


def _choices_key(choices: ChoiceTexts) -> ChoiceTexts:
    """Return the choices sorted and with normalised spaces, as a key for look-up."""
    return tuple(sorted(_normalise_spaces(choices)))


def _choice_order(quoted: ChoiceTexts, choices: ChoiceTexts) -> tuple[int, ...]:
    """Return the position in the log of each choice; the same order if the log quotes none."""
    if not quoted or _normalise_spaces(quoted) == _normalise_spaces(choices):
        return tuple(range(len(choices)))
    remaining = dict(enumerate(_normalise_spaces(quoted)))
    order = []
    for text in _normalise_spaces(choices):
        position = next(i for i, other in remaining.items() if other == text)
        order.append(position)
        del remaining[position]
    return tuple(order)
