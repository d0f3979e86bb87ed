"""A journal of outcomes, one JSON object per line, from which an interrupted attack resumes.

A line is used only if its item has not changed since. Truncated lines are ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any

from ..errors import BadInput
from ..types import Item, Items
from ..views import ASKS_FOR
from .outcomes import AttackOutcome, outcome_from_json, outcome_to_json


class AttackJournal:
    """The journal file for `settings`: everything besides the item that can change an outcome."""

    def __init__(self, folder: str, settings: Mapping[str, Any]) -> None:
        key = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()
        self.path = os.path.join(folder, f"{key[:32]}.jsonl")
        try:
            os.makedirs(folder, exist_ok=True)
            self._file = open(self.path, "a+b", buffering=0)  # noqa: SIM115  closed by `close`
        except OSError as error:
            raise BadInput(self.path, f"cannot be written: {error.strerror}") from None

    def __enter__(self) -> AttackJournal:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def load_outcomes(self, items: Items) -> dict[str, AttackOutcome]:
        """Return the recorded outcomes of these items by id."""
        digests = {item.id: _item_digest(item) for item in items}
        outcomes: dict[str, AttackOutcome] = {}
        self._file.seek(0)
        for line in self._file.read().split(b"\n"):
            try:
                record = json.loads(line)
                if digests.get(record["outcome"]["id"]) == record["item"]:
                    outcomes[record["outcome"]["id"]] = outcome_from_json(record["outcome"])
            except (ValueError, KeyError, TypeError):
                continue
        return outcomes

    def append_outcome(self, item: Item, outcome: AttackOutcome) -> None:
        """Append an outcome, after ending a line that may have been truncated."""
        line = json.dumps({"item": _item_digest(item), "outcome": outcome_to_json(outcome)})
        try:
            self._file.write(b"\n" + line.encode() + b"\n")
        except OSError as error:
            raise BadInput(self.path, f"cannot be written: {error.strerror}") from None


def _item_digest(item: Item) -> str:
    """Return a digest of everything that an attack or a model can see of an item."""
    content = [item.id, item.meta.get(ASKS_FOR), [*item.fields.items()], item.choices, item.answer]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
