"""The items behind the findings, each once per page, and where the finding stands in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup

from ...auditing import MAX_EVIDENCE_ITEMS
from ...types import Item, Items

TextSpans = list[tuple[int, int]]
Marker = Callable[[str, str], TextSpans]  # evidence key, text of a choice -> what to mark in it


class EvidenceStore:
    """Collects the items that evidence refers to; only those asked for are embedded."""

    def __init__(self, items: Items) -> None:
        self._items_by_id = {item.id: item for item in items}
        self._index_by_id: dict[str, int] = {}
        self.items: list[dict[str, Any]] = []
        self.evidence: list[dict[str, Any]] = []

    def add_evidence(self, key: str, ids: tuple[str, ...], mark: Marker) -> int:
        """Keep one finding's evidence; its place in the store."""
        embedded_items = [self._items_by_id[id] for id in ids if id in self._items_by_id][
            :MAX_EVIDENCE_ITEMS
        ]
        self.evidence.append(
            {
                "items": [
                    [self._embed_item(item), _choice_marks(key, item, mark)]
                    for item in embedded_items
                ],
                "left": len(ids) - len(embedded_items),
            }
        )
        return len(self.evidence) - 1

    def has_any(self, ids: tuple[str, ...]) -> bool:
        """Whether there is something to show of these items."""
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
    """(choice, start, end) of every mark."""
    return [
        [i, start, end] for i, choice in enumerate(item.choices) for start, end in mark(key, choice)
    ]


def json_for_html(data: Mapping[str, Any]) -> Markup:
    """JSON that no browser can take for markup, whatever the texts say."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # noqa: S704  escaped above
