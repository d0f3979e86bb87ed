"""Makes ids unique that restart in every file or split."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from ..types import Item, Items, ReadingNote


def separate_ids(splits: dict[str, Items]) -> tuple[dict[str, Items], tuple[ReadingNote, ...]]:
    """Put the file or the split before all ids if two items share one; also say so in a note."""
    if _find_shared(splits) is None:
        return splits, ()
    is_shared_in_split = any(_find_shared({split: items}) for split, items in splits.items())
    kind, separated = "split", _prefix_ids(splits, lambda split, item: split)
    if is_shared_in_split:
        kind = "file"
        separated = _prefix_ids(splits, lambda split, item: os.path.splitext(item.file)[0])
        if _find_shared(separated):  # one file contains several splits
            separated = _prefix_ids(separated, lambda split, item: split)
    shared_id = _find_shared(splits)
    examples = [
        new.id
        for split, items in splits.items()
        for old, new in zip(items, separated[split], strict=True)
        if old.id == shared_id
    ]
    note = (
        f"ids: several {kind}s use the same ids, so each id is prefixed with its {kind}: "
        f"{' and '.join(examples[:2])}"
    )
    return separated, (ReadingNote(note),)


def _find_shared(splits: dict[str, Items]) -> str | None:
    """Return an id of two items, or None."""
    id_counts = Counter(item.id for items in splits.values() for item in items)
    return next((id for id, count in id_counts.items() if count > 1), None)


def _prefix_ids(
    splits: dict[str, Items], prefix_of: Callable[[str, Item], str]
) -> dict[str, Items]:
    return {
        split: tuple(replace(item, id=f"{prefix_of(split, item)}/{item.id}") for item in items)
        for split, items in splits.items()
    }
