"""The items behind the findings, each embedded once, and the marks of each finding in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup

from ...auditing import MAX_EVIDENCE_ITEMS
from ...types import Item, Items

TextSpans = list[tuple[int, int]]
Marker = Callable[[str, Item, int], TextSpans]  # evidence key, item, choice -> spans to mark


class EvidenceStore:
    """Collects the items that evidence refers to; only these are embedded."""

    def __init__(self, items: Items) -> None:
        self._items_by_id = {item.id: item for item in items}
        self._index_by_id: dict[str, int] = {}
        self.items: list[dict[str, Any]] = []
        self.evidence: list[dict[str, Any]] = []

    def add_evidence(self, key: str, ids: tuple[str, ...], mark: Marker) -> int:
        """Store the evidence of one finding and return its index."""
        embedded_items = self.find_items(ids)[:MAX_EVIDENCE_ITEMS]
        self.evidence.append(
            {
                "items": [
                    [self._embed_item(item), _choice_marks(key, item, mark)]
                    for item in embedded_items
                ],
                "omitted": len(ids) - len(embedded_items),
            }
        )
        return len(self.evidence) - 1

    def find_items(self, ids: tuple[str, ...]) -> list[Item]:
        """Return those of these items that the audit contains."""
        return [self._items_by_id[id] for id in ids if id in self._items_by_id]

    def has_any(self, ids: tuple[str, ...]) -> bool:
        """Tell whether the audit contains any of these items."""
        return any(id in self._items_by_id for id in ids)

    def _embed_item(self, item: Item) -> int:
        if item.id not in self._index_by_id:
            self._index_by_id[item.id] = len(self.items)
            self.items.append(
                {
                    "id": item.id,
                    "fields": list(item.fields.items()),
                    "choices": item.choices,
                    "answer": item.answer,
                }
            )
        return self._index_by_id[item.id]


def _choice_marks(key: str, item: Item, mark: Marker) -> list[list[int]]:
    """List (choice, start, end) of every mark in the choices of an item."""
    return [[i, start, end] for i in range(len(item.choices)) for start, end in mark(key, item, i)]


def json_for_html(data: Mapping[str, Any]) -> Markup:
    """Encode JSON so that no browser takes any of its text for markup."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # noqa: S704  escaped above
