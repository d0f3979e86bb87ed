"""Detects what a model saw from the prompts that a log quotes."""

from __future__ import annotations

from collections.abc import Sequence

from ...types import FULL
from ...views import CHOICES
from .item_index import MatchedEntry

_FRAGMENT = 20  # characters of a field that betray it, even where a log cuts prompts off


def detect_view(matched_entries: Sequence[MatchedEntry]) -> str | None:
    """Return `full` if every prompt quotes the whole item, `choices` if none quotes a field.

    None where prompts are missing or quote something in between.
    """
    if not matched_entries or not all(matched.entry.prompt for matched in matched_entries):
        return None
    if all(_shows_choices(matched) and _shows_all_fields(matched) for matched in matched_entries):
        return FULL
    if all(_shows_choices(matched) and not _shows_a_field(matched) for matched in matched_entries):
        return CHOICES
    return None


def _shows_choices(matched: MatchedEntry) -> bool:
    prompt = _letters(matched.entry.prompt)
    return all(_letters(choice) in prompt for choice in matched.item.choices)


def _shows_all_fields(matched: MatchedEntry) -> bool:
    prompt = _letters(matched.entry.prompt)
    return all(_letters(text) in prompt for text in matched.item.fields.values())


def _shows_a_field(matched: MatchedEntry) -> bool:
    prompt = _letters(matched.entry.prompt)
    fragments = (_letters(text)[:_FRAGMENT] for text in matched.item.fields.values())
    return any(fragment and fragment in prompt for fragment in fragments)


def _letters(text: str) -> str:
    """Return letters and digits alone, since prompts change case, spaces and punctuation."""
    return "".join(char for char in text.casefold() if char.isalnum())
