"""The example of a finding: one item, with the right choice ticked and the cue marked."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from ..._infra.plural import plural
from ...types import FINDINGS, Item, Result
from ..escape import escape_html
from ..sections import ExampleSource, Section
from .evidence import EvidenceStore

MAX_CANDIDATES = 50  # items of which one is shown


@dataclass(frozen=True, slots=True)
class ExampleItem:
    """An item, ready to be rendered."""

    item: Item
    caption: str
    choices: tuple[tuple[Markup, bool], ...]  # text with marks, and whether it is right


def choose_example(result: Result, section: Section, store: EvidenceStore) -> ExampleItem | None:
    """Choose the item that is shown with a finding: of those that show it best, a short one.

    It is as long as a quarter of them at most, since the very shortest are seldom typical.
    """
    if result.verdict not in FINDINGS:
        return None
    sources = section.examples or tuple(
        ExampleSource(key, ids, f"One of {plural(len(ids), 'item')}: {key}.")
        for key, ids in result.evidence.items()
    )
    for source in sources:
        items = sorted(store.find_items(source.ids)[:MAX_CANDIDATES], key=_count_characters)
        if items:
            return _build_example(items[len(items) // 4], source, section)
    return None


def _build_example(item: Item, source: ExampleSource, section: Section) -> ExampleItem:
    choices = tuple(
        (escape_html(choice, section.mark(source.key, item, i)), i == item.answer)
        for i, choice in enumerate(item.choices)
    )
    return ExampleItem(item, source.caption, choices)


def _count_characters(item: Item) -> int:
    return sum(map(len, (*item.fields.values(), *item.choices)))
