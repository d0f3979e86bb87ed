"""The items behind the findings, each once per page, and where the finding stands in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup

from ..audit import SHOWN
from ..types import Item, Items

Spans = list[tuple[int, int]]
Marker = Callable[[str, str], Spans]  # evidence key, text of a choice -> what to mark in it


class Store:
    """Collects the items that evidence refers to; only those asked for are embedded."""

    def __init__(self, items: Items) -> None:
        self._known = {item.id: item for item in items}
        self._at: dict[str, int] = {}
        self.items: list[dict[str, Any]] = []
        self.evidence: list[dict[str, Any]] = []

    def add(self, key: str, ids: tuple[str, ...], mark: Marker) -> int:
        """Keep one finding's evidence; its place in the store."""
        shown = [self._known[id] for id in ids if id in self._known][:SHOWN]
        self.evidence.append(
            {
                "items": [[self._place(item), _marks(key, item, mark)] for item in shown],
                "left": len(ids) - len(shown),
            }
        )
        return len(self.evidence) - 1

    def knows(self, ids: tuple[str, ...]) -> bool:
        """Whether there is something to show of these items."""
        return any(id in self._known for id in ids)

    def _place(self, item: Item) -> int:
        if item.id not in self._at:
            self._at[item.id] = len(self.items)
            self.items.append(
                {
                    "id": item.id,
                    "fields": list(item.fields.items()),
                    "choices": item.choices,
                    "answer": item.answer,
                }
            )
        return self._at[item.id]


def _marks(key: str, item: Item, mark: Marker) -> list[list[int]]:
    """(choice, start, end) of every mark."""
    return [
        [at, start, end]
        for at, choice in enumerate(item.choices)
        for start, end in mark(key, choice)
    ]


def embedded(data: Mapping[str, Any]) -> Markup:
    """JSON that no browser can take for markup, whatever the texts say."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for char in "<>&":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # noqa: S704  escaped above
