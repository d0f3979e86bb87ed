"""The example of a finding: an item with its twins, right choices ticked and cues marked."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from ..._infra.plural import plural
from ...types import FINDINGS, Item, Result
from ..escape import escape_html
from ..sections import ExampleSource, Section
from .evidence import EvidenceStore

MAX_CANDIDATES = 50  # items of which one is shown, or one with its twins
MAX_SHOWN = 3  # items that are shown together


@dataclass(frozen=True, slots=True)
class ExampleItem:
    """An item, ready to be rendered."""

    item: Item
    choices: tuple[tuple[Markup, bool], ...]  # text with marks, and whether it is right


@dataclass(frozen=True, slots=True)
class Example:
    """The items that show a finding, and a sentence about them."""

    caption: str
    items: tuple[ExampleItem, ...]


def choose_example(result: Result, section: Section, store: EvidenceStore) -> Example | None:
    """Choose the item that is shown with a finding: of those that show it best, a short one.

    It is as long as a quarter of them at most, since the very shortest are seldom typical. Where a
    finding is about items that belong together, such as duplicates, they are shown together.
    """
    if result.verdict not in FINDINGS:
        return None
    sources = section.examples or tuple(
        ExampleSource(key, ids, f"One of {plural(len(ids), 'item')}: {key}.")
        for key, ids in result.evidence.items()
    )
    for source in sources:
        candidates = _group_twins(store.find_items(source.ids)[:MAX_CANDIDATES], source)
        candidates.sort(key=_count_characters)
        if candidates:
            items = _select_twins(candidates[len(candidates) // 4])
            return Example(
                source.caption, tuple(_build_item(item, source, section) for item in items)
            )
    return None


def _group_twins(items: list[Item], source: ExampleSource) -> list[list[Item]]:
    """Return groups of items that belong together; single items where the source has no twins."""
    if source.twin_key is None:
        return [[item] for item in items]
    groups: dict[object, list[Item]] = {}
    for item in items:
        groups.setdefault(source.twin_key(item), []).append(item)
    return [group for group in groups.values() if len(group) > 1] or [[item] for item in items]


def _select_twins(group: list[Item]) -> list[Item]:
    """Return the first items of a group, one with another right answer among them if it exists."""
    first, *twins = group
    twins.sort(key=lambda item: _right_choice(item) == _right_choice(first))
    return [first, *twins][:MAX_SHOWN]


def _right_choice(item: Item) -> str | None:
    return None if item.answer is None else item.choices[item.answer].strip()


def _build_item(item: Item, source: ExampleSource, section: Section) -> ExampleItem:
    choices = tuple(
        (escape_html(choice, section.mark(source.key, item, i)), i == item.answer)
        for i, choice in enumerate(item.choices)
    )
    return ExampleItem(item, choices)


def _count_characters(items: list[Item]) -> int:
    return sum(sum(map(len, (*item.fields.values(), *item.choices))) for item in items)
