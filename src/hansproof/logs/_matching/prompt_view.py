"""Detects from the prompts that a log quotes that a model saw the whole item."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...types import FULL
from .item_index import MatchedEntry

_NON_LETTERS = re.compile(r"[\W_]+")


def detect_view(matched_entries: Sequence[MatchedEntry]) -> str | None:
    """Return `full` if every prompt contains all fields and choices of its item, else None.

    A field that is not found proves nothing: the benchmark may have it with a prefix or with markup
    that the prompt lacks. So a blind view is never inferred.
    """
    if matched_entries and all(_shows_item(matched) for matched in matched_entries):
        return FULL
    return None


def _shows_item(matched: MatchedEntry) -> bool:
    if not matched.entry.prompt:
        return False
    prompt = _keep_letters(matched.entry.prompt)
    texts = (*matched.item.fields.values(), *matched.item.choices)
    return all(_keep_letters(text) in prompt for text in texts)


def _keep_letters(text: str) -> str:
    """Return letters and digits alone, since prompts change case, spaces and punctuation."""
    return _NON_LETTERS.sub("", text.casefold())
